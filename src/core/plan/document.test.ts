import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "yaml";
import fc from "../../../test/rig/property.ts";
import { difficulties } from "../flow/dispatch.ts";
import { fenced } from "../text/block.ts";
import { readPlan } from "./document.ts";
import { isInsideTree, type Task, testings } from "./plan.ts";

const task = (id: number, more: Partial<Task> = {}): Task => ({
  id,
  title: `Title ${id}`,
  description: "Do it.",
  files: ["src/a.ts"],
  criteria: ["It holds."],
  commands: ["npm test"],
  covers: [],
  dependsOn: [],
  complexity: "medium",
  tdd: "required",
  ...more,
});
const header = "# Plan\n\n**Goal:** g\n**Architecture:** a\n**Tech Stack:** t\n";
/** A plan's document: headings with these numbers, and a block. */
const headed = (ids: readonly number[], yaml: string, tag = "superteam-tasks") =>
  [header, ...new Set(ids.map((id) => `### Task ${id}: it`)), `${fenced(tag, yaml)}\n`].join("\n\n");
const block = (yaml: string) => headed([], yaml);
const written = (...tasks: readonly (Pick<Task, "id"> & object)[]) =>
  headed(
    tasks.map(({ id }) => id),
    stringify(tasks),
  );
const planOf = (document: string, requirements: readonly string[] = []) => {
  const reading = readPlan(document, requirements);
  assert.ok(reading.ok, reading.ok ? "" : reading.problems.join("\n"));
  return reading.plan;
};
const problemsOf = (document: string, requirements: readonly string[] = []) => {
  const reading = readPlan(document, requirements);
  return reading.ok ? [] : reading.problems;
};

test("tasks keep lists over several lines, folded texts and fields in any order", () => {
  const plan = planOf(
    headed(
      [1, 2],
      `- id: 1
  title: Token bucket
  description: >-
    Folded over
    two lines.
  files:
    - src/bucket.ts
    - test/bucket.test.ts
  criteria:
    - It limits
  commands: [npm test, npm run lint]
- title: Middleware
  files: [src/limit.ts]
  dependsOn: [1]
  tdd: none
  description: |
    Some code:
    \`\`\`ts
    limit();
    \`\`\`
  id: 2`,
    ),
  );
  assert.deepEqual(
    plan.tasks.map(({ id }) => id),
    [1, 2],
  );
  assert.deepEqual(plan.tasks[0]?.files, ["src/bucket.ts", "test/bucket.test.ts"]);
  assert.equal(plan.tasks[0]?.description, "Folded over two lines.");
  assert.equal(plan.tasks[1]?.description, "Some code:\n```ts\nlimit();\n```");
  assert.deepEqual(plan.tasks[0]?.commands, ["npm test", "npm run lint"]);
  assert.deepEqual(plan.tasks[1]?.dependsOn, [1]);
});

test("the other tag and a map with `tasks` are understood too", () => {
  assert.equal(planOf(headed([1], stringify({ tasks: [task(1)] }), "superteam-plan")).tasks.length, 1);
});

test("a draft before the final block does not count", () => {
  const draft = block(stringify([task(1, { title: "Draft" })]));
  const plan = planOf(`${draft}\n${written(task(1), task(2))}`);
  assert.deepEqual(
    plan.tasks.map(({ title }) => title),
    ["Title 1", "Title 2"],
  );
});

test("a fence inside a description that cuts the block short is reported", () => {
  const cut =
    "```superteam-tasks\n- id: 1\n  title: One\n  files: [a.ts]\n  description: |\n   Code:\n   ```\n   x\n   ```\n- id: 2\n  title: Two\n  files: [b.ts]\n  description: d\n```\n";
  assert.match(problemsOf(cut).join("\n"), /four backticks|never closed/);
});

test("a task that is in the headings but not in the block is reported, and the other way round", () => {
  const body = (...ids: number[]) => headed(ids, stringify([task(1), task(2)]));
  assert.deepEqual(problemsOf(body(1, 2)), []);
  assert.deepEqual(problemsOf(body(1, 2, 3)), ['there is a heading "Task 3", but no task 3 in the block.']);
  assert.deepEqual(problemsOf(body(1)), ['task 2 is in the block, but there is no heading "Task 2".']);
  assert.deepEqual(
    problemsOf(`### Task 2: once\n\n${body(1, 2)}`).at(-1),
    "headings with different titles name the same task: 2.",
  );
});

