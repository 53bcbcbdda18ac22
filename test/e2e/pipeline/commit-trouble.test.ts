// What can go wrong with a task's commit: a hook that makes of it what no longer passes. What the report says then is true
// of the branch.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatReport } from "../../../src/engine/views/files/report.ts";
import { viewOf } from "../../../src/engine/views/fold/run-view.ts";
import { type Story, story, type Told } from "../../rig/pipeline/story.ts";

const config = { validationCommand: "! grep -q hooked letter.txt", review: { maxTaskReviewCycles: 1 } };
const spoil = "echo hooked >> letter.txt && git add letter.txt";
const mends = { "execute/task-1/fix": { run: "echo 'Dear reader, signed' > letter.txt", text: "Mended." } };

test("the report names the commit that is there, not the one a hook had spoilt, and its undo works", async (context) => {
  const run = story(context, { config });
  hook(run, `test -e .git/spoilt || { git diff --cached --quiet -- letter.txt || { touch .git/spoilt; ${spoil}; }; }`);
  const told = await run.live({ scripts: mends });
  assert.equal(told.end.how, "finished");
  const made = told.entries.flatMap((entry) => (entry.type === "settle" ? [entry.outcome] : [])).flatMap(shaOf);
  assert.equal(made.length, 4, "design and plan, the task twice, progress and summary");
  const work = run.git("log", "--format=%h", "--abbrev=7", "--grep=task 1");
  assert.match(reportOf(told), new RegExp(`All of the work: \`git revert --no-edit ${work}\``));
  execFileSync("git", ["revert", "--no-edit", work], { cwd: run.root, stdio: "ignore" });
  assert.equal(run.text("letter.txt"), null);
});

test("the report of a task that was skipped after its commit was spoilt offers nothing to revert", async (context) => {
  const run = story(context, { config });
  hook(run, `git diff --cached --quiet -- letter.txt || { ${spoil}; }`);
  const told = await run.live({ scripts: mends, answers: { "execute.task.1.escalation": ["skip"] } });
  assert.equal(told.end.how, "finished");
  assert.equal(run.git("log", "--format=%s", "--grep=task 1"), "");
  const text = reportOf(told);
  assert.match(text, /- 0 completed\n- 1 skipped/);
  assert.doesNotMatch(text.replace(/^- A commit hook changed .*/gm, ""), /git revert|letter\.txt/);
});

function hook({ root }: Story, command: string): void {
  writeFileSync(join(root, ".git/hooks/pre-commit"), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
}

function reportOf({ entries }: Told): string {
  return formatReport(viewOf(entries));
}

function shaOf(outcome: unknown): readonly string[] {
  const isCommit = typeof outcome === "object" && outcome !== null && "status" in outcome && "sha" in outcome;
  return isCommit && outcome.status === "committed" ? [String(outcome.sha)] : [];
}
