// The tasks in order, what each one's prompt says of the others, and when the run pauses between them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, dispatches, facts, play, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import { planText, taskOf } from "../../../test/rig/plan.ts";
import { verdict } from "../../../test/rig/task.ts";
import { Plan } from "../../core/plan/plan.ts";
import type { Settled } from "../../core/run/report.ts";
import { fenced } from "../../core/text/block.ts";
import { reviewFlows } from "../work/review.ts";
import type { Choices } from "./configure.ts";
import { checkpointQuestion, execute } from "./execute.ts";
import { settleTask } from "./settle-task.ts";

const planOf = (count: number, more: (id: number) => object = () => ({})) =>
  Plan.parse({
    tasks: Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      title: `Part ${index + 1}`,
      description: "Do.",
      files: [`src/${index + 1}.ts`],
      ...more(index + 1),
    })),
  });
const auto: Choices = { execution: "auto", batchSize: null, review: "iterative", waivers: [] };
const batchOf = (batchSize: number): Choices => ({ ...auto, execution: "batch", batchSize });
const checkpoint: Choices = { ...auto, execution: "checkpoint" };

const implement: Agent = ({ files, nth }) => {
  files.set(`src/${nth}.ts`, `${nth}`);
  return "Done.";
};
/** Does nothing for the tasks given. */
const idleAt =
  (...tasks: readonly number[]): Agent =>
  (turn) =>
    tasks.includes(turn.nth) ? "Nothing." : implement(turn);
const agents = { implement, "spec-review": () => verdict(), "quality-review": () => verdict() };
const flows = { "settle-task": settleTask, ...reviewFlows };
const run = (plan: Plan, choices: Choices, script: Script = {}) =>
  play(execute({ goal: "Build it", mode: "standard", plan, requirements: [], choices }), {
    flows,
    ...script,
    agents: { ...agents, ...script.agents },
  });
const going = (times: number) => ({
  "execute.checkpoint": Array.from({ length: times }, () => "continue"),
});
/** The number of tasks that were settled before each pause. */
const pauses = (played: ReturnType<typeof run>): readonly number[] => {
  let settled = 0;
  return played.requests.flatMap((request) => {
    if (request.do === "record" && request.fact.type === "task.settled") settled += 1;
    return request.do === "ask" && request.question.id === "execute.checkpoint" ? [settled] : [];
  });
};

test("auto never pauses", () => {
  const played = run(planOf(4), auto);
  assert.equal(resultOf(played).tasks.length, 4);
  assert.deepEqual(questions(played), []);
});

test("checkpoint pauses after every task but the last", () => {
  const played = run(planOf(4), checkpoint, { answers: going(3) });
  assert.deepEqual(pauses(played), [1, 2, 3]);
  assert.equal(resultOf(played).tasks.length, 4);
});

test("batches of two over five tasks pause twice", () => {
  const played = run(planOf(5), batchOf(2), { answers: going(2) });
  assert.deepEqual(pauses(played), [2, 4]);
  assert.equal(resultOf(played).tasks.length, 5);
});

test("a batch that ends with the plan does not pause", () => {
  assert.deepEqual(pauses(run(planOf(4), batchOf(2), { answers: going(1) })), [2]);
  assert.deepEqual(pauses(run(planOf(3), batchOf(3), {})), []);
});

test("only completed tasks fill a batch", () => {
  const played = run(planOf(5), batchOf(2), {
    agents: { implement: idleAt(2) },
    answers: { ...going(1), "execute.task.2.nothing": "skip" },
  });
  assert.deepEqual(pauses(played), [3]);
  assert.equal(resultOf(played).tasks.length, 5);
});

test("a skipped task after a full batch does not pause again, but at a checkpoint it does", () => {
  const script: Script = {
    agents: { implement: idleAt(2) },
    answers: { ...going(3), "execute.task.2.nothing": "skip" },
  };
  assert.deepEqual(pauses(run(planOf(4), batchOf(1), script)), [1, 3]);
  assert.deepEqual(pauses(run(planOf(4), checkpoint, script)), [1, 2, 3]);
});

test("without a person the run waits at the pause, and the tasks after it have not begun", () => {
  const played = run(planOf(5), batchOf(2));
  assert.ok(played.end.how === "waiting" && played.end.question.kind === "select");
  const { id, recommended, options, message } = played.end.question;
  assert.deepEqual([id, recommended], ["execute.checkpoint", undefined]);
  assert.deepEqual(
    options.map(({ key, label }) => [key, label]),
    [
      ["continue", "Continue"],
      ["abort", "Abort workflow"],
    ],
  );
  const done = (id: number) => `Task ${id}, "Part ${id}": complete, commit sha-${id}, 1 file, spec ✓ quality ✓.`;
  assert.equal(message, [done(1), done(2), 'Next: task 3, "Part 3".'].join("\n"));
  assert.equal(dispatches(played).filter(({ name }) => name === "implement").length, 2);
});

