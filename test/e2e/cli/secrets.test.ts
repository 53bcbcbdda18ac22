// A key that an agent has read and says again reaches nobody: not the screen, events, views, the journal or the next prompt.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openCli } from "../../rig/cli/cli.ts";
import { goal, smallPlay } from "../../rig/cli/small-play.ts";
import { scouted } from "../../rig/triage.ts";

const key = `github_pat_${"aB3dE6gH9j".repeat(6)}`;

test("a key in an agent's answer is hidden everywhere but in its raw stream, which is its owner's", async (context) => {
  const play = smallPlay((step) => (step === "brainstorm/scout" ? { text: scouted(`The deploy key is ${key}.`) } : {}));
  const cli = await openCli(context, { play });
  const run = await cli.go("run", goal, "--mode", "standard", "--json");
  assert.equal(run.code, 2, run.stderr);
  const seen = [run, await cli.go("status"), await cli.go("log"), await cli.go("log", "--json")];
  const journal = JSON.stringify(await cli.entries());
  const snapshot = cli.file(".superteam-workflow.json") ?? "";
  const prompts = JSON.stringify(cli.server.requests.slice(1));
  const texts = [...seen.map(({ stdout, stderr }) => stdout + stderr), journal, snapshot, prompts];
  for (const text of texts) assert.ok(!text.includes(key), text);
  assert.match(journal, /The deploy key is \[redacted\]/);
  assert.match(prompts, /The deploy key is \[redacted\]/);
  const streams = readdirSync(cli.run, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("stream.jsonl"))
    .map((name) => join(cli.run, name));
  assert.ok(streams.some((stream) => readFileSync(stream, "utf8").includes(key)));
  for (const stream of streams) assert.equal((statSync(stream).mode & 0o777).toString(8), "600");
});

test("a key in the person's own words is not repeated on a screen or in an event", async (context) => {
  const cli = await openCli(context);
  const run = await cli.go("run", `${goal} with ${key}`, "--mode", "standard", "--json");
  assert.equal(run.code, 2, run.stderr);
  for (const { stdout, stderr } of [run, await cli.go("status"), await cli.go("log", "--json")])
    assert.ok(!(stdout + stderr).includes(key), stdout + stderr);
  assert.match(run.stdout, /Write a letter with \[redacted\]/);
  assert.match(run.stderr, /Write a letter with \[redacted\]/);
  assert.ok(!(cli.file(cli.git("ls-files", "-o", "docs/plans").split("\n")[0] ?? "") ?? key).includes(key));
  assert.ok(JSON.stringify(await cli.entries()).includes(key));
});
