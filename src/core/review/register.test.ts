import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { type Severity, severities } from "../run/config.ts";
import type { ReviewBasis } from "./anchor.ts";
import {
  afterFix,
  afterRollback,
  amended,
  describe,
  judge,
  mayFix,
  mergeReview,
  openIn,
  type Register,
  standingIn,
  waiveOpen,
  withNewChance,
} from "./register.ts";
import { type Finding, Review } from "./review.ts";

const changed = {
  files: [{ path: "src/a.ts", change: "modified" as const }],
  diff: "diff --git a/src/a.ts b/src/a.ts\n-old line\n+const a = 1;\n+const b = 2;",
};
const basis: ReviewBasis = {
  role: "spec-reviewer",
  blockOn: "medium",
  ids: ["R1", "C1"],
  texts: { "src/a.ts": "const a = 1;\r\nconst b = 2;\r\n", "src/other.ts": "const other = 3;\n", "src/gone.ts": null },
  task: changed,
  fix: null,
};
const again: ReviewBasis = {
  ...basis,
  fix: { files: changed.files, diff: "diff --git a/src/a.ts b/src/a.ts\n+const b = 2;" },
};
const finding = (more: Partial<Finding> = {}): Finding => ({
  rule: "missing",
  severity: "high",
  anchor: { file: "src/a.ts", quote: "const a = 1;" },
  what: "it is missing",
  ...more,
});
const review = (findings: Finding[], more: Partial<Review> = {}): Review => ({
  passed: findings.length === 0,
  findings,
  resolutions: [],
  summary: "s",
  ...more,
});
const standings = (register: Register) => register.map(({ id, standing }) => `${id} ${standing}`);
const opened = (...findings: Finding[]): Register => judge([], review(findings), basis).register;

test("other words for a severity are understood, whatever their case; unknown ones are refused", () => {
  const severityOf = (word: string) => {
    const read = Review.safeParse({ passed: false, findings: [{ ...finding(), severity: word }], summary: "s" });
    return read.success ? read.data.findings[0]?.severity : "refused";
  };
  const words = ["Blocker", "WARNING", "note", "Critical", " high ", "grave", ""];
  assert.deepEqual(words.map(severityOf), ["high", "medium", "low", "critical", "high", "refused", "refused"]);
});

test("code names findings and computes the verdict", () => {
  const judged = judge([], review([finding(), finding({ rule: "extra", severity: "low" })]), basis);
  assert.equal(judged.verdict, "needs_revision");
  assert.deepEqual(standings(judged.register), ["F1 open", "F2 deferred"]);
  assert.equal(judged.register[1]?.reason, "below medium");
  assert.equal(judge([], review([]), basis).verdict, "approved");
});

test("a reviewer that passes the work beside a critical finding is not believed", () => {
  const critical = review([finding({ severity: "critical" })], { passed: true });
  assert.equal(judge([], critical, basis).verdict, "needs_revision");
});

test("a reviewer that does not pass the work and names nothing that blocks is asked what it means", () => {
  const judged = judge([], review([finding({ severity: "low" })], { passed: false }), basis);
  assert.equal(judged.verdict, "inconclusive");
  assert.deepEqual(judged.complaints, ["you say passed: false, but no finding of medium or above is open"]);
});

test("a quote has to be in the named file verbatim; only line endings may differ", () => {
  const quoted = (quote: string, file = "src/a.ts") => judge([], review([finding({ anchor: { file, quote } })]), basis);
  assert.deepEqual(quoted("const a = 1;\nconst b = 2;").complaints, []);
  for (const quote of ["const  a = 1;", "const a = 1; ", "CONST A = 1;", "  "]) {
    assert.match(quoted(quote).complaints.join(), /its quote is not in src\/a\.ts, verbatim/, quote);
  }
  assert.match(quoted("x", "src/gone.ts").complaints.join(), /there is no file src\/gone\.ts/);
  assert.match(quoted("x", "../../etc/passwd").complaints.join(), /there is no file/);
});

test("a finding may be anchored to a requirement or criterion there is, and to no other", () => {
  const cited = (requirement: string) => judge([], review([finding({ anchor: { requirement } })]), basis);
  assert.deepEqual(cited("R1").complaints, []);
  assert.deepEqual(cited("C1").complaints, []);
  assert.match(cited("R7").complaints.join(), /there is no requirement R7/);
});

