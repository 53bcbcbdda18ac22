// Somebody switches branches or resets one while an agent works in the same tree: what was committed before is not undone by a task's commit.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
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
