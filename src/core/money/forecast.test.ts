import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { times as cases } from "../../../test/rig/property.ts";
import { type Difficulty, difficulties } from "../flow/dispatch.ts";
import { Config, modes } from "../run/config.ts";
import { settingsIn } from "../run/mode-settings.ts";
import type { Experience, Forecast, PastRun, Sample } from "./experience.ts";
import { forecast, type Prospect } from "./forecast.ts";
import { forecastLines, shortForecast } from "./forecast-text.ts";

const minute = 60_000;
const unknown: Experience = { own: [], past: [], spentUsd: 0, models: {} };
const tasksOf = (...complexities: readonly Difficulty[]) => complexities.map((complexity) => ({ complexity }));
const prospect = (changed: Partial<Prospect> = {}): Prospect => ({
  tasks: tasksOf("easy", "hard"),
  settings: settingsIn("standard", Config.parse({})),
  review: "iterative",
  ...changed,
});
const sample = (changed: Partial<Sample>): Sample => ({
  role: "implementer",
  difficulty: "easy",
  model: "p/a",
  costsUsd: [1, 1, 1],
  ms: [minute, minute, minute],
  ...changed,
});
const pastRun = (changed: Partial<PastRun>): PastRun => ({
  v: 1,
  runId: "r",
  goal: "g",
  how: "finished",
  mode: "standard",
  startedAt: 0,
  endedAt: 1,
  activeMs: 1,
  costUsd: 1,
  estimated: false,
  dispatches: 1,
  tasks: 4,
  rounds: 0,
  ceremonyRatio: null,
  samples: [],
  forecast: null,
  ...changed,
});
const madeForecast = (expectedUsd: number, spentUsd: number): Forecast => ({
  dispatches: 1,
  lowUsd: 0,
  expectedUsd,
  highUsd: 9,
  lowMs: 0,
  highMs: 1,
  samples: 0,
  spentUsd,
});

/** How often each kind is expected: `role/difficulty` with low, expected and high. */
const times = (outlook: ReturnType<typeof forecast>) =>
  Object.fromEntries(
    outlook.items.map(({ role, difficulty, times: { low, expected, high } }) => [
      difficulty === null ? role : `${role}/${difficulty}`,
      [low, expected, high],
    ]),
  );

test("each task counts with its reviews and the rounds of earlier runs, and what follows the last task too", () => {
  const past = [pastRun({ tasks: 4, rounds: 1 }), pastRun({ tasks: 4, rounds: 3 })];
  assert.deepEqual(times(forecast(prospect(), { ...unknown, past })), {
    "implementer/easy": [1, 1.5, 2],
    "implementer/hard": [1, 1.5, 2],
    "spec-reviewer": [2, 3, 4],
    "quality-reviewer": [2, 3, 4],
    "final-reviewer": [1, 1, 2],
    implementer: [0, 0, 2],
  });
});

test("a mode without reviews of the whole has none, and reviews in a single pass are followed by no fix", () => {
  const settings = settingsIn("hotfix", Config.parse({}));
  const hotfix = forecast(prospect({ settings, tasks: tasksOf("easy"), review: "single-pass" }), unknown);
  assert.deepEqual(times(hotfix), { "implementer/easy": [1, 1, 1], "spec-reviewer": [1, 1, 1] });
  assert.equal(hotfix.forecast.dispatches, 2);
});

test("the whole is reviewed where there are several tasks, and never without one", () => {
  const finals = (mode: (typeof modes)[number], count: number) => {
    const settings = settingsIn(mode, Config.parse({}));
    const tasks = tasksOf(...Array.from({ length: count }, () => "easy" as const));
    const roles = forecast(prospect({ tasks, settings }), unknown).items.map(({ role }) => role);
    return roles.filter((role) => role === "final-reviewer").length;
  };
  assert.deepEqual(
    [0, 1, 2].map((count) => finals("full", count)),
    [0, 1, 1],
  );
  assert.deepEqual(
    [0, 1, 2].map((count) => finals("quick", count)),
    [0, 0, 1],
  );
  assert.deepEqual(forecast(prospect({ tasks: [] }), unknown).items, [], "nothing is done, and nothing is documented");
});

test("rounds of earlier runs are counted per task, in whatever order the runs came, and runs without tasks are not", () => {
  const rounds = (...past: readonly (readonly [rounds: number, tasks: number])[]) =>
    times(
      forecast(prospect({ tasks: tasksOf("easy") }), {
        ...unknown,
        past: past.map(([rounds, tasks]) => pastRun({ rounds, tasks })),
      }),
    )["implementer/easy"];
  assert.deepEqual(rounds([8, 4], [0, 4], [0, 4], [0, 4], [0, 4]), [1, 1.4, 3]);
  assert.deepEqual(rounds([0, 4], [0, 4], [0, 4], [0, 4], [8, 4]), [1, 1.4, 3]);
  assert.deepEqual(rounds([8, 4], [9, 0], [Number.NaN, 4]), [1, 3, 3]);
});