test("G8: a finding without an anchor does not block by itself; a grave one waits for the person", () => {
  const judged = (severity: Severity, blockOn: Severity) => {
    const { anchor: _, ...bare } = finding({ severity });
    return judge([], review([bare], { passed: true }), { ...basis, blockOn });
  };
  assert.equal(judged("critical", "medium").verdict, "approved");
  assert.deepEqual(judged("critical", "medium").complaints, [
    'the finding "it is missing" cannot be checked: it has no anchor: {"file", "quote"} or {"requirement"}',
  ]);
  const standing = (severity: Severity, blockOn: Severity) => standings(judged(severity, blockOn).register).join();
  assert.deepEqual(
    severities.map((severity) => standing(severity, "low")),
    ["F1 deferred", "F1 deferred", "F1 claimed", "F1 claimed"],
  );
  assert.equal(standing("high", "critical"), "F1 deferred", "what would pass with an anchor passes without");
});

test("the same claim twice is one finding, as severe as its worst", () => {
  const judged = judge([], review([finding({ severity: "medium", what: "a" }), finding({ what: "b" })]), basis);
  assert.deepEqual(judged.register.map(describe), ["F1 high missing (src/a.ts): a / b"]);
});

test("claims without an anchor are two where their words differ", () => {
  const { anchor: _, ...bare } = finding();
  const judged = judge([], review([bare, { ...bare, what: "it is slow" }, bare]), basis);
  assert.deepEqual(standings(judged.register), ["F1 claimed", "F2 claimed"]);
});

test("what a reviewer finds again is the finding it has, unless that is closed; what another finds is another's", () => {
  const known = opened(finding());
  const found = (register: Register, role: string) =>
    standings(judge(register, review([finding()]), { ...basis, role }).register);
  assert.deepEqual(found(known, basis.role), ["F1 open"]);
  assert.deepEqual(found(known, "quality-reviewer"), ["F1 open", "F2 open"]);
  assert.deepEqual(found(afterRollback(known), basis.role), ["F1 resolved", "F2 open"]);
});

test("R4: there are as many rounds as the limit says", () => {
  const known = opened(finding());
  assert.deepEqual(
    [0, 1, 2].map((used) => mayFix({ used, limit: 2 }, known)),
    [true, true, false],
  );
});

test("a re-review answers every open id: what it leaves out, or cannot prove, stays open", () => {
  const register = opened(
    finding(),
    finding({ rule: "extra" }),
    finding({ rule: "slow" }),
    finding({ rule: "unsafe" }),
  );
  const answer = (id: string, state: "resolved" | "still-open", quote: string) => ({ id, state, quote });
  const judged = judge(
    register,
    review([], {
      resolutions: [
        answer("F1", "resolved", "const b = 2;"),
        answer("F2", "resolved", "const c = 3;"),
        answer("F3", "still-open", "const a = 1;"),
        answer("F9", "resolved", "const a = 1;"),
      ],
    }),
    again,
  );
  assert.deepEqual(standings(judged.register), ["F1 resolved", "F2 open", "F3 open", "F4 open"]);
  assert.equal(judged.verdict, "needs_revision");
  assert.deepEqual(judged.complaints, [
    "F2 is called resolved, but its quote is not from a line that the fix changed; quote such a line, or 40 characters that occur once",
    "F4 is open and has no resolution",
  ]);
});

test("what is gone can be proved by the diff", () => {
  const resolutions = [{ id: "F1", state: "resolved" as const, quote: "old line" }];
  const fix = { files: changed.files, diff: "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-old line\n+const b = 2;" };
  assert.equal(judge(opened(finding()), review([], { resolutions }), { ...again, fix }).verdict, "approved");
});

test("G7: an id is closed only by a quote from the change that answers it, or one that is long and unique", () => {
  const text =
    "function limit(request) {\n  const key = request.socket.remoteAddress ?? 'unknown client';\n  return x;\n}\n";
  const fix = { files: changed.files, diff: "@@\n function limit(request) {\n-  return 0;\n+  return x;\n+}\n }" };
  const known = { ...again, fix, texts: { "src/a.ts": text } };
  const at = (quote: string): Finding => finding({ anchor: { file: "src/a.ts", quote } });
  const closes = (quote: string, found = finding({ anchor: { requirement: "R1" } })) => {
    const register = judge([], review([found]), { ...known, fix: null }).register;
    const resolutions = [{ id: "F1", state: "resolved" as const, quote }];
    return openIn(judge(register, review([], { resolutions }), known).register).length === 0;
  };
  for (const quote of [
    "}",
    "x",
    "  ",
    "r",
    ";",
    "return",
    "function limit(request) {",
    "+++ b/src/a.ts",
    "not there at all",
  ])
    assert.equal(closes(quote), false, quote);
  for (const quote of ["return x;", "  return x;\n}", "return 0;"]) assert.equal(closes(quote), true, quote);
  const long = "const key = request.socket.remoteAddress ?? 'unknown client';";
  assert.equal(closes(long), true, "older than the fix, but long and unique");
  assert.equal(closes(long, at(long)), false, "the fault itself, still there");
  assert.equal(closes("return x;", at("return x;")), false);
  assert.equal(closes("return x;", at("return")), true, "the line that the fix made of it");
  assert.equal(closes(`function limit(request) {\n  ${long}`, at("const key")), false, "the fault with more around it");
});

