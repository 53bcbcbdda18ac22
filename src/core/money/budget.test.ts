import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { aboutRun, asideQuestion } from "../flow/keys.ts";
import { readAnswer } from "../flow/question.ts";
import { Config } from "../run/config.ts";
import {
  admission,
  checkpoints,
  impliedBy,
  isSame,
  limitsOf,
  mustStop,
  raised as raisedTo,
  reached,
  type Unit,
  unitRaised,
} from "./budget.ts";
import { amountQuestion, checkpointQuestion } from "./budget-questions.ts";
import { reservationUsd, unknownDispatchUsd } from "./reservation.ts";

const none = { usd: 0, tokens: 0, dispatches: 0 };
const limits = limitsOf(Config.parse({}));
const ids = (usd: number) => checkpoints(limits, { ...none, usd }).map(({ id, mark }) => `${id}#${mark}`);

test("the limits are those of the configuration, or what the person raised them to, whichever is more", () => {
  assert.deepEqual(limits, { warnUsd: 5, hard: { usd: 20, tokens: 5_000_000, dispatches: 200 } });
  const config = Config.parse({ costs: { hardLimitUsd: 50 }, budgetCheckpointUsd: 7 });
  const raised = raisedTo(limitsOf(config), { usd: 30, tokens: 6_000_000, dispatches: 0 });
  assert.deepEqual(raised, { warnUsd: 7, hard: { usd: 50, tokens: 6_000_000, dispatches: 200 } });
});

test("the person is asked at the warning, shortly before the limit, and at the limit, and each is told apart", () => {
  assert.deepEqual(ids(4.99), []);
  assert.deepEqual(ids(5), ["budget.warn#once"]);
  assert.deepEqual(ids(18), ["budget.near#usd-20", "budget.warn#once"]);
  assert.deepEqual(ids(20), ["budget.limit#usd-20"]);
});

test("models without a price are limited in tokens and in dispatches", () => {
  assert.equal(reached(limits, { ...none, tokens: 4_999_999, dispatches: 199 }), undefined);
  assert.equal(reached(limits, { ...none, tokens: 5_000_000 }), "tokens");
  assert.equal(reached(limits, { ...none, dispatches: 200 }), "dispatches");
  assert.equal(mustStop(limits, { ...none, tokens: 5_000_000, dispatches: 200 }), true);
  assert.equal(mustStop(limits, { ...none, dispatches: 200 }), false, "the last one may finish");
});

test("a dispatch that does not fit waits for those that run, and runs alone while anything is left", () => {
  const at = (usd: number, running: number, reservedUsd: number, expectedUsd: number) =>
    admission(limits, { ...none, usd }, { running, reservedUsd, expectedUsd });
  assert.equal(at(10, 1, 5, 5), "go");
  assert.equal(at(10, 1, 5, 5.01), "wait");
  assert.equal(at(19.99, 0, 0, 9), "go");
  assert.equal(at(20, 1, 0, 0), "wait");
  assert.equal(at(20, 0, 0, 0), "over");
});

test("nothing is let in at or above a limit, whatever is claimed", () => {
  const amount = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(amount, amount, amount, fc.nat(4), (usd, reservedUsd, expectedUsd, running) => {
      const verdict = admission(limits, { ...none, usd }, { running, reservedUsd, expectedUsd });
      if (usd >= 20) assert.notEqual(verdict, "go");
      if (verdict === "wait") assert.ok(running > 0, "nobody waits for nobody");
    }),
  );
});

test("what the person is asked says what is spent, what is left to do, and what they can do", () => {
  const headway = { done: 1, total: 3, left: { lowUsd: 2, expectedUsd: 3, highUsd: 4.5 } };
  const account = { spent: { ...none, usd: 20.314, tokens: 5_100_000 }, limits, headway };
  const over = checkpointQuestion({ id: "budget.limit", mark: "usd-20", unit: "usd" }, account);
  assert.equal(over.title, "Over Budget");
  assert.match(over.message, /^Cost budget exceeded \(\$20\.31 of \$20\.00\)\n/);
  assert.match(over.message, /Tasks done: 1 of 3\. What is left is expected to cost \$2\.00 to \$4\.50\./);
  assert.match(over.message, /or close this and run: superteam resume --budget <dollars>\.$/m);
  assert.equal(over.recommended, undefined);
  const tokens = checkpointQuestion({ id: "budget.limit", mark: "tokens-5000000", unit: "tokens" }, account);
  assert.match(tokens.message, /^Budget exceeded \(5,100,000 tokens of 5,000,000 tokens\)\n.*report no cost/);
  assert.match(tokens.message, /, raise costs\.unpricedTokens in your configuration and run superteam resume\.$/m);
  const warn = checkpointQuestion({ id: "budget.warn", mark: "once", unit: "usd" }, { ...account, headway: null });
  assert.deepEqual([readAnswer(warn, "Continue"), readAnswer(warn, "Abort workflow")], [ok("continue"), ok("abort")]);
  assert.match(warn.message, /^\$20\.31 of \$20\.00 is spent\.\nYou are asked once more/);
  assert.deepEqual([readAnswer(over, "Raise limit"), readAnswer(over, "Abort workflow")], [ok("raise"), ok("abort")]);
  assert.ok(!readAnswer(over, "Continue").ok, "nothing continues over the limit");
});

