// A run in which no command checks the work says so wherever somebody could think that one does: at the start, in the task's line, at
// the end and in the report; and `doctor` says how to have one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal } from "../../rig/cli/small-play.ts";

const fix = /To have one, set testCommand in \.superteam\.json \(superteam init writes that file\)\./;

test("G3: a run with nothing that checks says so at the start, in the task's line, at the end and in the report", async (context) => {
  const cli = await openCli(context);
  cli.git("rm", "-q", ".superteam.json");
  cli.git("-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-q", "-m", "Without a check");
  const doctor = await cli.go("doctor");
  assert.match(
    doctor.stdout,
    /▲ check +none: no command runs after a change\. To have one, set testCommand in \.superteam\.json/,
  );
  const answers = cli.beside("all.json", allAnswers);
  const exit = await cli.go("run", goal, "--answers", answers);
  assert.equal(exit.code, 0, exit.stderr);
  const [start = ""] = exit.stderr.split("── Brainstorm ──");
  assert.match(start, /▲ +Not checked: no test command or check is in use/);
  assert.match(start, fix);
  assert.match(exit.stderr, /Complete! 1\/1 tasks \(not checked\)\./);
  assert.match(exit.stderr, /🔸 A letter \(not checked, /);
  assert.match(exit.stderr, /## Not Checked\n +Not checked: no test command or check is in use/);
  assert.doesNotMatch(exit.stderr, /✅|✓ validation/);
});

test("G3: where a command checks the work nothing says otherwise", async (context) => {
  const cli = await openCli(context);
  const untrusted = (await cli.go("doctor")).stdout;
  assert.match(untrusted, /▲ configuration +valid; \.superteam\.json is ignored until you trust it/);
  assert.match(untrusted, /▲ check +none yet\. Once you trust \.superteam\.json: test -f README\.md/);
  const own = { execution: { warmSpares: false }, validationCommand: "test -d .git" };
  cli.beside("config/superteam/config.json", own);
  assert.match((await cli.go("doctor")).stdout, /✓ check +after each change: test -d \.git/);
  const answers = cli.beside("all.json", allAnswers);
  const exit = await cli.go("run", goal, "--answers", answers);
  assert.equal(exit.code, 0, exit.stderr);
  assert.doesNotMatch(exit.stderr, /not checked/i);
  assert.match(exit.stderr, /✅ A letter/);
  assert.equal(cli.git("for-each-ref", "refs/superteam"), "", "F12: a run that finished leaves no refs of its own");
  assert.match(exit.stderr, /✓ validation: test -f README\.md/);
});