const headings: readonly (readonly [text: string, counts: boolean])[] = [
  ["### Task 2: it", true],
  ["# Task 2: it", true],
  ["## Task 2", true],
  ["#### Task 2 – it", true],
  ["###### Task 2. It", true],
  ["### **Task 2**", true],
  ["### **Task 2: it**", true],
  ["### _Task_ 2: it", true],
  ["### `Task 2` it", true],
  ["### [Task 2](#it): it", true],
  ["### <b>Task 2</b>", true],
  ["### task  #2", true],
  ["### Task 2: it ###", true],
  ["Task 2: it\n---", true],
  ["### Tasks 2", false],
  ["### The task 2", false],
  ["### Task 2.1: a step", false],
  ["### Task 20: another", false],
  ["**Task 2: it**", false],
  ["```\n### Task 2: in code\n```", false],
  ["> ### Task 2: quoted", false],
];

for (const [text, counts] of headings) {
  test(`${JSON.stringify(text)} ${counts ? "is" : "is not"} the heading of task 2`, () => {
    const document = headed([1], stringify([task(1), task(2)])).replace("### Task 1: it", `### Task 1: it\n\n${text}`);
    const lost = problemsOf(document).includes('task 2 is in the block, but there is no heading "Task 2".');
    assert.equal(lost, !counts);
    if (counts) assert.deepEqual(problemsOf(document), []);
  });
}

test("the text under a heading is the task's description, with what only the block says before it", () => {
  const { description, ...entry } = task(1);
  const document = (text: string, more: object = {}) =>
    headed([1], stringify([{ ...entry, ...more }])).replace("### Task 1: it", `### Task 1: it\n\n${text}`);
  const told = (text: string, more: object = {}) => planOf(document(text, more)).tasks[0]?.description;
  assert.equal(told("Do this.\n\n#### Then\n\nAnd that."), "Do this.\n\n#### Then\n\nAnd that.");
  assert.equal(told("Do this, then that.", { description: "Do this" }), "Do this, then that.");
  assert.equal(told("Do this.", { description: "It limits." }), "It limits.\n\nDo this.");
  assert.deepEqual(problemsOf(document("")), [
    "task 1 has no text under its heading: say there all that an implementer must know.",
  ]);
});

test("headings that repeat a task under the same title are one task with both texts", () => {
  const document = `${header}\n## Overview\n\n### Task 1: it\n\nShort.\n\n## Steps\n\n### Task 1: it\n\nLong.\n\n${fenced("superteam-tasks", stringify([{ ...task(1), description: undefined }]))}\n`;
  assert.equal(planOf(document).tasks[0]?.description, "Short.\n\nLong.");
});

test("problems of the block, of the header and of the headings are told together, each with its task", () => {
  const { files, ...lacking } = task(1);
  const text = block(stringify([lacking, { ...task(2), files: ["../x"], estimate: 3 }])).replace("**Goal:** g\n", "");
  const problems = problemsOf(text);
  assert.equal(problems.length, 5, problems.join("\n"));
  assert.match(problems.join("\n"), /task 1, files: [\s\S]*task 2, files 1: must be a path[\s\S]*task 2: .*"estimate"/);
  assert.match(problems.join("\n"), /no "Goal"[\s\S]*no heading/);
});

test("the block counts without its tag or its end, where the document ends with it", () => {
  const yaml = stringify([task(1)]).trimEnd();
  assert.equal(planOf(headed([1], yaml, "yaml")).tasks.length, 1);
  assert.equal(planOf(headed([1], yaml).trimEnd().slice(0, -3).trimEnd()).tasks.length, 1);
  assert.match(problemsOf(`${headed([1], yaml, "yaml")}\nAnd more.\n`).join(), /no ```superteam-tasks/);
});

test("tasks that are listed out of order are sorted when their headings are in order, unless a dependency forbids it", () => {
  const listed = (...tasks: Task[]) => headed([1, 2], stringify(tasks));
  assert.deepEqual(
    planOf(listed(task(2, { dependsOn: [1] }), task(1))).tasks.map(({ id }) => id),
    [1, 2],
  );
  assert.match(problemsOf(listed(task(2), task(1, { dependsOn: [2] }))).join(), /must be 1 to 2 in order/);
});

test("a plan without any heading of a task is a problem", () => {
  assert.deepEqual(problemsOf(block(stringify([task(1), task(2)]))), [
    "the plan has no heading `### Task N: title`: each task needs one, with what to do below it.",
  ]);
});

