import assert from "node:assert/strict";
import { test } from "node:test";
import { hideKeys } from "../text/secrets.ts";
import { anchorProblem, filesToRead, isWithin, proofProblem, type ReviewBasis } from "./anchor.ts";

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

const changed = [
  "--- a/src/limit.ts",
  "+++ b/src/limit.ts",
  " unchanged(before);",
  "-const limit = 5;",
  "+n = 12;",
  "+  return bucket.take(1);",
  "+});",
].join("\n");
const long = "this comment was there before and says enough";
const here: ReviewBasis = {
  ...basis,
  task: { files: [{ path: "src/limit.ts", change: "modified" }], diff: changed },
  texts: { "src/limit.ts": `${long}\nfault(now);\ntwice ${long.slice(0, 10)} twice\n` },
};
const finding = {
  rule: "incorrect",
  severity: "high",
  what: "w",
  anchor: { file: "src/limit.ts", quote: "fault(now);" },
} as const;

for (const [quote, proves, why] of [
  ["n = 12;", true, "a whole line that was added, however short"],
  ["const limit = 5;", true, "a line that was removed"],
  ["bucket.take", true, "a part of such a line"],
  ["take(1)", false, "a part that is short stands anywhere"],
  ["take(1);", true, "eight characters are enough"],
  ["n = 12;\n\n  return bucket.take(1);", true, "several lines, whatever is empty between them"],
  ["n = 12;\nunchanged(before);", false, "all of them have to be from the change"],
  ["unchanged(before);", false, "a line beside the change"],
  ["+++ b/src/limit.ts", false, "the head of the diff is no change"],
  ["});", false, "a bracket says nothing"],
  [long.slice(0, 40), true, "elsewhere it has to be long and to occur once"],
  [long.slice(0, 39), false, "one character less is too short"],
  [`${long}\nfault(now);`, false, "the fault with more around it"],
  ["fault(now)", false, "the fault itself, which is still there"],
  ["this text of more than forty characters is in no file", false, "what is nowhere"],
] as const) {
  test(`${JSON.stringify(quote)} ${proves ? "proves" : "does not prove"} that a finding is answered: ${why}`, () => {
    assert.equal(proofProblem(quote, finding, here) === undefined, proves);
  });
}

test("a quote that occurs twice in the task's files proves nothing, nor does one in a file that is gone", () => {
  const other = { path: "src/other.ts", change: "modified" } as const;
  const texts = { ...here.texts, "src/other.ts": long };
  const task = { ...here.task, files: [...here.task.files, other] };
  assert.match(proofProblem(long, finding, { ...here, task, texts }) ?? "", /characters that occur once/);
  const gone = { ...here.task, files: [{ ...other, change: "deleted" as const }] };
  assert.match(proofProblem(long, finding, { ...here, task: gone, texts }) ?? "", /characters that occur once/);
});

test("a fault that is no longer in its file may be quoted: the diff shows that it was removed", () => {
  const removed = { ...finding, anchor: { file: "src/limit.ts", quote: "const limit = 5;" } };
  assert.equal(proofProblem("const limit = 5;", removed, here), undefined);
  assert.equal(proofProblem("const limit = 5;", removed, { ...here, texts: {} }), undefined);
});

test("a finding is within a change that shows its quote in that file, or that touches its requirement", () => {
  const within = (anchor: Parameters<typeof isWithin>[0]["anchor"]) =>
    isWithin({ ...finding, anchor }, { ...here.task, ids: ["R1"] });
  const quoting = (quote: string, file = "src/limit.ts") => within({ file, quote });
  assert.deepEqual(
    ["n = 12;\n\n  return bucket", "unchanged(before);", "n = 13;", "n = 12;\nno"].map((one) => quoting(one)),
    [true, true, false, false],
  );
  assert.deepEqual(
    [quoting("n = 12;", "src/other.ts"), within({ requirement: "R1" }), within({ requirement: "R2" })],
    [false, true, false],
  );
  assert.equal(within(undefined), false);
});
