// A provider's quota is used up for longer than anybody sits through. The run is suspended with a timer that is in the
// journal: it holds across processes, sleeps only what is left, and no clock makes it longer.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import type { DispatchOutcome } from "../../../src/core/flow/dispatch.ts";
import { type Flow, wait } from "../../../src/core/flow/flow.ts";
import { Halt } from "../../../src/engine/drive/halt.ts";
import { run } from "../../../src/engine/drive/run.ts";
import type { World } from "../../../src/engine/drive/world.ts";
import { systemClock } from "../../../src/index.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import { quickPiFile } from "../../rig/agents/backends.ts";
import { type Cli, exitOf, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";
import { plannedStories, story } from "../../rig/pipeline/story.ts";
import { newJournal, rig } from "../../rig/world.ts";

const planned = plannedStories();

const hour = 3_600_000;

describe("a quota that is used up, with the real pi", { concurrency: 2, timeout: 300_000 }, () => {
  test("suspends the run, starts nothing until it is back, and lets another model go on at once", async (context) => {
    const { cli, quota } = await limited(context);
    const answers = cli.beside("answers.json", allAnswers);
    const first = await cli.go("run", goal, "--answers", answers);
    assert.equal(first.code, 2, first.stderr);
    assert.equal(cli.server.requests.length, 1, "it is not asked again and again");
    assert.match(first.stderr, /scout: the quota of scripted\/scripted-model is used up and resets in 1h 00m/);
    const begun = waitsIn(await cli.entries()).at(-1);
    assert.deepEqual({ ...begun, until: 0 }, { do: "wait", name: "quota", ms: hour, until: 0, away: true });
    assert.match((await cli.go("status")).stdout, /quota is used up.*\d\d:\d\d UTC \((59m|1h)/);

    // Nothing fails from here on that is pi's to tell.
    const quick = { SUPERTEAM_PI: quickPiFile };
    const second = await exitOf(cli.start(["resume", "--answers", answers], quick));
    assert.equal(second.code, 2, second.stderr);
    assert.equal(cli.server.requests.length, 1, "without a dispatch");

    quota.isUsedUp = false;
    const withModel = ["resume", "--answers", answers, "--model", "scripted/scripted-model"];
    const third = await exitOf(cli.start(withModel, quick));
    assert.equal(third.code, 0, third.stderr);
    assert.ok(cli.server.requests.length > 5);
    assert.match(cli.git("log", "--format=%s"), /A letter/);
  });

  test("is told by no more than one dispatch when it is a matter of money or of the login", async (context) => {
    for (const fault of [{ kind: "billing", status: 429 }, { kind: "auth" }] as const) {
      const cli = await openCli(context, { pi: "real", play: smallPlay(() => ({ fault })) });
      const { code, stderr } = await cli.go("run", goal, "--answers", cli.beside("answers.json", allAnswers), "--yes");
      assert.equal(code, 2, stderr);
      assert.equal(cli.server.requests.length, 1);
      const asked = (await cli.entries()).findLast((entry) => entry.type === "begin" && entry.request.do === "ask");
      assert.ok(asked?.type === "begin" && asked.request.do === "ask");
      assert.equal(asked.request.question.id, "brainstorm.scout.failed");
    }
  });
});

/** pi tells of a `retry-after` header only when it may wait for it itself. */
async function limited(context: TestContext): Promise<{ readonly cli: Cli; readonly quota: { isUsedUp: boolean } }> {
  const quota = { isUsedUp: true };
  const fault = { kind: "rate-limited", retryAfterSeconds: hour / 1000 } as const;
  const cli = await openCli(context, { pi: "real", play: smallPlay(() => (quota.isUsedUp ? { fault } : {})) });
  const path = join(cli.folder, "pi/settings.json");
  const settings = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...settings, retry: { enabled: false, provider: { maxRetries: 1 } } }));
  return { cli, quota };
}

const usedUp: Script = {
  text: "",
  fail: { kind: "rate-limited", detail: "429 resets later", retryAfterMs: 5 * hour },
};
const scripts = { "execute/task-1/spec-review 1": usedUp };

/** Two reviewers of the plan: the first one's wait suspends the run before the second one's has begun. */
const sideBySide = {
  "plan-review/architect/architect-review 1": usedUp,
  "plan-review/spec-reviewer/plan-spec-review 1": { ...usedUp, run: "sleep 1" },
};

/** The world so much later, or earlier. */
const after = (ms: number, patience: World["patience"]) => (world: World) => ({
  ...world,
  clock: { ...systemClock, now: () => Date.now() + ms },
  patience,
});