test("every problem is listed at once", () => {
  const tasks = [task(1, { dependsOn: [2], covers: ["R9"] }), task(2, { dependsOn: [1, 7] })];
  assert.deepEqual(problemsOf(written(...tasks), ["R1"]), [
    "task 1 depends on task 2, which does not come before it: a cycle or the wrong order.",
    "task 2 depends on task 7, which does not exist.",
    '"covers" names R9, which is not a requirement of this plan.',
    "requirement R1 is covered by no task.",
  ]);
});

test("ids are 1 to n in order", () => {
  assert.deepEqual(problemsOf(written(task(1), task(1))), ["task ids are given twice: 1."]);
  assert.deepEqual(problemsOf(written(task(2), task(1))), ["task ids must be 1 to 2 in order, not 2, 1."]);
});

test("a revised plan keeps its ids: they need not count from 1, but dependencies still point back in the list", () => {
  const kept = (...tasks: Task[]) => readPlan(written(...tasks), [], "kept");
  assert.equal(kept(task(4), task(2, { dependsOn: [4] })).ok, true);
  const wrong = kept(task(2, { dependsOn: [4] }), task(4), task(2));
  assert.deepEqual(wrong.ok ? [] : wrong.problems, [
    "task ids are given twice: 2.",
    "task 2 depends on task 4, which does not come before it: a cycle or the wrong order.",
  ]);
});

test("the plan of a later part counts on, and may build on the tasks of earlier parts alone", () => {
  const later = (numbering: "counted" | "kept", ...tasks: Task[]) => {
    const reading = readPlan(written(...tasks), [], numbering, 4);
    return reading.ok ? [] : reading.problems;
  };
  assert.deepEqual(later("counted", task(4, { dependsOn: [2] }), task(5, { dependsOn: [4] })), []);
  assert.deepEqual(later("counted", task(1), task(2)), ["task ids must be 4 to 5 in order, not 1, 2."]);
  assert.deepEqual(later("kept", task(6), task(4)), []);
  assert.deepEqual(later("kept", task(4), task(3)), ["task ids must be 4 or more, not 3: those are taken."]);
  assert.deepEqual(later("counted", task(4, { dependsOn: [0, 7] })), [
    "task 4 depends on task 0, which does not exist.",
    "task 4 depends on task 7, which does not exist.",
  ]);
});

test("a header that lacks something is a problem of the plan", () => {
  assert.deepEqual(problemsOf(written(task(1)).replace("**Goal:** g", "**Goal:**")), [
    '"Goal" in the header of the plan says nothing: write it on its line, or right below.',
  ]);
});

test("a task says how hard it is and how it is tested, or is of medium size and test first", () => {
  const { complexity, tdd, ...plain } = task(1);
  assert.deepEqual(planOf(written(plain)).tasks[0], { ...plain, complexity, tdd });
  const [said] = planOf(written(task(1, { complexity: "hard", tdd: "existing-tests" }))).tasks;
  assert.deepEqual([said?.complexity, said?.tdd], ["hard", "existing-tests"]);
  assert.match(problemsOf(block(stringify([{ ...plain, complexity: "huge" }]))).join(), /easy.*medium.*hard/);
  assert.match(problemsOf(block(stringify([{ ...plain, tdd: "later" }]))).join(), /existing-tests/);
});

test("a task that is tested has a criterion and a command; one with nothing to test needs neither", () => {
  const bare = { criteria: [], commands: [] };
  const lacks = (id: number, field: string) =>
    `task ${id} has no ${field}: give at least one, or say \`tdd: none\` if there is nothing to test.`;
  assert.deepEqual(problemsOf(written(task(1), task(2, { commands: [] }))), [lacks(2, "commands")]);
  assert.deepEqual(problemsOf(written(task(1, { criteria: [], tdd: "existing-tests" }))), [lacks(1, "criteria")]);
  const { criteria, commands, tdd, ...unsaid } = task(2);
  assert.deepEqual(problemsOf(written(task(1, bare), unsaid)), [
    ...[lacks(1, "criteria"), lacks(2, "criteria")],
    ...[lacks(1, "commands"), lacks(2, "commands")],
  ]);
  assert.deepEqual(problemsOf(written(task(1, { ...bare, tdd: "none" }))), []);
  const revised = readPlan(written(task(3, bare)), [], "kept");
  assert.equal(revised.ok, false);
});