test("rounds are never more than the mode allows", () => {
  const settings = settingsIn("quick", Config.parse({}));
  const past = [pastRun({ tasks: 1, rounds: 50 })];
  const { "implementer/easy": writers } = times(
    forecast(prospect({ settings, tasks: tasksOf("easy") }), { ...unknown, past }),
  );
  assert.deepEqual(writers, [1, 3, 3]);
});

/** What one implementer of an easy task is expected to cost. */
const easyPrice = (experience: Partial<Experience>) => {
  const known = { ...unknown, models: { "implementer/easy": "p/a" }, ...experience };
  const { items } = forecast(prospect({ tasks: tasksOf("easy") }), known);
  return items.find(({ difficulty }) => difficulty === "easy")?.price;
};
const inPast = (...samples: readonly Sample[]) => [pastRun({ samples: [...samples] })];

test("what this run's own dispatches cost counts first, then the same kind, then the model, then the role", () => {
  const own = sample({ costsUsd: [5, 5, 5] });
  const sameKind = sample({ costsUsd: [4, 4, 4] });
  const sameModel = sample({ difficulty: "hard", costsUsd: [3, 3, 3] });
  const sameRole = sample({ model: "p/b", costsUsd: [2, 2, 2] });
  const other = sample({ role: "scout", costsUsd: [9, 9, 9] });
  assert.equal(easyPrice({ own: [own], past: inPast(sameKind, sameModel, sameRole) })?.usd?.expected, 5);
  assert.equal(easyPrice({ past: inPast(sameModel, sameKind, sameRole, other) })?.usd?.expected, 4);
  assert.equal(easyPrice({ past: inPast(sameRole, sameModel, other) })?.usd?.expected, 3);
  assert.equal(easyPrice({ past: inPast(sameRole, other) })?.usd?.expected, 2);
  assert.deepEqual(easyPrice({ past: inPast(other) })?.samples, [], "and else it is a guess");
});

test("too few dispatches of a kind are helped out by those a little further off", () => {
  const own = sample({ costsUsd: [4], ms: [minute] });
  const price = easyPrice({ own: [own], past: inPast(sample({ costsUsd: [1, 1], ms: [minute, minute] })) });
  assert.equal(price?.usd?.expected, 2);
  assert.equal(price?.samples.length, 2);
});

test("the range is from the 20th to the 80th percentile around the mean, in money and in time", () => {
  const ten = Array.from({ length: 10 }, (_, index) => index + 1);
  const price = easyPrice({ past: inPast(sample({ costsUsd: ten, ms: ten.map((each) => each * minute) })) });
  assert.deepEqual(price?.usd, { low: 3, expected: 5.5, high: 9 });
  assert.deepEqual(price?.ms, { low: 3 * minute, expected: 5.5 * minute, high: 9 * minute });
});

test("a dispatch that failed before it cost anything makes none of the others cheaper", () => {
  const price = easyPrice({ past: inPast(sample({ costsUsd: [0, 2, 2, 2, 0], ms: [1, 2, 2, 2, 1] })) });
  assert.equal(price?.usd?.expected, 2);
  assert.equal(price?.ms.expected, 2);
});

test("a model that never cost anything has no price: dispatches are told instead, and none is guessed", () => {
  const free = sample({ model: "local/free", costsUsd: [0, 0, 0] });
  const models = { "implementer/easy": "local/free", "implementer/hard": "p/a" };
  const outlook = forecast(prospect(), { ...unknown, own: [free], past: inPast(sample({})), models });
  assert.equal(outlook.items.find(({ difficulty }) => difficulty === "easy")?.price.usd, undefined);
  assert.equal(outlook.forecast.unpriced, 1);
  const text = forecastLines(outlook, 2, Config.parse({}).costs).join("\n");
  assert.match(text, /implementer \(easy\): about 1 with local\/free, cost unknown/);
  assert.match(
    text,
    /Beyond that, 1 agent call by models that report no price; their limit is 5,000,000 tokens and 200 agent calls\./,
  );
});

test("when no model tells a price the cost is unknown, not nothing", () => {
  const own = [sample({ role: "scout", difficulty: null, model: "local/free", costsUsd: [0] })];
  const outlook = forecast(prospect(), { ...unknown, own });
  assert.equal(outlook.forecast.unpriced, outlook.forecast.dispatches);
  assert.match(
    forecastLines(outlook, 2, Config.parse({}).costs).join("\n"),
    /^Cost: unknown\. 10 agent calls by models that report no price/m,
  );
});

