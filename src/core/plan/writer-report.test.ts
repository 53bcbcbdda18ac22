import assert from "node:assert/strict";
import { test } from "node:test";
import { fenced } from "../text/block.ts";
import { readWriterReport } from "./writer-report.ts";

const ending = (tag: string, report: object): string => `I tried.\n\n${fenced(tag, JSON.stringify(report))}\n`;

test("A8: a report that is too long is cut, and one under another tag is read: blocked is never taken for done", () => {
  const long = readWriterReport(ending("superteam-json", { status: "blocked", reason: "x".repeat(3000) }));
  assert.deepEqual([long.report.status, long.report.reason.length, long.problem], ["blocked", 2000, null]);
  const tagged = readWriterReport(ending("json", { status: "blocked", reason: "There is no Redis." }));
  assert.deepEqual([tagged.report.status, tagged.report.reason], ["blocked", "There is no Redis."]);
});

test("A8: a writer that is blocked is blocked, also where the rest of its report cannot be read", () => {
  const { report, problem } = readWriterReport(
    ending("superteam-json", { status: "blocked", reason: "There is no Redis.", disputed: [{ id: "F1" }] }),
  );
  assert.deepEqual([report.status, report.reason, report.disputed], ["blocked", "There is no Redis.", []]);
  assert.match(problem ?? "", /disputed/);
});

test("a block that is something else is part of its words, and no problem", () => {
  for (const text of [ending("json", { name: "demo", version: 1 }), "All pass:\n\n```\n12 passed\n```\n"]) {
    const { report, problem, isStructured } = readWriterReport(text);
    assert.deepEqual([report.status, problem, isStructured], ["done", null, false], text);
  }
});