test("a pause can end the run", () => {
  const played = run(planOf(3), checkpoint, { answers: { "execute.checkpoint": "abort" } });
  assert.deepEqual(played.end, {
    how: "failed",
    failure: { kind: "aborted", step: "execute.checkpoint", detail: "the person ended the run after task 1" },
  });
});

test("a task that builds on no other is told what the last five came to: title, status, commit and files", () => {
  const played = run(planOf(7), auto, {
    agents: { implement: idleAt(3) },
    answers: { "execute.task.3.nothing": "skip" },
  });
  const last = dispatches(played).findLast(({ name }) => name === "implement")?.prompt ?? "";
  const before = earlierOf(last);
  assert.equal(
    before.trim(),
    [
      "## Earlier tasks",
      "- Task 2, Part 2: complete, commit sha-2 (src/2.ts)",
      "- Task 3, Part 3: skipped",
      "- Task 4, Part 4: complete, commit sha-3 (src/4.ts)",
      "- Task 5, Part 5: complete, commit sha-4 (src/5.ts)",
      "- Task 6, Part 6: complete, commit sha-5 (src/6.ts)",
    ].join("\n"),
  );
});

const earlierOf = (prompt: string): string =>
  prompt.slice(prompt.indexOf("## Earlier tasks"), prompt.indexOf("## Task "));
/** The tasks that the last of so many is told of, by number. */
const toldOf = (count: number, dependsOn: readonly number[]): readonly number[] => {
  const played = run(
    planOf(count, (id) => (id === count ? { dependsOn } : {})),
    auto,
  );
  const prompt = dispatches(played).findLast(({ name }) => name === "implement")?.prompt ?? "";
  return [...earlierOf(prompt).matchAll(/^- Task (\d+), /gm)].map(([, id]) => Number(id));
};

test("a task is told of those it builds on, however far back, and of the last ones, five in all, oldest first", () => {
  assert.deepEqual(toldOf(9, []), [4, 5, 6, 7, 8]);
  assert.deepEqual(toldOf(9, [2, 1, 8]), [1, 2, 6, 7, 8]);
  assert.deepEqual(toldOf(9, [1, 2, 3, 4, 5]), [1, 2, 3, 4, 5]);
  assert.deepEqual(toldOf(9, [1, 2, 3, 4, 5, 6]), [1, 2, 3, 4, 5, 6], "all that it builds on");
  assert.deepEqual(toldOf(3, [1]), [1, 2]);
});

test("the implementer is chosen by the task's difficulty, for fixes too; reviewers are not", () => {
  const hard = planOf(2, (id) => (id === 2 ? { complexity: "hard", criteria: ["It is."] } : {}));
  const finding = { rule: "missing", severity: "high", anchor: { requirement: "C1" }, what: "It is not." };
  const played = run(hard, auto, {
    agents: {
      "quality-review": ({ nth }) => {
        const resolutions = nth === 3 ? [{ id: "F1", state: "resolved" as const, quote: "fixed" }] : [];
        return verdict(nth === 2 ? { findings: [finding] } : { resolutions });
      },
      fix: ({ files }) => {
        files.set("src/2.ts", "fixed");
        return "Fixed.";
      },
    },
  });
  assert.deepEqual(
    dispatches(played).map(({ name, difficulty }) => [name, difficulty]),
    [
      ["implement", "medium"],
      ["spec-review", undefined],
      ["quality-review", undefined],
      ["implement", "hard"],
      ["spec-review", undefined],
      ["quality-review", undefined],
      ["fix", "hard"],
      ["spec-review", undefined],
      ["quality-review", undefined],
    ],
  );
});

test("the whole work is held against the tree before the first task", () => {
  const played = run(planOf(2), auto, { files: { "README.md": "before" } });
  const [first] = played.requests;
  assert.deepEqual(first, { do: "snapshot", name: "start" });
  assert.equal(resultOf(played).start.tree, "tree-0");
});

test("each task is given the head of the plan and its own text, not that of others", () => {
  const { plan, text } = planText([
    { id: 1, description: "First open the file." },
    { id: 2, description: "Then close it." },
  ]);
  const work = { goal: "Build it", mode: "standard", plan, document: text, requirements: [], choices: auto } as const;
  const played = play(execute(work), { flows, agents });
  const [one = "", two = ""] = dispatches(played).flatMap(({ name, prompt }) => (name === "implement" ? [prompt] : []));
  for (const prompt of [one, two]) {
    for (const part of ["Build it", "**Architecture:** a bucket", "**Tech Stack:** TypeScript"])
      assert.ok(prompt.includes(part), part);
  }
  assert.match(one, /First open the file\./);
  assert.doesNotMatch(one, /Then close it\.|superteam-tasks/);
  assert.match(two, /Then close it\./);
});