test("it says what it is based on, and how far off earlier forecasts were", () => {
  const lines = (experience: Partial<Experience>) =>
    forecastLines(forecast(prospect(), { ...unknown, ...experience }), 2, Config.parse({}).costs).join("\n");
  assert.match(
    lines({}),
    /This is a guess: there are no earlier agent calls to base it on\.\nThere is no earlier forecast/,
  );
  const past = [
    pastRun({ costUsd: 5, forecast: madeForecast(2, 1), samples: [sample({})] }),
    pastRun({ costUsd: 2, forecast: madeForecast(1, 1) }),
    pastRun({ costUsd: 2.5, forecast: madeForecast(1, 1) }),
    pastRun({ costUsd: 99, forecast: madeForecast(1, 1), how: "aborted" }),
    pastRun({ costUsd: 5, forecast: madeForecast(0, 1) }),
    pastRun({ costUsd: 5 }),
  ];
  assert.match(
    lines({ past }),
    /Based on 3 earlier agent calls, and on guesses for roles without one\.\nEarlier forecasts were off by 50 % \(the median of 3\)\./,
  );
  assert.match(lines({ past: past.slice(0, 1) }), /The one earlier forecast was off by 100 %\./);
});

test("it names the models, the range, what is spent and the limit", () => {
  const models = { "implementer/easy": "p/a", "implementer/hard": "p/strong" };
  const outlook = forecast(prospect({ review: "single-pass" }), { ...unknown, spentUsd: 0.5, models });
  const text = forecastLines(outlook, 2, Config.parse({}).costs).join("\n");
  assert.match(
    text,
    /^2 tasks, about 7 agent calls \(7 to 8\):\n {2}implementer \(easy\): about 1 with p\/a, \$0\.10 to \$0\.40 each, a guess/,
  );
  assert.match(text, /implementer \(hard\): about 1 with p\/strong/);
  assert.match(text, /implementer: up to 1 with the default model/);
  assert.match(text, /^Cost: about \$1\.95 \(\$0\.97 to \$4\.70\)\. Spent so far: \$0\.50 of \$20\.00\.$/m);
  assert.match(text, /^Time: 12m 30s to 1h 02m, one after another\.$/m);
});

test("the approval of a plan shows cost, time, what both are based on, and what is left", () => {
  const short = (experience: Partial<Experience>, changed: Partial<Prospect> = {}, hasPast = true) =>
    shortForecast(forecast(prospect(changed), { ...unknown, ...experience }), { hasPast });
  const single: Partial<Prospect> = { review: "single-pass" };
  assert.deepEqual(short({ spentUsd: 0.5 }, single), [
    "Estimate: $1.95 ($0.97–$4.70), 13–62 min. Mostly a guess.",
    "Budget: $19.50 of $20.00 left.",
  ]);
  assert.match(short({}, single, false)[0] ?? "", /First run here: mostly a guess\.$/);
  const [, overspent] = short({ spentUsd: 25 }, single);
  assert.equal(overspent, "Budget: $0.00 of $20.00 left. The estimate does not fit.");
  const roles = ["implementer", "spec-reviewer", "quality-reviewer", "final-reviewer"];
  const quick = roles.map((role) => sample({ role, costsUsd: [1, 1, 1], ms: [1, 1, 1] }));
  const past = inPast(...quick).map((run) => ({ ...run, costUsd: 3, forecast: madeForecast(1, 1) }));
  assert.match(
    short({ past })[0] ?? "",
    /, under a minute\. Based on 12 earlier agent calls\. Earlier .* off by 100 %\.$/,
  );
  assert.match(short({ own: quick })[0] ?? "", /Based on 12 earlier agent calls\.$/);
  const slow = roles.map((role) => sample({ role, ms: [minute, minute, minute] }));
  const one = { tasks: tasksOf("easy"), settings: settingsIn("hotfix", Config.parse({})) };
  assert.match(short({ own: slow }, one)[0] ?? "", /, (\d+ min|\d+–\d+ min)\. /);
});

test("the approval of a plan says which agents tell no price", () => {
  const free = sample({ model: "local/free", costsUsd: [0, 0, 0] });
  const models = { "implementer/easy": "local/free", "implementer/hard": "p/a" };
  const some = forecast(prospect(), { ...unknown, own: [free], past: inPast(sample({})), models });
  assert.match(
    shortForecast(some, { hasPast: true })[0] ?? "",
    /^Estimate: \$.* 1 agent call by models that report no price\. /,
  );
  const none = forecast(prospect(), {
    ...unknown,
    own: [sample({ role: "scout", model: "local/free", costsUsd: [0] })],
  });
  assert.match(shortForecast(none, { hasPast: true })[0] ?? "", /^Estimate: unknown, /);
});

