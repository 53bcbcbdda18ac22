// What can go wrong with a plan: a planner that fails or writes nothing, a document that cannot be read, a person who
// edits it. What is told, what can be chosen, and what is on disk then.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { stringify } from "yaml";
import { optionsOf } from "../../../src/core/flow/question.ts";
import { planDocument, type TaskText, writesPlan } from "../../rig/pipeline/scripts.ts";
import { goal, paths, plan, plannedStories, story, type Told, task } from "../../rig/pipeline/story.ts";

const planned = plannedStories();

const writes = (text: string) => writesPlan(goal, text);

/** The plan with another block of tasks. */
function withBlock(block: string, fence = "```"): string {
  return `${plan.slice(0, plan.indexOf("```superteam-tasks"))}${fence}superteam-tasks\n${block}\n${fence}\n`;
}

describe("a planner", { concurrency: 2 }, () => {
  test("that fails is told with its error, and the design it works from stays", async (context) => {
    const run = story(context);
    const crash = { text: "half a plan", fail: { kind: "crashed" as const, detail: "no more memory" } };
    const told = await run.live({ scripts: { "plan-write/plan": crash } });
    assert.equal(told.waits?.id, "plan.write.failed");
    assert.match(
      told.waits.message,
      /planner agent failed \(crashed\)\.\nError: no more memory\nOutput preview: half a plan/,
    );
    assert.deepEqual(labels(told), ["Retry", "Abort workflow"]);
    assert.match(run.text(paths.design) ?? "", /R1/);
    assert.equal(run.git("log", "--format=%s"), "Begin");
  });

  test("that writes no plan is told so twice, and then the person sees what it said instead", async (context) => {
    const run = story(context);
    const told = await run.live({ scripts: { "plan-write/plan": { text: "I thought about it." } } });
    assert.equal(told.waits?.id, "plan.write.unparsable");
    assert.equal(told.waits.title, "Plan Not Written");
    assert.match(
      told.waits.message,
      /did not write docs\/plans\/.*, 3 times in a row\.\nIt said: I thought about it\./,
    );
    assert.equal(planners(told).length, 3);
    assert.match(planners(told).at(-1) ?? "", /was not written/);
    assert.equal(run.text(paths.plan), null);

    const more = await run.live({ answers: { "plan.write.unparsable": ["retry"] }, closed: ["plan.approval"] });
    assert.equal(more.waits?.id, "plan.approval");
  });

  test("whose plan has no task is asked again; a person who gives up finds the reason and the plan on disk", async (context) => {
    const run = story(context);
    const told = await run.live({
      scripts: { "plan-write/plan": writes(withBlock("[]")) },
      answers: { "plan.write.unparsable": ["abort"] },
    });
    assert.ok(told.end.how === "aborted");
    const path = paths.plan.replaceAll(".", "\\.");
    assert.match(
      told.end.detail,
      new RegExp(`^the person ended the run after the plan in ${path} could not be used: .*tasks`, "s"),
    );
    const asked = told.entries.findLast((entry) => entry.type === "begin" && entry.request.do === "ask");
    assert.match(JSON.stringify(asked), /plan\.write\.unparsable.*superteam-tasks/, "the plan itself is shown");
    assert.equal(planners(told).length, 3);
    assert.match(run.text(paths.plan) ?? "", /superteam-tasks\n\[\]/);
    assert.equal(run.git("log", "--format=%s"), "Begin");
  });
});