test("a pause tells of every task since the last one, whatever it came to", () => {
  const settled = (id: number, more: Partial<Settled>): Settled => ({
    task: id,
    title: `Part ${id}`,
    status: "complete",
    commit: "1a2b3c4d5e",
    rounds: 0,
    escalated: false,
    files: ["a.ts", "b.ts"],
    deferred: [],
    waivers: [],
    ...more,
  });
  const [, , third] = planOf(3).tasks;
  assert.ok(third);
  const approved = { role: "spec-reviewer", verdict: "approved" as const };
  const objects = { role: "quality-reviewer", verdict: "needs_revision" as const };
  const since = [
    settled(1, { rounds: 2, reviews: [approved, objects], deferred: ["F2"], waivers: ["single-pass"] }),
    settled(2, { status: "skipped", commit: null, files: [] }),
  ];
  assert.equal(
    checkpointQuestion(since, third).message,
    [
      'Task 1, "Part 1": complete, commit 1a2b3c4, 2 files, spec ✓ quality ✗, 2 fix rounds, 1 finding deferred, with a waiver.',
      'Task 2, "Part 2": skipped.',
      'Next: task 3, "Part 3".',
    ].join("\n"),
  );
  const played = run(planOf(5), batchOf(2), { answers: going(2) });
  const told = questions(played).map(({ message }) => message.match(/^Task \d/gm)?.join());
  assert.deepEqual(told, ["Task 1,Task 2", "Task 3,Task 4"]);
});

test("a task that builds on a skipped one is begun with a warning, and no other task is", () => {
  const plan = planOf(4, (id) => ({ dependsOn: { 3: [2], 4: [1, 3] }[id] ?? [] }));
  const played = run(plan, auto, {
    agents: { implement: idleAt(2) },
    answers: { "execute.task.2.nothing": "skip" },
  });
  const warned = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.deepEqual(warned, ["Task 3 builds on task 2, which was skipped."]);
});

test("a task goes by its id everywhere, wherever it stands in the plan", () => {
  const ids = [4, 1, 2, 3];
  const plan = { tasks: ids.map((id) => taskOf({ id })) };
  const played = run(plan, checkpoint, { answers: going(3) });
  assert.deepEqual(
    resultOf(played).tasks.map(({ task }) => task),
    ids,
  );
  const subjects = played.requests.flatMap((request) =>
    request.do === "commit" ? request.message.split("\n", 1) : [],
  );
  assert.deepEqual(
    subjects,
    ids.map((id) => `workflow: task ${id} — Title ${id}`),
  );
  const asked = questions(played).map(({ message }) => message.match(/ask \d/g)?.join());
  assert.deepEqual(asked, ["ask 4,ask 1", "ask 1,ask 2", "ask 2,ask 3"]);
  for (const { prompt } of dispatches(played)) assert.doesNotMatch(prompt, /[Tt]ask \d+ of \d+/);
  assert.match(dispatches(played)[0]?.prompt ?? "", /## Task 4: Title 4[\s\S]*This is one of 4 tasks: /);
});

test("a reviewer is told which other tasks work on the same requirement", () => {
  const plan = planOf(3, (id) => ({ covers: id === 3 ? ["R2"] : ["R1"] }));
  const prompts = dispatches(run(plan, auto)).flatMap(({ name, prompt }) => (name === "spec-review" ? [prompt] : []));
  assert.match(prompts[0] ?? "", /R1 is also covered by task 2\./);
  assert.match(prompts[1] ?? "", /R1 is also covered by task 1\./);
  assert.doesNotMatch(prompts[2] ?? "", /also covered/);
});

test("a task that needs a plan after all ends the phase there, with what was done before it", () => {
  const bigger = { bigger: { mode: "standard", reason: "Three modules need it." } };
  const grows: Agent = (turn) =>
    turn.nth === 1 ? implement(turn) : `${implement(turn)}\n\n${fenced("superteam-json", JSON.stringify(bigger))}`;
  const work = { goal: "Build it", mode: "hotfix" as const, plan: planOf(3), requirements: [], choices: auto };
  const played = play(execute(work), {
    flows,
    agents: { ...agents, implement: grows },
    answers: { "execute.task.2.bigger": "switch" },
  });
  const { tasks, mode, outgrown } = resultOf(played);
  assert.deepEqual([tasks.map(({ task }) => task), mode, outgrown?.files], [[1], "standard", ["src/2.ts"]]);
});