describe("the timer of a used up quota", { concurrency: 2 }, () => {
  test("holds until its time has come, whoever looks, and the run then goes on by itself", async (context) => {
    const tale = planned(context);
    const first = await tale.live({ scripts, around: after(0, "suspend") });
    assert.deepEqual(first.end, { how: "suspended", why: "quota" });
    const paid = first.dispatches.length;
    for (const later of [0, 4.9 * hour]) {
      const early = await tale.live({ scripts, around: after(later, "suspend") });
      assert.deepEqual(early.end, { how: "suspended", why: "quota" });
      assert.equal(early.dispatches.length, paid);
    }
    const late = await tale.live({ scripts, around: after(5 * hour, "suspend") });
    assert.equal(late.end.how, "finished");
    assert.equal(
      late.dispatches.filter(({ role }) => role === "spec-reviewer").length,
      3,
      "two of the plan's, its own",
    );
  });

  test("is slept through by who wants to wait, for no more than is left of it", async (context) => {
    const tale = planned(context);
    await tale.live({ scripts, around: after(0, "suspend") });
    const slept = await tale.live({ scripts, around: after(5 * hour - 5_000, "sleep") });
    assert.equal(slept.end.how, "finished");
  });

  test("is not longer after the clock was set back", { timeout: 240_000 }, async () => {
    function* flow(): Flow<void> {
      yield* wait({ name: "quota", ms: 500, away: true });
    }
    const journal = await newJournal();
    const { world } = rig(journal);
    const live = (patience: World["patience"]) =>
      run(after(-hour, patience)(world), { start: flow, flows: {} }, new Halt());
    assert.deepEqual(await live("suspend"), { how: "suspended", why: "quota" });
    assert.equal((await live("sleep")).how, "finished");
  });

  test("is forgotten by who brings another model, but a new one is heeded", async (context) => {
    const tale = planned(context);
    const again = { ...scripts, "execute/task-1/spec-review 2": usedUp };
    const first = await tale.live({ scripts: again, around: after(0, "forget") });
    assert.deepEqual(first.end, { how: "suspended", why: "quota" });
    const second = await tale.live({ scripts: again, around: after(1, "forget") });
    assert.deepEqual(second.end, { how: "suspended", why: "quota" }, "the second one is not from an earlier life");
    assert.equal(second.dispatches.length, first.dispatches.length + 1);
    const third = await tale.live({ scripts: again, around: after(2, "forget") });
    assert.equal(third.end.how, "finished");
  });

  test("is one for all who were told of it, also for one who was still at work when it suspended the run", async (context) => {
    const tale = story(context);
    const first = await tale.live({ scripts: sideBySide, around: after(0, "suspend") });
    assert.deepEqual(first.end, { how: "suspended", why: "quota" });
    assert.equal(waitsIn(first.entries).length, 1);
    const late = await tale.live({ scripts: sideBySide, around: after(5 * hour, "suspend") });
    assert.equal(late.end.how, "finished");
    const told = late.entries.flatMap((entry) => (entry.type === "settle" ? (retryAt(entry.outcome) ?? []) : []));
    assert.equal(told.length, 2);
    assert.deepEqual([...new Set(waitsIn(late.entries).map(({ until }) => until))], told);
  });

  test("is forgotten for all who were told of it when another model comes", async (context) => {
    const tale = story(context);
    await tale.live({ scripts: sideBySide, around: after(0, "suspend") });
    const second = await tale.live({ scripts: sideBySide, around: after(0, "forget") });
    assert.equal(second.end.how, "finished");
  });
});

describe("a provider that is too busy", () => {
  test("is left alone for as long as it says, a few times; then the fallback works, and is on record", async (context) => {
    const tale = planned(context);
    tale.configure({ agents: { "spec-reviewer": { fallback: ["p/other"] } } });
    const busy: Script = { text: "", fail: { kind: "overloaded", detail: "529", retryAfterMs: 20 } };
    const step = "execute/task-1/spec-review";
    const tries = Object.fromEntries([1, 2, 3, 4].map((nth) => [`${step} ${nth}`, busy]));
    const { end, entries, warnings } = await tale.live({ scripts: tries });
    assert.equal(end.how, "finished");
    const models = entries.flatMap((entry) =>
      entry.type === "settle" && /task-1\/.*dispatch:spec-review#/.test(entry.key)
        ? [(entry.outcome as DispatchOutcome).model]
        : [],
    );
    assert.equal(models.length, 5);
    assert.equal(models.at(-1), "p/other");
    assert.equal(warnings.filter((text) => /busy \(overloaded\)\. Trying again in/.test(text)).length, 3);
    assert.match(warnings.at(-1) ?? "", /gave no answer \(overloaded\)\. Trying p\/other\./);
  });
});

function retryAt(outcome: unknown): number | undefined {
  return typeof outcome === "object" && outcome !== null && "retryAt" in outcome ? Number(outcome.retryAt) : undefined;
}

/** The waits that nobody sits through, as they are in the journal. */
function waitsIn(entries: readonly Entry[]) {
  return entries
    .flatMap((entry) => (entry.type === "begin" && entry.request.do === "wait" ? [entry.request] : []))
    .filter(({ away }) => away === true);
}