test("a model is the same with or without its provider and its level of thinking", () => {
  const expected = (ran: string, asked: string) =>
    easyPrice({
      past: inPast(sample({ model: ran, costsUsd: [3, 3, 3] }), sample({ model: "p/z" })),
      models: { "implementer/easy": asked },
    })?.usd?.expected;
  const same = [
    ["p/a", "a"],
    ["p/a", "p/a:high"],
    ["p/a", "p/a"],
  ] as const;
  assert.deepEqual(
    same.map(([ran, asked]) => expected(ran, asked)),
    [3, 3, 3],
  );
  assert.equal(expected("p/aa", "a"), 2, "another model helps out only as the role does");
});

test("what is expected fits as long as the limit, or what the person raised it to, leaves room for it", () => {
  const fits = (known: Partial<Experience>, costs: object = {}) => {
    const settings = settingsIn("standard", Config.parse({ costs }));
    return forecast(prospect({ settings }), { ...unknown, ...known }).fits;
  };
  assert.equal(fits({}), true);
  assert.equal(fits({ spentUsd: 19 }), false);
  assert.equal(fits({ spentUsd: 21 }), false);
  assert.equal(fits({ spentUsd: 19, raisedUsd: 50 }), true);
  assert.equal(fits({}, { hardLimitUsd: 0.5 }), false);
  const { expectedUsd } = forecast(prospect(), unknown).forecast;
  assert.equal(fits({}, { hardLimitUsd: expectedUsd }), true, "to the cent");
  const free = [sample({ role: "scout", difficulty: null, model: "local/free", costsUsd: [0] })];
  assert.equal(fits({ own: free }, { unpricedDispatches: 5 }), false, "nor do dispatches without a price");
});

const amounts = fc.oneof(fc.double({ min: 0, noNaN: true }), fc.constant(0), fc.constant(1e308), fc.double());
const samples = fc.array(
  fc.record({
    role: fc.constantFrom("implementer", "spec-reviewer", "final-reviewer", "scout", "nobody"),
    difficulty: fc.constantFrom(null, ...difficulties),
    model: fc.constantFrom(null, "p/a", "p/b", ""),
    costsUsd: fc.array(amounts, { maxLength: 5 }),
    ms: fc.array(amounts, { maxLength: 5 }),
  }),
  { maxLength: 12 },
);
const anyPast = fc.record({
  costUsd: amounts,
  rounds: fc.nat(),
  tasks: fc.nat(),
  samples,
  forecast: fc.option(fc.tuple(amounts, amounts).map(([expected, spent]) => madeForecast(expected, spent))),
});
const anything = fc.record({
  own: samples,
  past: fc.array(anyPast.map(pastRun), { maxLength: 5 }),
  spentUsd: fc.double({ min: 0, max: 1e6, noNaN: true }),
  models: fc.dictionary(
    fc.constantFrom("implementer", "implementer/easy", "spec-reviewer"),
    fc.constantFrom("p/a", null),
  ),
});
const anyTasks = fc.array(fc.record({ complexity: fc.constantFrom(...difficulties) }), { maxLength: 40 });

test("whatever the past was like, a forecast is a range of finite amounts, and another task never makes it less", () => {
  fc.assert(
    fc.property(
      anything,
      anyTasks,
      fc.constantFrom(...modes),
      fc.constantFrom("iterative" as const, "single-pass" as const),
      (experience, tasks, mode, review) => {
        const settings = settingsIn(mode, Config.parse({}));
        const of = (planned: Prospect["tasks"]) => forecast({ tasks: planned, settings, review }, experience);
        const outlook = of(tasks);
        const { lowUsd, expectedUsd, highUsd, lowMs, highMs, ...rest } = outlook.forecast;
        assert.ok(0 <= lowUsd && lowUsd <= expectedUsd && expectedUsd <= highUsd && Number.isFinite(highUsd));
        assert.ok(0 <= lowMs && lowMs <= highMs && Number.isFinite(highMs));
        assert.ok(Object.values(rest).every(Number.isFinite));
        assert.doesNotMatch(forecastLines(outlook, tasks.length, settings.costs).join("\n"), /NaN|Infinity|undefined/);
        const more = of([...tasks, { complexity: "easy" }]).forecast;
        assert.ok(more.lowUsd >= lowUsd && more.expectedUsd >= expectedUsd && more.highUsd >= highUsd);
        assert.ok(more.dispatches >= outlook.forecast.dispatches && more.highMs >= highMs);
      },
    ),
    { numRuns: cases(300) },
  );
});
