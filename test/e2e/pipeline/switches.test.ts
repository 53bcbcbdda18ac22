// Somebody switches branches or resets one while an agent works in the same tree, or before its work is continued: what was committed
// before is neither undone by a task's commit nor asked about.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import { noUsage } from "../../../src/core/flow/dispatch.ts";
import type { World } from "../../../src/engine/drive/world.ts";
import type { InboxMessage } from "../../../src/ports/runs.ts";
import { assertMine, commitMine, filesOf, subjects } from "../../rig/pipeline/meanwhile.ts";
import { type Story, story } from "../../rig/pipeline/story.ts";

const hotfix = { "triage.mode": ["hotfix"] };
const letter = "echo 'Dear reader, signed' > letter.txt";

/** `main` has two commits more than `old`. */
function withOld(context: TestContext): { readonly run: Story; readonly mine: string } {
  const run = story(context, { files: { "code.ts": "1\n" } });
  run.git("branch", "old");
  run.write("code.ts", "2\n");
  run.git("commit", "-qam", "Code");
  return { run, mine: commitMine(run) };
}

for (const [what, deed] of [
  ["switches to an older branch", `git switch -q old; ${letter}`],
  [
    "checks an older commit out and commits there",
    `git checkout -q HEAD~2; ${letter}; git add letter.txt; git commit -qm wip`,
  ],
  ["resets the branch to an older commit", `${letter}; git reset -q --hard HEAD~2`],
] as const) {
  test(`E3b: a task whose agent ${what} undoes no commit that was there before`, async (context) => {
    const { run, mine } = withOld(context);
    const told = await run.live({
      answers: hotfix,
      scripts: { "execute/task-1/implement": { run: deed, text: "Done." } },
    });
    assert.equal(told.end.how, "finished", JSON.stringify(told.waits));
    assertMine(run, mine);
    assert.deepEqual([filesOf(run, "HEAD"), run.text("code.ts")], [["letter.txt"], "2\n"]);
    assert.match(told.warnings.join("\n"), /Files that only this changed were restored: code\.ts, mine\.txt\./);
    assert.deepEqual(subjects(run), ["workflow: task 1 — Write a letter", "My own", "Code", "Begin"]);
    assert.equal(run.git("status", "--porcelain"), "?? notes.txt");
  });
}

/** Stops the run, and the agent with it, when the agent has done its commands. */
function stopping(world: World): World {
  let stop = (): void => undefined;
  return {
    ...world,
    inbox: {
      ...world.inbox,
      listen: (hear) => {
        const message: InboxMessage = { id: "stop", kind: "stop" };
        stop = () => hear(message);
        return world.inbox.listen(hear);
      },
    },
    watch: (sight) => {
      world.watch(sight);
      const isDone = sight.type === "entry" && sight.entry.type === "note" && sight.entry.note.type === "usage";
      if (isDone && sight.entry.key.includes("implement")) stop();
    },
  };
}

test("E3b: whoever keeps a stopped agent's tree on another branch is asked about its work alone, and can go back", async (context) => {
  const { run } = withOld(context);
  const halfway: Script = { run: "echo half > half.txt", turns: [noUsage], text: "", hang: true };
  const scripts = { "execute/task-1/implement": halfway };
  const first = await run.live({ answers: hotfix, scripts, around: stopping });
  assert.deepEqual(first.end, { how: "suspended", why: "stopped" });
  run.git("switch", "-q", "old");
  const asked = await run.live();
  assert.equal(asked.waits?.id, "run.restore");
  assert.match(asked.waits.message, /Changed since then, by the agent or by you: half\.txt\.$/m);
  assert.match(
    asked.waits.message,
    /^HEAD is on old now\. If you want to keep the tree, go back first: git switch main$/m,
  );
  const mixed = await run.live({ answers: { "run.restore": ["keep"] } });
  assert.equal(mixed.waits?.id, "execute.task.1.mixed");
  assert.match(mixed.waits.message, /:\n {2}half\.txt\nWhose/);
  const refused = await run.live({ answers: { "execute.task.1.mixed": ["task"] } });
  assert.equal(refused.waits?.id, "execute.task.1.commit");
  assert.match(refused.waits.message, /Go back \(git switch main\), then try again\./);
  run.git("switch", "-q", "main");
  const told = await run.live({ answers: { "execute.task.1.commit": ["retry"] } });
  assert.equal(told.end.how, "finished", JSON.stringify(told.waits));
  assert.deepEqual(filesOf(run, "HEAD"), ["half.txt", "letter.txt"]);
  assert.deepEqual([run.text("code.ts"), run.text("mine.txt")], ["2\n", "my own\n"]);
});
