// A person whose provider has no time for them: what they are told, and what `--wait` does.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { exitOf, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";

test("a quota that is used up suspends the run with its time, and --wait sits through it with signs of life", {
  timeout: 240_000,
}, async (context) => {
  const fault = { kind: "rate-limited", retryAfterSeconds: 3600 } as const;
  const cli = await openCli(context, { pi: "real", play: smallPlay(() => ({ fault })) });
  const settings = join(cli.folder, "pi/settings.json");
  // pi tells of a `retry-after` header only when it may wait for it itself.
  const retry = { enabled: false, provider: { maxRetries: 1 } };
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), retry }));
  const answers = cli.beside("answers.json", allAnswers);

  const first = await cli.go("run", goal, "--answers", answers);
  assert.equal(first.code, 2, first.stderr);
  const told = /quota is used up: waiting for the provider until (\d\d:\d\d) UTC \((?:59m|1h) /;
  const until = told.exec(first.stderr)?.[1];
  assert.ok(until !== undefined, first.stderr);
  assert.match(first.stderr, /superteam resume --wait sleeps until then/);
  const early = await cli.go("resume", "--answers", answers);
  assert.equal(early.code, 2, early.stderr);
  assert.equal(told.exec(early.stderr)?.[1], until, "the time is the provider's, not counted anew");
  const status = JSON.parse((await cli.go("status", "--json")).stdout);
  assert.equal(new Date(status.waitsUntil).toISOString().slice(11, 16), until);

  const waiting = cli.start(["resume", "--wait", "--answers", answers]);
  const ended = exitOf(waiting);
  const signs: string[] = [];
  await new Promise<void>((resolve) => {
    waiting.stderr?.on("data", (chunk: Buffer) => {
      signs.push(...(String(chunk).match(/waiting for the provider until \d\d:\d\d UTC \(\d+m \d\ds\)/g) ?? []));
      if (new Set(signs).size >= 3) resolve();
    });
  });
  assert.match((await cli.go("status")).stdout, /Quota: waiting for the provider until/);
  waiting.kill("SIGINT");
  assert.equal((await ended).code, 130);
  assert.equal(cli.server.requests.length, 1, "nobody was asked meanwhile");
});
