// superteam runs prune: what ended goes, with its refs; what can go on stays, and so does what runs have cost.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { goal } from "../../rig/cli/small-play.ts";
import { waitingRun } from "../../rig/cli/waiting.ts";

const waiting = waitingRun();

test("runs that ended are removed with their refs, and the one that waits goes on", async () => {
  const cli = waiting("prune");
  const first = cli.active ?? "";
  cli.git("update-ref", `refs/superteam/${first}/kept`, "HEAD");
  await cli.go("abort");
  await cli.go("run", goal, "--mode", "standard");
  const second = cli.active ?? "";
  cli.git("update-ref", `refs/superteam/${second}/kept`, "HEAD");

  const kept = await cli.go("runs", "prune");
  assert.match(kept.stdout, /^Nothing to remove\. Kept: 1 run that ended, 1 that did not\.$/m);
  const dry = await cli.go("runs", "prune", "--keep", "0", "--dry-run");
  assert.match(dry.stdout, new RegExp(`${first}  ${goal}[^]*1 run, \\d+ KB would be removed`));
  assert.match((await cli.go("doctor")).stdout, /store +2 runs, \d+ KB/);

  const pruned = await cli.go("runs", "prune", "--keep", "0");
  assert.equal(pruned.code, 0, pruned.stderr);
  assert.match(pruned.stdout, /1 run, \d+ KB removed.* Kept: 0 runs that ended, 1 that did not/);
  const table = (await cli.go("runs")).stdout;
  assert.ok(!table.includes(first) && table.includes(second), table);
  const refs = cli.git("for-each-ref", "--format=%(refname)", "refs/superteam");
  assert.ok(!refs.includes(first) && refs.includes(second), refs);
  assert.match(readFileSync(join(cli.root, ".git/superteam/history.jsonl"), "utf8"), new RegExp(first));
  assert.match((await cli.go("status")).stdout, /Question 1 of 3/);
});

test("a number that is none is refused", async () => {
  const exit = await waiting("number").go("runs", "prune", "--keep", "all");
  assert.equal(exit.code, 4);
  assert.match(exit.stderr, /--keep all is not a number of runs\. Example: --keep 10/);
});
