// U6: the person's own command is run when a question waits for nobody in particular, and when a run has ended.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal } from "../../rig/cli/small-play.ts";

test("the notify command is told of a question that waits, and of the end", async (context) => {
  const cli = await openCli(context);
  const folder = join(cli.folder, "config/superteam");
  mkdirSync(folder, { recursive: true });
  const notify = `printf '%s\\n' "$SUPERTEAM_MESSAGE" >> ../notified.txt`;
  writeFileSync(join(folder, "config.json"), JSON.stringify({ notify }));
  const waiting = await cli.go("run", goal, "--mode", "standard");
  assert.equal(waiting.code, 2, waiting.stderr);
  assert.equal(cli.file("../notified.txt"), "A question waits: Question 1 of 3\n");
  const answers = cli.beside("answers.json", allAnswers);
  const ended = await cli.go("resume", "--answers", answers, "--yes");
  assert.equal(ended.code, 0, ended.stderr);
  assert.equal(cli.file("../notified.txt"), `A question waits: Question 1 of 3\nFinished: ${goal}\n`);
  assert.match(ended.stderr, /✓ .*\n[\s\S]*Look: superteam report/);
});
