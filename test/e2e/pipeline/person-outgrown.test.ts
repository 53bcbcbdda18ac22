// A hotfix that turns out to be more, in a tree in which the person works as well: the work so far goes on as part of the
// first task, without anything that is theirs.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import { assertMine, clockOf, commitMine, crash, filesOf, usedUp } from "../../rig/pipeline/meanwhile.ts";
import { answer } from "../../rig/pipeline/scripts.ts";
import { story, type Twist } from "../../rig/pipeline/story.ts";

const bigger = answer("superteam-json", { bigger: { mode: "quick", reason: "It needs a plan." } });
const begun: Script = { run: "echo begun > begun.txt; echo changed >> README.md", text: bigger };
const finished: Script = { run: "echo 'Dear reader, signed' > letter.txt", text: "Done." };
const grows: Twist = {
  scripts: { "execute/task-1/implement": begun, "execute#2/task-1/implement": finished },
  answers: { "triage.mode": ["hotfix"], "execute.task.1.bigger": ["switch"] },
};
const grownBy = (script: Script): Twist => ({
  ...grows,
  scripts: { ...grows.scripts, "execute/task-1/implement": script },
});
const begunAndCommitted: Script = { ...begun, run: `${begun.run}; git add begun.txt README.md; git commit -qm agents` };

test("the switch to a larger mode takes the agent's own commits off the branch, and none of the person's with them", async (context) => {
  const run = story(context);
  const twist = grownBy(begunAndCommitted);
  assert.equal((await run.live({ ...twist, closed: ["execute.task.1.bigger"] })).waits?.id, "execute.task.1.bigger");
  const mine = commitMine(run);
  const told = await run.live(twist);
  assert.equal(told.end.how, "finished");
  assertMine(run, mine);
  assert.deepEqual(filesOf(run, "HEAD~1"), ["README.md", "begun.txt", "letter.txt"]);
  assert.doesNotMatch(run.git("log", "--format=%s"), /^agents$/m);
});

test("where the agent has not committed, the person's commit stays below what the larger mode makes of the work", async (context) => {
  const run = story(context);
  await run.live({ ...grows, closed: ["execute.task.1.bigger"] });
  const mine = commitMine(run);
  const told = await run.live(grows);
  assert.equal(told.end.how, "finished");
  assertMine(run, mine);
  assert.deepEqual(filesOf(run, "HEAD~1"), ["README.md", "begun.txt", "letter.txt"]);
  const prompt = told.dispatches.findLast(({ name }) => name === "implement")?.prompt ?? "";
  assert.match(prompt, /is now part of this task[\s\S]*- README\.md\n- begun\.txt/);
  assert.doesNotMatch(prompt, /mine\.txt/);
});

for (const [what, then] of [
  ["", begun],
  [" and committed there", begunAndCommitted],
] as const) {
  test(`an agent that switched branches${what} before it asked for more is brought back, with its work`, async (context) => {
    const run = story(context);
    const told = await run.live(grownBy({ ...then, run: `git switch -q -c agent-branch; ${then.run}` }));
    assert.equal(told.end.how, "finished");
    assert.match(told.warnings.join("\n"), /switched to agent-branch.*HEAD is back on its branch/);
    assert.equal(run.git("branch", "--show-current"), "main");
    assert.deepEqual(filesOf(run, "HEAD~1"), ["README.md", "begun.txt", "letter.txt"]);
    assert.doesNotMatch(run.git("log", "--format=%s"), /^agents$/m);
  });
}

for (const move of ["skip", "rollback"]) {
  test(`${move} of a task with work from a smaller mode takes back that work, and nothing the person has made since`, async (context) => {
    const run = story(context);
    await run.live({ ...grows, closed: ["brainstorm.section.1"] });
    const mine = commitMine(run);
    run.write("begun.txt", "my own\n");
    run.git("add", "begun.txt");
    run.git("commit", "-qm", "Begun is mine", "--", "begun.txt");
    run.write("draft.txt", "not committed yet\n");
    const told = await run.live({
      ...grows,
      scripts: { ...grows.scripts, "execute#2/task-1/implement 1": crash },
      answers: { ...grows.answers, "execute.task.1.implement.failed": [move] },
    });
    assert.equal(told.end.how, "finished");
    assertMine(run, mine);
    assertMine(run, mine, "begun.txt");
    assert.equal(run.text("README.md"), "# Letters\n");
    assert.equal(run.git("status", "--porcelain"), "?? draft.txt\n?? notes.txt");
    if (move === "rollback") assert.deepEqual(filesOf(run, "HEAD~1"), ["letter.txt"]);
  });
}

test("work from a smaller mode is held against what the person has made since, and is committed without it", async (context) => {
  const pass = clockOf(context);
  const run = story(context);
  const twist: Twist = { ...grows, scripts: { ...grows.scripts, "execute#2/task-1/implement 1": usedUp } };
  await run.live({ ...twist, closed: ["brainstorm.section.1"] });
  const first = commitMine(run);
  assert.deepEqual((await run.live(twist)).end, { how: "suspended", why: "quota" });
  const second = commitMine(run, "later.txt");
  run.write("draft.txt", "not committed yet\n");
  pass(5);
  const told = await run.live(twist);
  assert.equal(told.end.how, "finished");
  assertMine(run, first);
  assertMine(run, second, "later.txt");
  assert.deepEqual(filesOf(run, "HEAD~1"), ["README.md", "begun.txt", "letter.txt"]);
  assert.equal(run.git("status", "--porcelain"), "?? draft.txt\n?? notes.txt");
  const seen = told.dispatches.findLast(({ name }) => name === "spec-review")?.prompt ?? "";
  assert.match(seen, /begun\.txt/);
  assert.doesNotMatch(seen, /mine\.txt|later\.txt|draft\.txt/);
});
