import assert from "node:assert/strict";
import { test } from "node:test";
import { hideKeys } from "../text/secrets.ts";
import { anchorProblem, filesToRead, type ReviewBasis } from "./anchor.ts";

const line = `const key = "ghp_${"aB3dE6gH9j".repeat(4)}";`;
const diff = { files: [], diff: "" };
const basis: ReviewBasis = {
  ...{ role: "r", blockOn: "high", ids: [], fix: null, task: diff },
  texts: { "a.ts": `\r\n${line}\r\n` },
};

test("a finding that quotes a key stays anchored, though its quote was hidden on the way", () => {
  const finding = {
    rule: "unsafe",
    severity: "high",
    what: "a key",
    anchor: { file: "a.ts", quote: hideKeys(line) },
  } as const;
  assert.match(finding.anchor.quote, /\[redacted\]/);
  assert.equal(anchorProblem(finding, basis), undefined);
  const other = { ...finding, anchor: { file: "a.ts", quote: 'const other = "[redacted]";' } };
  assert.match(anchorProblem(other, basis) ?? "", /its quote is not in a\.ts/);
});

test("to check a review the files it quotes are read, and those of the task where it says that something is resolved", () => {
  const finding = { rule: "unsafe", severity: "high", what: "w" } as const;
  const quoting = (file: string) => ({ ...finding, anchor: { file, quote: "q" } });
  const findings = [quoting("a.ts"), quoting("../outside.ts"), { ...finding, anchor: { requirement: "R1" } }];
  const change = (path: string, kind: "modified" | "deleted") => ({ path, change: kind });
  const task = {
    files: [change("a.ts", "modified"), change("b.ts", "modified"), change("gone.ts", "deleted")],
    diff: "",
  };
  const review = { passed: false, findings, resolutions: [], summary: "" };
  assert.deepEqual(filesToRead(review, { task }), ["a.ts"]);
  const resolutions = [{ id: "F1", state: "resolved", quote: "q" } as const];
  assert.deepEqual(filesToRead({ ...review, resolutions }, { task }), ["a.ts", "b.ts"]);
});