describe("a plan's block of tasks", { concurrency: 2 }, () => {
  const readable: Readonly<Record<string, string>> = {
    "files over several lines":
      "- id: 1\n  title: The letter\n  description: Write it.\n  files:\n    - letter.txt\n    - other.txt\n  criteria: [It is signed]\n  commands: [cat letter.txt]\n  covers: [R1]",
    "a folded description":
      "- title: The letter\n  description: >-\n    Write it\n    well.\n  files: [letter.txt]\n  covers:\n    - R1\n  id: 1\n  tdd: none",
  };
  test("is read whole however its YAML is laid out", async (context) => {
    for (const [name, block] of Object.entries(readable)) {
      const run = story(context);
      const told = await run.live({
        scripts: { "plan-write/plan": writes(withBlock(block)) },
        closed: ["plan.approval"],
      });
      assert.equal(told.waits?.id, "plan.approval", name);
      assert.equal(planners(told).length, 1, name);
    }
  });

  const two: readonly TaskText[] = [task, { ...task, id: 2, title: "Another" }];
  const broken: Readonly<Record<string, { text: string; problem: RegExp }>> = {
    "a stray quote": {
      text: withBlock(`- id: 1\n  title: "The letter\n  description: Write it.\n  files: [letter.txt]\n  covers: [R1]`),
      problem: /not valid YAML/,
    },
    "a fence inside a description": {
      text: withBlock("- id: 1\n  title: The letter\n  description: |\n  ```\n  code\n  ```\n  files: [letter.txt]"),
      problem: /fence/,
    },
    "a task that is under a heading only": {
      text: planDocument(goal, two).replace(
        /```superteam-tasks[\s\S]*```/,
        `\`\`\`superteam-tasks\n${stringify([task])}\`\`\``,
      ),
      problem: /heading "Task 2", but no task 2 in the block/,
    },
    "a task that nothing shows to work": {
      text: planDocument(goal, [{ ...task, commands: [] }]),
      problem: /task 1 has no commands/,
    },
    "a requirement that no task covers": {
      text: planDocument(goal, [{ ...task, covers: [] }]),
      problem: /R1 is covered by no task/,
    },
    "a file outside the tree": {
      text: planDocument(goal, [{ ...task, files: ["../letter.txt"] }]),
      problem: /inside the repository/,
    },
    "a dependency that does not exist": {
      text: planDocument(goal, [{ ...task, dependsOn: [7] }]),
      problem: /depends on task 7/,
    },
  };
  for (const [name, { text, problem }] of Object.entries(broken)) {
    test(`with ${name} goes back to the planner in words, before any reviewer is paid`, async (context) => {
      const told = await story(context).live({
        scripts: { "plan-write/plan 1": writes(text), "plan-write/plan 2": writes(plan) },
        closed: ["plan.approval"],
      });
      assert.equal(told.waits?.id, "plan.approval", JSON.stringify(told.waits));
      assert.equal(planners(told).length, 2);
      assert.match(planners(told).at(-1) ?? "", problem);
      const order = told.dispatches.map(({ role }) => role);
      assert.ok(order.lastIndexOf("planner") < order.indexOf("architect"));
    });
  }
});

describe("a plan that is edited by hand before its approval", { concurrency: 2 }, () => {
  test("is what is approved, committed and built", async (context) => {
    const run = planned(context);
    const told = await run.live({ closed: ["plan.approval"] });
    assert.equal(told.waits?.id, "plan.approval");
    run.write(paths.plan, plan.replaceAll("The letter", "The long letter"));
    const more = await run.live();
    assert.equal(more.end.how, "finished");
    assert.match(run.git("log", "--format=%s"), /workflow: task 1 — The long letter/);
    assert.match(run.git("show", `HEAD~2:${paths.plan}`), /The long letter/);
  });

  test("is asked about again when it cannot be used, with what is wrong, and is left as it is", async (context) => {
    const run = planned(context);
    await run.live({ closed: ["plan.approval"] });
    const spoilt = plan.replace("id: 1", "id: 3");
    run.write(paths.plan, spoilt);
    const told = await run.live();
    assert.equal(told.waits?.id, "plan.approval");
    assert.match(told.waits.message, /Task 1|task ids|task 3/i);
    assert.equal(run.text(paths.plan), spoilt);
    run.write(paths.plan, plan);
    const more = await run.live({ answers: { "plan.approval": ["approve", "approve"] } });
    assert.equal(more.end.how, "finished");
  });
});

function labels({ waits }: Told): readonly string[] {
  return waits ? optionsOf(waits).map(({ label }) => label) : [];
}

/** The prompts of the planner, in order. */
function planners({ dispatches }: Told): readonly string[] {
  return dispatches.filter(({ role }) => role === "planner").map(({ prompt }) => prompt);
}
