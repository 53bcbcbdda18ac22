// A dry run with the real pi: it stops with the forecast once the plan is approved, and goes on from there without paying
// for anything again. The next run's forecast is based on this one.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Forecast } from "../../../src/core/money/experience.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import { openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal } from "../../rig/cli/small-play.ts";

test("a dry run waits before the first task with what the rest will cost, and goes on from there", async (context) => {
  const cli = await openCli(context);
  const answers = cli.beside("answers.json", allAnswers);
  const dry = await cli.go("run", goal, "--dry-run", "--answers", answers, "--yes");
  assert.equal(dry.code, 2, dry.stderr);
  const paid = cli.server.requests.length;
  const { id, message } = lastQuestion(await cli.entries());
  assert.equal(id, "execute.start");
  assert.match(message, /^1 task, about 6 agent calls \(4 to 10\):/);
  assert.match(message, /implementer \(medium\): about 1\.5 with scripted\/scripted-model/);
  assert.match(message, /Based on 1 earlier agent call, and on guesses/);
  assert.match(message, /There is no earlier forecast to compare it with\./);
  assert.equal(cli.file("letter.txt"), undefined, "no task was started");

  const going = await cli.go("answer", "start", "--answers", answers, "--yes");
  assert.equal(going.code, 0, going.stderr);
  const steps = cli.server.requests.map(({ header }) => header?.step);
  assert.equal(
    steps.slice(paid).filter((step) => !step?.match(/^(execute|finalize)\//)).length,
    0,
    "nothing is repeated",
  );
  assert.equal(forecasts(await cli.entries()).length, 1);

  const next = await cli.go("run", goal, "--dry-run", "--answers", answers, "--yes");
  assert.equal(next.code, 2, next.stderr);
  const second = lastQuestion(await cli.entries());
  assert.match(second.message, /The one earlier forecast was off by \d+ %\./);
  const [forecast] = forecasts(await cli.entries());
  assert.ok(forecast && forecast.samples >= 4, "it is based on the run before");
  assert.ok(forecast.lowUsd <= forecast.expectedUsd && forecast.expectedUsd <= forecast.highUsd);
  const ended = await cli.go("answer", "abort");
  assert.equal(ended.code, 1, ended.stderr);
});

function lastQuestion(entries: readonly Entry[]) {
  const asked = entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "ask" ? [entry.request.question] : [],
  );
  const last = asked.at(-1);
  assert.ok(last);
  return last;
}

function forecasts(entries: readonly Entry[]): readonly Forecast[] {
  return entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "record" && entry.request.fact.type === "forecast"
      ? [entry.request.fact.forecast]
      : [],
  );
}
