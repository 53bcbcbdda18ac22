import assert from "node:assert/strict";
import { test } from "node:test";
import { hideKeys } from "../text/secrets.ts";
import { anchorProblem, type ReviewBasis } from "./anchor.ts";

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