test("a reviewer cannot resolve what another one found", () => {
  const resolutions = [{ id: "F1", state: "resolved" as const, quote: "const b = 2;" }];
  const judged = judge(opened(finding()), review([], { resolutions }), { ...again, role: "quality-reviewer" });
  assert.deepEqual(standings(judged.register), ["F1 open"]);
});

test("after a fix, a new finding below high blocks only inside the fix", () => {
  const found = (severity: Severity, file: string, quote: string) =>
    judge([], review([finding({ severity, anchor: { file, quote } })]), again).register[0];
  assert.equal(found("medium", "src/a.ts", "const b = 2;")?.standing, "open");
  assert.equal(found("medium", "src/a.ts", "const a = 1;")?.reason, "new, and outside the fix");
  assert.equal(found("high", "src/a.ts", "const a = 1;")?.standing, "open");
  assert.equal(found("critical", "src/other.ts", "const other = 3;")?.reason, "new, and outside the task's changes");
  const cited = (severity: Severity) =>
    judge([], review([finding({ severity, anchor: { requirement: "R1" } })]), again).register[0]?.standing;
  assert.deepEqual(severities.map(cited), ["deferred", "deferred", "open", "open"]);
});

test("ids are never given twice, not even after a rollback", () => {
  const rolled = afterRollback(opened(finding()));
  assert.deepEqual(standings(judge(rolled, review([finding()]), basis).register), ["F1 resolved", "F2 open"]);
});

test("whatever was found in work that was taken back is history", () => {
  const found = opened(finding(), finding({ rule: "style", severity: "low" }));
  assert.deepEqual(standings(afterRollback(waiveOpen(found, "r"))), ["F1 resolved", "F2 resolved"]);
});

test("all but the critical can be let through, and stays told apart from what never blocked", () => {
  const found = opened(
    finding(),
    finding({ rule: "unsafe", severity: "critical" }),
    finding({ severity: "low", rule: "style" }),
  );
  const waived = waiveOpen(found, "single-pass review");
  assert.deepEqual(standings(waived), ["F1 waived", "F2 open", "F3 deferred"]);
  assert.deepEqual(
    standingIn(waived, "waived").map(({ id, reason }) => [id, reason]),
    [["F1", "single-pass review"]],
  );
});

test("what was let through and is said again is counted once, unless it is now critical", () => {
  const waived = waiveOpen(opened(finding()), "r");
  const repeated = judge(waived, review([finding()]), basis);
  assert.equal(repeated.verdict, "needs_revision");
  assert.deepEqual(standings(waiveOpen(repeated.register, "r")), ["F1 waived", "F2 resolved"]);
  const worse = judge(waived, review([finding({ severity: "critical" })]), basis);
  assert.deepEqual(standings(waiveOpen(worse.register, "r")), ["F1 waived", "F2 open"]);
});

test("reviews given side by side are taken in one after the other, under ids of their own", () => {
  const known = opened(finding());
  const resolutions = [{ id: "F1", state: "resolved" as const, quote: "const b = 2;" }];
  const spec = judge(known, review([finding({ rule: "extra" })], { resolutions }), again).register;
  const quality = judge(known, review([finding({ rule: "style" }), finding({ rule: "slow" })]), {
    ...again,
    role: "quality-reviewer",
  }).register;
  const first = mergeReview(known, spec, { role: "spec-reviewer", given: 1 });
  const both = mergeReview(first, quality, { role: "quality-reviewer", given: 1 });
  assert.deepEqual(
    both.map(({ id, role, standing, finding: { rule } }) => [id, role, standing, rule]),
    [
      ["F1", "spec-reviewer", "resolved", "missing"],
      ["F2", "spec-reviewer", "open", "extra"],
      ["F3", "quality-reviewer", "open", "style"],
      ["F4", "quality-reviewer", "open", "slow"],
    ],
  );
  const other = mergeReview(mergeReview(known, quality, { role: "quality-reviewer", given: 1 }), spec, {
    role: "spec-reviewer",
    given: 1,
  });
  assert.deepEqual(standings(other), ["F1 resolved", "F2 open", "F3 open", "F4 open"]);
});