test("no block, no tasks, bad YAML, unknown and missing fields, doubled keys: each is told", () => {
  assert.match(problemsOf("# Plan\n").join(), /no ```superteam-tasks or ```superteam-plan block/);
  assert.match(problemsOf(block("[]")).join(), />=1 items/);
  assert.match(problemsOf(block("- id: 1\n  files: [")).join(), /not valid YAML/);
  assert.match(problemsOf(block("- id: 1\n  id: 2")).join(), /unique/);
  assert.match(problemsOf(block(stringify([{ ...task(1), estimate: 3 }]))).join(), /Unrecognized key: "estimate"/);
  assert.match(
    problemsOf(block(stringify([{ id: 1, title: "x", description: "y" }]))).join(),
    /task 1, files: .*expected array/,
  );
  assert.match(problemsOf(block("just a text")).join(), /expected object/);
});

test("a file outside the tree is a problem", () => {
  for (const path of ["../x", "/etc/passwd", "a/../../b", ".git/config", "C:\\x", "~/x", "", "a//b", "./a"]) {
    assert.equal(isInsideTree(path), false, path);
    if (path !== "./a")
      assert.match(problemsOf(block(stringify([task(1, { files: [path] })]))).join(), /inside the repository/, path);
  }
  for (const path of ["a.ts", "src/x/y.test.ts", ".github/ci.yml", "..a/b"])
    assert.equal(isInsideTree(path), true, path);
});

const words = fc
  .string({ unit: fc.constantFrom("a", "Z", " ", ":", "#", "-", "'", '"', "`", "{", "|", ">", "é", "%", "\\") })
  .map((text) => text.trim());
const line = words.filter((text) => text !== "").map((text) => text.slice(0, 100).trim());
const prose = fc
  .array(fc.oneof(words, fc.constantFrom("```", "  ```ts", "### Task 9", "- id: 4", "---", "")), { minLength: 1 })
  .map((lines) => lines.join("\n").trim())
  .filter((text) => text !== "");
const path = fc.constantFrom("src/a.ts", "test/b.test.ts", "docs/with space.md", "x.ts");
const plans = fc.array(
  fc.record({
    title: line,
    description: prose,
    files: fc.array(path, { minLength: 1, maxLength: 3 }),
    criteria: fc.array(line, { minLength: 1, maxLength: 3 }),
    commands: fc.array(line, { minLength: 1, maxLength: 2 }),
    covers: fc.uniqueArray(fc.constantFrom("R1", "R2"), { maxLength: 2 }),
    back: fc.array(fc.nat(), { maxLength: 2 }),
    complexity: fc.constantFrom(...difficulties),
    tdd: fc.constantFrom(...testings),
  }),
  { minLength: 1, maxLength: 5 },
);

test("any plan that is written is read back as it was", () => {
  const styles = fc.record({
    defaultStringType: fc.constantFrom("PLAIN", "BLOCK_FOLDED", "BLOCK_LITERAL", "QUOTE_DOUBLE"),
    lineWidth: fc.constantFrom(0, 40, 80),
  } as const);
  fc.assert(
    fc.property(plans, styles, fc.boolean(), (drafts, style, bare) => {
      const tasks = drafts.map(({ back, ...draft }, index) => {
        const dependsOn = index === 0 ? [] : back.map((n) => (n % index) + 1);
        return { id: index + 1, ...draft, dependsOn };
      });
      const yaml = stringify(bare ? tasks : { tasks }, style).trimEnd();
      const covered = [...new Set(tasks.flatMap(({ covers }) => covers))];
      const ids = tasks.map(({ id }) => id);
      assert.deepEqual(planOf(headed(ids, yaml), covered).tasks, tasks);
    }),
  );
});

test("a plan with any one task cut out of the block is never read as whole", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 6 }), fc.nat(), (count, pick) => {
      const tasks = Array.from({ length: count }, (_, index) => task(index + 1));
      const ids = tasks.map(({ id }) => id);
      const left = tasks.filter((_, index) => index !== pick % count);
      assert.notDeepEqual(problemsOf(headed(ids, stringify(left))), []);
    }),
  );
});

test("a task that depends on itself is refused", () => {
  assert.deepEqual(problemsOf(written(task(1, { dependsOn: [1] }), task(2))), [
    "task 1 depends on task 1, which does not come before it: a cycle or the wrong order.",
  ]);
});

test("a plan that stands by itself may name requirements of a design that is not at hand", () => {
  const text = written(task(1, { covers: ["R7"] }));
  assert.deepEqual(problemsOf(text), ['"covers" names R7, which is not a requirement of this plan.']);
  assert.equal(readPlan(text, null).ok, true);
});
