// What a dispute does to a finding: nothing, but that both sides stand beside it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReviewBasis } from "./anchor.ts";
import { Dispute, reviewerSide } from "./dispute.ts";
import { isOverruled, judge, type Register, standingIn, waiveDisputed, waiveOpen } from "./register.ts";
import type { Resolution, Review } from "./review.ts";

const long = "const limits = new Map<string, number>(); // one each";
const basis: ReviewBasis = {
  role: "spec-reviewer",
  blockOn: "medium",
  ids: ["R1"],
  texts: { "src/a.ts": `const a = 1;\n${long}\n` },
  task: {
    files: [{ path: "src/a.ts", change: "modified" }],
    diff: `diff --git a/src/a.ts b/src/a.ts\n+const a = 1;\n+${long}`,
  },
  fix: null,
};
const review = (more: Partial<Review>): Review => ({
  passed: false,
  findings: [],
  resolutions: [],
  summary: "It is\nnot met.",
  ...more,
});
const finding = { rule: "missing", severity: "high", anchor: { requirement: "R1" }, what: "It is missing." } as const;
const { register: open } = judge([], review({ findings: [finding] }), basis);
/** The re-review of a fix that changed nothing. */
const again = (disputed: readonly Dispute[], ...resolutions: Resolution[]): Register =>
  judge(open, review({ resolutions }), { ...basis, fix: { files: [], diff: "" }, disputed }).register;
const dispute = { id: "F1", why: "The map has it." };
const answered = (state: Resolution["state"], quote: string): Resolution => ({ id: "F1", state, quote });

test("R2: a dispute does not make it easier to close a finding: a line of the task that nobody fixed is no proof", () => {
  for (const disputed of [[], [dispute]]) {
    assert.equal(again(disputed, answered("resolved", "const a = 1;"))[0]?.standing, "open");
    assert.equal(again(disputed, answered("resolved", ""))[0]?.standing, "open", "nor is none");
    assert.equal(again(disputed, answered("resolved", long))[0]?.standing, "resolved");
  }
});

test("what stays open has both sides, in words, and only if it is disputed", () => {
  const side = (...resolutions: Resolution[]) => {
    const upheld = again([dispute], ...resolutions)[0]?.upheld;
    assert.equal(upheld?.why, dispute.why);
    return upheld && reviewerSide(upheld);
  };
  assert.equal(
    side(answered("still-open", "const a\n= 1;")),
    "Its reviewer keeps it: It is not met. Quoted: const a = 1;",
  );
  assert.equal(
    side(answered("resolved", "const a = 1;")),
    "Its reviewer withdraws it without valid proof: It is not met. Quoted: const a = 1;",
  );
  assert.equal(side(answered("still-open", "")), "Its reviewer keeps it: It is not met.");
  assert.equal(side(), "Its reviewer does not answer that, and says: It is not met.");
  assert.equal(again([{ ...dispute, id: "F2" }])[0]?.upheld, undefined);
  const other = judge(open, review({}), { ...basis, role: "quality-reviewer", disputed: [dispute] }).register;
  assert.equal(other[0]?.upheld, undefined, "another reviewer has no say in it");
});

test("the person sides with the writer in what is disputed, and with nobody else", () => {
  const other = { ...finding, what: "It is slow." };
  const two = judge(open, review({ findings: [other] }), {
    ...basis,
    fix: { files: [], diff: "" },
    disputed: [dispute],
  });
  assert.deepEqual(
    waiveDisputed(two.register).map(({ standing, reason }) => [standing, reason]),
    [
      ["waived", "the person"],
      ["open", ""],
    ],
  );
});

test("a reviewer is overruled where the person let something through that this very reviewer keeps", () => {
  const disputed = again([dispute]);
  const judged = (register: Register) => [
    isOverruled(register, "spec-reviewer"),
    isOverruled(register, "quality-reviewer"),
  ];
  assert.deepEqual(judged(disputed), [false, false], "it is open");
  assert.deepEqual(judged(waiveDisputed(disputed)), [true, false]);
  const waived = waiveOpen(open, "the person");
  assert.equal(standingIn(waived, "waived").length, 1);
  assert.deepEqual(judged(waived), [false, false], "nobody disputed it");
  assert.deepEqual(judged(waiveOpen(disputed, "single-pass")), [false, false], "it was not the person");
});

test("the id of a disputed finding may be in small letters, and a reason that is too long is cut", () => {
  const { id, why } = Dispute.parse({ id: " f1 ", why: "x".repeat(2000) });
  assert.deepEqual([id, why.length <= 1000], ["F1", true]);
  assert.ok(!Dispute.safeParse({ id: "F1", why: " " }).success);
});