test("a reviewer's second word mends the first: what could be checked stands", () => {
  const lost = finding({ rule: "extra", anchor: { file: "src/a.ts", quote: "nowhere" } });
  const found = finding({ rule: "extra", anchor: { file: "src/a.ts", quote: "const b = 2;" } });
  const whole = amended(review([finding(), lost]), review([found]), basis);
  const judged = judge([], whole, basis);
  assert.deepEqual(judged.complaints, []);
  assert.deepEqual(
    openIn(judged.register).map(({ finding: { rule } }) => rule),
    ["missing", "extra"],
  );
});

const anyFinding: fc.Arbitrary<Finding> = fc.record({
  rule: fc.constantFrom("missing", "extra", "style"),
  severity: fc.constantFrom(...severities),
  anchor: fc.constantFrom(
    { file: "src/a.ts", quote: "const a = 1;" },
    { file: "src/a.ts", quote: "const b = 2;" },
    { file: "src/a.ts", quote: "not there" },
    { file: "src/other.ts", quote: "const other = 3;" },
    { requirement: "R1" },
    { requirement: "R9" },
  ),
  what: fc.constantFrom("one", "two"),
});
const anyReview: fc.Arbitrary<Review> = fc.record({
  passed: fc.boolean(),
  findings: fc.array(anyFinding, { maxLength: 4 }),
  resolutions: fc.array(
    fc.record({
      id: fc.constantFrom("F1", "F2", "F3", "F4", "F5"),
      state: fc.constantFrom("resolved", "still-open"),
      quote: fc.constantFrom("const b = 2;", "invented"),
    }),
  ),
  summary: fc.constant("s"),
});

test("whatever reviewers say: approved means nothing open, ids are unique, nothing is forgotten", () => {
  fc.assert(
    fc.property(fc.array(anyReview, { maxLength: 6 }), fc.constantFrom(...severities), (reviews, blockOn) => {
      let register: Register = [];
      for (const [index, said] of reviews.entries()) {
        const before = register;
        const judged = judge(register, said, { ...(index === 0 ? basis : again), blockOn });
        register = judged.register;
        const open = openIn(register, basis.role);
        assert.equal(judged.verdict === "needs_revision", open.length > 0);
        if (judged.verdict === "approved") assert.ok(said.passed);
        assert.deepEqual(
          register.slice(0, before.length).map(({ id }) => id),
          before.map(({ id }) => id),
        );
        assert.deepEqual(
          register.map(({ id }) => id),
          register.map((_, place) => `F${place + 1}`),
        );
        for (const entry of open) assert.ok(severities.indexOf(entry.finding.severity) >= severities.indexOf(blockOn));
        for (const entry of standingIn(register, "deferred")) assert.notEqual(entry.reason, "");
      }
    }),
  );
});

test("whatever reviewers say, the loop of fixes ends within its limit, and after two fixes of one finding", () => {
  fc.assert(
    fc.property(fc.infiniteStream(anyReview), fc.integer({ min: 1, max: 20 }), (reviews, limit) => {
      let register: Register = [];
      let used = 0;
      for (const said of reviews) {
        const judged = judge(register, said, used === 0 ? basis : again);
        register = judged.register;
        if (judged.verdict !== "needs_revision" || !mayFix({ used, limit }, register)) break;
        register = afterFix(register, basis.role);
        used += 1;
      }
      assert.ok(used <= limit);
      for (const { fixes } of register) assert.ok(fixes <= 2);
    }),
  );
});

test("a finding that survives two fixes stops the loop, though there are rounds left", () => {
  let register = opened(finding());
  const mayGoOn = [0, 1, 2].map((used) => {
    const may = mayFix({ used, limit: 9 }, register);
    register = afterFix(register, basis.role);
    return may;
  });
  assert.deepEqual(mayGoOn, [true, true, false]);
});

test("a reviewer's own word for a severity is kept and shown; the same word in other letters is not another", () => {
  const said = (severity: string) =>
    Review.parse({ passed: false, findings: [{ ...finding(), severity, said: "made up" }], summary: "s" });
  const [blocker] = judge([], said(" Blocker "), basis).register;
  assert.ok(blocker);
  assert.equal(blocker.finding.said, "Blocker");
  assert.equal(describe(blocker), 'F1 high ("Blocker") missing (src/a.ts): it is missing');
  for (const word of ["high", "HIGH"]) assert.equal(said(word).findings[0]?.said, undefined, word);
});

test("with a new chance what is open may be fixed as often as at first, and what is settled stays", () => {
  const register = afterFix(opened(finding()), "spec-reviewer");
  const [open] = register;
  assert.ok(open);
  const settled = { ...open, id: "F9", standing: "resolved", fixes: 2 } as const;
  assert.deepEqual(withNewChance([open, settled]), [{ ...open, fixes: 0 }, settled]);
  assert.equal(open.fixes, 1);
});