test("the limit that is suggested is twice what is reached, in whole dollars", () => {
  const suggested = (unit: Unit, spent: number) => {
    const question = amountQuestion(unit, { spent: { ...none, [unit]: spent }, limits, headway: null });
    return question.kind === "input" ? [question.placeholder, question.message] : [];
  };
  assert.deepEqual(suggested("usd", 20.7), [
    "42",
    "$20.70 is spent. Raise the limit to how many dollars for the whole run?",
  ]);
  assert.equal(suggested("usd", 3)[0], "40", "a limit that is not reached is the least");
  assert.deepEqual(suggested("tokens", 5_000_000.5), [
    "10000001",
    "5,000,000.5 tokens are used. Raise the limit to how many tokens for the whole run?",
  ]);
  assert.equal(
    suggested("dispatches", 300)[1],
    "300 agent calls were made. Raise the limit to how many agent calls for the whole run?",
  );
});

test("a raised limit is the same as no other, and answers the warning that it passed", () => {
  const more = raisedTo(limits, { ...none, usd: 30 });
  assert.deepEqual([isSame(limits, { ...limits, hard: { ...limits.hard } }), isSame(limits, more)], [true, false]);
  assert.equal(isSame(limits, { ...limits, warnUsd: 6 }), false);
  const implied = (id: "budget.limit" | "budget.near", unit: "usd" | "tokens", usd: number) =>
    impliedBy({ id, unit, mark: "m" }, limits, { ...none, usd }).map((each) => each.id);
  assert.deepEqual(implied("budget.limit", "usd", 5), ["budget.warn"]);
  assert.deepEqual(implied("budget.limit", "usd", 4.99), []);
  assert.deepEqual([implied("budget.limit", "tokens", 5), implied("budget.near", "usd", 5)], [[], []]);
});

test("only the answer to how much says which limit was raised", () => {
  const asked = (id: string, mark: string) => unitRaised(asideQuestion(aboutRun, id, mark));
  assert.deepEqual([asked("budget.amount", "tokens-9"), asked("budget.limit", "usd-20")], ["tokens", undefined]);
  assert.equal(unitRaised("execute/ask:budget.amount#1"), undefined);
});

const ok = (answer: string) => ({ ok: true, answer }) as const;

test("the amount a limit is raised to is a number above what is spent, with or without a currency", () => {
  const question = amountQuestion("usd", { spent: { ...none, usd: 20.5 }, limits, headway: null });
  for (const said of ["30", "$30", " $ 30 ", "30 USD", "30.0"]) assert.deepEqual(readAnswer(question, said), ok("30"));
  for (const said of ["20.5", "20", "0", "-30", "lots", "1e9", "Infinity", "30,5", "€30"]) {
    const reading = readAnswer(question, said);
    assert.ok(!reading.ok, said);
    assert.match(reading.problem, /^budget\.amount needs a number above 20\.5, such as 31, not "/);
  }
});

test("a dispatch is expected to cost what its like did: model before difficulty, this run before others", () => {
  const sample = (model: string, difficulty: "easy" | "hard" | null, ...costsUsd: number[]) => ({
    ...{ role: "implementer", model, difficulty, costsUsd },
    ms: costsUsd,
  });
  const own = [sample("a/b", "easy", 1, 3), sample("a/b", "hard", 8), sample("c/d", "hard", 20)];
  const kind = { role: "implementer", difficulty: "hard", model: "a/b" } as const;
  assert.equal(reservationUsd(kind, own), 8);
  assert.equal(reservationUsd({ ...kind, difficulty: "medium" }, own), 4);
  assert.equal(reservationUsd({ ...kind, model: "e/f" }, own), 14);
  assert.equal(reservationUsd({ ...kind, model: null }, own), 14);
  assert.equal(reservationUsd(kind, [sample("a/b", null, 6)]), 6);
  assert.equal(reservationUsd(kind, []), unknownDispatchUsd);
});
