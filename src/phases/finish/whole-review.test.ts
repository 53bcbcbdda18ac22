// The review of the whole: what it is given, and where each of the person's choices leads.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Agent,
  dispatches,
  type Files,
  facts,
  type Played,
  questions,
  resultOf,
  type Script,
} from "../../../test/rig/flow.ts";
import fc from "../../../test/rig/property.ts";
import { commits, names } from "../../../test/rig/task.ts";
import { documents, end, final, gap, says, settled, skipped } from "../../../test/rig/whole.ts";
import { fenced } from "../../core/text/block.ts";
import { Baseline } from "../../core/validation/baseline.ts";
import { resultsOf, writeResults } from "../../core/validation/results.ts";

const resolved = (id: string, quote = "fixed(1);") => ({ id, state: "resolved" as const, quote });
const stillOpen = (id: string) => ({ id, state: "still-open" as const, quote: "one();" });
const mended = final({ findings: [gap] }, { resolutions: [resolved("F1")] });
const unmended = final({ findings: [gap] }, { passed: false, resolutions: [stillOpen("F1")] });
const fixes = (played: Played<unknown>) => commits(played).filter(({ name }) => name === "final-fix");
const reviews = (played: Played<unknown>) => facts(played).filter(({ type }) => type === "final.reviewed");

test("the final reviewer is given the design, what is complete, what was deferred and waived, and the whole diff", () => {
  const tasks = [
    settled(1, {
      deferred: ["F1 low style (src/1.ts): A name. (quality-reviewer; below medium)"],
      concerns: ["It is slow."],
    }),
    settled(2, { waivers: ["single-pass review let through: F1"] }),
    skipped(3),
  ];
  const played = end({}, { tasks, choices: { waivers: ["reviews are single-pass"] } });
  const [order] = dispatches(played);
  assert.deepEqual([order?.name, order?.role, order?.access], ["final-review", "final-reviewer", "read"]);
  const prompt = order?.prompt ?? "";
  for (const part of [
    `## The approved design\nIn \`${documents.design}\`.`,
    "- R1: Part 1 works.\n- R2: Part 2 works.\n\nThe person skipped the tasks for R3, so it is not part of this work.",
    "## Completed tasks\n- Task 1: Part 1\n- Task 2: Part 2\n",
    "## Deferred by earlier reviews\n- Task 1: F1 low style (src/1.ts): A name.",
    "## Waived by the person\n- reviews are single-pass\n- Task 2: single-pass review let through: F1",
    "## What the implementers want known (claims)\n- Task 1: It is slow.\n",
    "- src/1.ts (added)\n- src/2.ts (added)",
  ]) {
    assert.ok(prompt.includes(part), part);
  }
  assert.doesNotMatch(prompt, /Part 3/);
});

test("work that passes as a whole goes on without a question", () => {
  const played = end();
  const { final: result } = resultOf(played);
  assert.deepEqual(result, {
    verdict: "approved",
    summary: "Seen as a whole.",
    findings: [],
    deferred: [],
    rounds: 0,
    commits: [],
    waivers: [],
  });
  assert.deepEqual(
    questions(played).map(({ id }) => id),
    ["finalize.docs"],
  );
  assert.deepEqual(reviews(played), [
    {
      type: "final.reviewed",
      role: "final-reviewer",
      round: 0,
      verdict: "approved",
      findings: [],
      summary: "Seen as a whole.",
    },
  ]);
});

test("nothing is reviewed when no task is complete, or the tasks changed nothing", () => {
  for (const how of [{ tasks: [skipped(1), skipped(2), skipped(3)], empty: true }, { empty: true }]) {
    const played = end({}, how);
    const { final: result, docs } = resultOf(played);
    assert.deepEqual([result.verdict, docs.status], ["none", "not-offered"]);
    assert.deepEqual([dispatches(played), questions(played)], [[], []]);
  }
});

test("findings go to the person, who can have them fixed, accept them, or end the run; nothing is recommended", () => {
  const played = end({ agents: { "final-review": mended } });
  assert.ok(played.end.how === "waiting" && played.end.question.kind === "select");
  const { id, title, message, options, recommended } = played.end.question;
  assert.deepEqual([id, title, recommended], ["finalize.fix", "Final Review", undefined]);
  assert.equal(message, "The final review asks for changes:\n  - F1 high cross-task (R1): They do not meet.");
  assert.deepEqual(
    options.map(({ key, label }) => [key, label]),
    [
      ["fix", "Fix"],
      ["accept", "Accept"],
      ["abort", "Abort workflow"],
    ],
  );
});

test("the implementer of a final fix is told which tests were red before it", () => {
  const results = resultsOf([{ file: "", path: ["reads minutes"], state: "failed" }]);
  const report = { reporter: "x", results: writeResults(results), failures: [] };
  const tests = Baseline.parse({
    command: "npm test",
    tree: "before",
    results: report.results,
    exitCode: 1,
    waived: [],
  });
  const played = end(
    {
      check: () => ({ passed: false, exitCode: 1, output: "", tests: report }),
      agents: { "final-review": mended },
      answers: { "finalize.fix": ["fix"] },
    },
    { tasks: [settled(1), settled(2, { tests }), skipped(3)] },
  );
  const fix = dispatches(played).find(({ name }) => name === "final-fix");
  assert.match(fix?.prompt ?? "", /## Red before your work\nThese tests of `npm test` fail already: reads minutes\./);
});

test("fix has an implementer mend the findings, commits that, and has the open findings reviewed again", () => {
  const played = end({ agents: { "final-review": mended }, answers: { "finalize.fix": ["fix"] } });
  assert.deepEqual(names(played), ["final-review", "final-fix", "final-review"]);
  const [, fix, again] = dispatches(played);
  assert.deepEqual([fix?.role, fix?.access], ["implementer", "write"]);
  assert.match(fix?.prompt ?? "", /## What was found\n- F1 high cross-task \(R1\): They do not meet\./);
  assert.match(again?.prompt ?? "", /## Changes since your last review\n- src\/1\.ts \(modified\)[\s\S]*\+fixed\(1\);/);
  assert.match(again?.prompt ?? "", /## Your open findings\n- F1 high cross-task/);
  assert.deepEqual(
    fixes(played).map(({ message, documents: paths, task }) => [message, paths, task]),
    [["workflow: final fixes", undefined, undefined]],
  );
  const order = played.requests.map((request) => (request.do === "dispatch" ? request.name : request.do));
  assert.ok(order.indexOf("final-fix") < order.indexOf("commit"));
  assert.ok(order.indexOf("commit") < order.lastIndexOf("final-review"));
  const { final: result, waivers } = resultOf(played);
  assert.deepEqual([result.verdict, result.rounds, result.commits, waivers], ["approved", 1, ["sha-1"], []]);
});

test("one answer grants as many rounds as a task has, and two for one finding; then the person is asked again", () => {
  const played = end({ agents: { "final-review": unmended }, answers: { "finalize.fix": ["fix"] } });
  assert.deepEqual(names(played), ["final-review", "final-fix", "final-review", "final-fix", "final-review"]);
  assert.ok(played.end.how === "waiting");
  assert.match(played.end.question.message, /^The final review still asks for changes after 2 fixes:\n {2}- F1 /);
  const anew = final(...[1, 2, 3, 4].map((n) => ({ findings: [{ ...gap, what: `${n}` }], resolutions: earlier(n) })));
  const limited = end({
    config: { review: { maxTaskReviewCycles: 1 } },
    agents: { "final-review": anew },
    answers: { "finalize.fix": ["fix", "fix"] },
  });
  assert.equal(names(limited).filter((name) => name === "final-fix").length, 2);
  assert.equal(limited.end.how, "waiting");
});

const earlier = (nth: number) => Array.from({ length: nth - 1 }, (_, index) => resolved(`F${index + 1}`));

test("in a single pass one answer grants one round", () => {
  const played = end(
    { agents: { "final-review": unmended }, answers: { "finalize.fix": ["fix"] } },
    { choices: { review: "single-pass" } },
  );
  assert.deepEqual(names(played), ["final-review", "final-fix", "final-review"]);
  assert.equal(played.end.how, "waiting");
});

test("accepting findings is a waiver, recorded and in the report", () => {
  const played = end({ agents: { "final-review": mended }, answers: { "finalize.fix": "accept" } });
  const { final: result, waivers } = resultOf(played);
  const what = "the final review's findings were accepted: F1 high cross-task (R1): They do not meet.";
  assert.deepEqual([result.verdict, result.findings], ["accepted", ["F1 high cross-task (R1): They do not meet."]]);
  assert.deepEqual(waivers, [what]);
  assert.ok(facts(played).some((fact) => fact.type === "waiver" && fact.step === "finalize.fix" && fact.what === what));
  assert.equal(fixes(played).length, 0);
});

test("the run can be ended at the final review", () => {
  const played = end({ agents: { "final-review": mended }, answers: { "finalize.fix": "abort" } });
  assert.deepEqual(played.end, {
    how: "failed",
    failure: { kind: "aborted", step: "finalize.fix", detail: "the person ended the run at the final review" },
  });
});

const validated = { config: { validationCommand: "check it" } };
const passesAt =
  (text: string) =>
  (files: Files): { passed: boolean; output: string } => ({
    passed: files.get("src/1.ts")?.includes(text) ?? false,
    output: "TS2322",
  });

test("a fix that fails the check is not committed or reviewed: the next one is told", () => {
  const played = end({
    ...validated,
    check: passesAt("fixed(2);"),
    agents: { "final-review": final({ findings: [gap] }, { resolutions: [resolved("F1", "fixed(2);")] }) },
    answers: { "finalize.fix": ["fix"] },
  });
  assert.deepEqual(names(played), ["final-review", "final-fix", "final-fix", "final-review"]);
  assert.match(dispatches(played)[2]?.prompt ?? "", /`check it` fails\.[\s\S]*TS2322[\s\S]*- F1 high cross-task/);
  assert.deepEqual([fixes(played).length, resultOf(played).final.rounds], [1, 2]);
  assert.match(dispatches(played)[3]?.prompt ?? "", /\+fixed\(1\);\n\+fixed\(2\);/);
});

test("T3: the final reviewer learns which files of the checks the work edits, and the person what a final fix does to them", () => {
  const scripts = () => ({ names: ["src/1.ts"], programs: {} });
  const played = end({
    ...validated,
    scripts,
    agents: { "final-review": mended },
    answers: { "finalize.fix": ["fix"] },
  });
  for (const { prompt, name } of dispatches(played))
    if (name === "final-review") assert.match(prompt, /This change edits src\/1\.ts, which `check it` runs/);
  const told = facts(played).filter((fact) => fact.type === "scripts.changed");
  assert.deepEqual(told, [
    { type: "scripts.changed", task: null, command: "check it", changed: ["src/1.ts"], unseen: [] },
  ]);
});

test("T3: what the first of several tries of a final fix did to an installed program is told with the last", () => {
  const played = end({
    ...validated,
    check: passesAt("fixed(2);"),
    scripts: (files) => ({
      names: [],
      programs: { "bin/x": /fixed/.test(files.get("src/1.ts") ?? "") ? "new" : "old" },
    }),
    agents: { "final-review": final({ findings: [gap] }, { resolutions: [resolved("F1", "fixed(2);")] }) },
    answers: { "finalize.fix": ["fix"] },
  });
  assert.deepEqual(names(played), ["final-review", "final-fix", "final-fix", "final-review"]);
  const told = facts(played).flatMap((fact) => (fact.type === "scripts.changed" ? [[fact.changed, fact.unseen]] : []));
  assert.deepEqual(told, [[[], ["bin/x"]]]);
});

test("a fix that keeps failing goes to the person; accepting takes it back", () => {
  const script: Script = { ...validated, check: passesAt("never"), agents: { "final-review": mended } };
  const waiting = end({ ...script, answers: { "finalize.fix": ["fix"] } });
  assert.ok(waiting.end.how === "waiting" && waiting.end.question.kind === "select");
  assert.match(
    waiting.end.question.message,
    /^The final fix fails validation after 2 fixes\.\nLast output of `check it`:\nTS2322/,
  );
  assert.match(waiting.end.question.options[1]?.hint ?? "", /undoes the uncommitted fix/);
  const accepted = end({ ...script, answers: { "finalize.fix": ["fix", "accept"] } });
  assert.equal(accepted.files.get("src/1.ts"), "one();");
  assert.deepEqual([resultOf(accepted).final.verdict, fixes(accepted).length], ["accepted", 0]);
});

test("what a hook made of the fixes is checked again, and mended when it fails", () => {
  const formatting: Script["commit"] = (nth, files) => {
    if (nth === 1) files.set("src/1.ts", "formatted");
    return undefined;
  };
  const played = end({
    ...validated,
    commit: formatting,
    check: (files) => ({ passed: files.get("src/1.ts") !== "formatted", output: "TS2322" }),
    agents: { "final-review": final({ findings: [gap] }, { resolutions: [resolved("F1", "fixed(2);")] }) },
    answers: { "finalize.fix": ["fix"] },
  });
  assert.deepEqual(names(played), ["final-review", "final-fix", "final-fix", "final-review"]);
  const [one, two] = fixes(played);
  assert.deepEqual(one?.since, two?.since);
  assert.deepEqual(resultOf(played).final.commits, ["sha-2"]);
  assert.match(JSON.stringify(facts(played)), /A commit hook changed the final fixes/);
});

test("T1: what a hook puts into the fixes again after they were checked with it is the person's to decide", () => {
  const stamping: Script["commit"] = (nth, files) => {
    files.set("stamp.txt", `${nth}`);
    return undefined;
  };
  const script: Script = { commit: stamping, agents: { "final-review": mended } };
  const asked = end({ ...script, answers: { "finalize.fix": ["fix"] } });
  assert.ok(asked.end.how === "waiting");
  assert.match(asked.end.question.message, /nobody has reviewed: stamp\.txt/);
  const again = end({
    ...script,
    commit: (nth, files, request) => (nth > 2 ? undefined : stamping(nth, files, request)),
    answers: { "finalize.fix": ["fix", "again"] },
  });
  assert.equal(resultOf(again).final.verdict, "approved");
  const accepted = end({ ...script, answers: { "finalize.fix": ["fix", "accept"] } });
  assert.deepEqual([accepted.files.get("src/1.ts"), accepted.files.has("stamp.txt")], ["one();", false]);
});

test("a fix that changes nothing is not reviewed again, and ends with the rounds", () => {
  const played = end({
    agents: { "final-review": unmended, "final-fix": () => "I disagree." },
    answers: { "finalize.fix": ["fix"] },
  });
  assert.deepEqual(names(played), ["final-review", "final-fix", "final-fix"]);
  assert.equal(played.end.how, "waiting");
});

test("a refused commit of the fixes is tried again, or the fixes are taken back and the person decides anew", () => {
  const refuse: Script["commit"] = (nth) => (nth === 1 ? "refused" : undefined);
  const script: Script = { commit: refuse, agents: { "final-review": mended } };
  const retried = end({ ...script, answers: { "finalize.fix": ["fix"], "finalize.fix.commit": ["retry"] } });
  assert.equal(resultOf(retried).final.verdict, "approved");
  const skippedFix = end({
    ...script,
    answers: { "finalize.fix": ["fix", "accept"], "finalize.fix.commit": ["skip"] },
  });
  assert.equal(skippedFix.files.get("src/1.ts"), "one();");
  assert.deepEqual(names(skippedFix), ["final-review", "final-fix"]);
  assert.equal(resultOf(skippedFix).final.verdict, "accepted");
  const ended = end({ ...script, answers: { "finalize.fix": ["fix"], "finalize.fix.commit": "abort" } });
  assert.equal(ended.end.how, "failed");
});

test("an inconclusive review is asked once more, then the person has it done again, accepts it, or ends the run", () => {
  const unclear = { passed: false };
  const waiting = end({ agents: { "final-review": final(unclear) } });
  assert.deepEqual(names(waiting), ["final-review", "final-review"]);
  assert.ok(waiting.end.how === "waiting" && waiting.end.question.kind === "select");
  assert.match(waiting.end.question.message, /inconclusive\.[\s\S]*It says: Seen as a whole\./);
  assert.deepEqual(
    waiting.end.question.options.map(({ key }) => key),
    ["again", "accept", "abort"],
  );
  const again = end({
    agents: { "final-review": final(unclear, unclear, {}) },
    answers: { "finalize.fix": ["again"] },
  });
  assert.equal(resultOf(again).final.verdict, "approved");
  const accepted = end({ agents: { "final-review": final(unclear) }, answers: { "finalize.fix": "accept" } });
  assert.deepEqual(resultOf(accepted).waivers, ["the final review was inconclusive and was accepted"]);
});

test("what does not block is deferred, and in the report", () => {
  const played = end({ agents: { "final-review": final({ passed: true, findings: [{ ...gap, severity: "low" }] }) } });
  const { deferred } = resultOf(played).final;
  assert.deepEqual(deferred, ["F1 low cross-task (R1): They do not meet. (final-reviewer; below medium)"]);
  assert.ok(facts(played).some((fact) => fact.type === "findings.deferred" && fact.task === "final"));
});

test("G8: a grave finding that cannot be anchored is shown, also to a person who accepts what else was found", () => {
  const nowhere = { ...gap, anchor: { file: "src/1.ts", quote: "not there" }, what: "Nothing works." };
  const alone = end({ agents: { "final-review": final({ passed: true, findings: [nowhere] }) } });
  assert.match(
    questions(alone).at(-1)?.message ?? "",
    /without saying where in the code.*\n {2}- F1 high .*Nothing works/s,
  );

  const beside = { "final-review": final({ findings: [gap, nowhere] }) };
  const played = end({ agents: beside, answers: { "finalize.fix": ["accept", "accept"] } });
  const [first, second] = questions(played).filter(({ id }) => id === "finalize.fix");
  assert.doesNotMatch(first?.message ?? "", /Nothing works/);
  assert.match(second?.message ?? "", /without saying where in the code.*Nothing works/s);
  assert.match(resultOf(played).waivers.join(), /accepted: F1 .*They do not meet\.; F2 .*Nothing works\.$/);
});

test("G8: a claim that the person wants fixed goes to a fixer, and back to the reviewer as a finding", () => {
  const nowhere = { ...gap, anchor: { file: "src/1.ts", quote: "not there" }, what: "Nothing works." };
  const said = { passed: true, findings: [nowhere] };
  const review = final(said, said, { resolutions: [resolved("F1")] });
  const played = end({ agents: { "final-review": review }, answers: { "finalize.fix": "fix" } });
  const [, , fix, again] = dispatches(played);
  assert.deepEqual([fix?.name, again?.name], ["final-fix", "final-review"]);
  assert.match(fix?.prompt ?? "", /## What was found\n- F1 high .*Nothing works/);
  assert.match(again?.prompt ?? "", /## Your open findings\n- F1 high .*Nothing works/);
  assert.deepEqual([resultOf(played).final.verdict, resultOf(played).waivers], ["approved", []]);
});

const anyFinal = fc.record({
  passed: fc.boolean(),
  findings: fc.array(
    fc.record({
      category: fc.constantFrom("missing", "cross-task"),
      severity: fc.constantFrom("low", "medium", "high", "critical"),
      anchor: fc.constantFrom({ requirement: "R1" }, { requirement: "R3" }, { file: "src/1.ts", quote: "one" }),
      what: fc.constantFrom("a", "b"),
    }),
    { maxLength: 2 },
  ),
  resolutions: fc.array(
    fc.record({
      id: fc.constantFrom("F1", "F2"),
      state: fc.constantFrom("resolved" as const, "still-open" as const),
      quote: fc.constantFrom("one", "invented"),
    }),
    { maxLength: 2 },
  ),
});

const disputesAll: Agent = () => {
  const disputed = ["F1", "F2", "F3"].map((id) => ({ id, why: "It is not so." }));
  return fenced("superteam-json", JSON.stringify({ disputed }));
};
const fixer: Agent = ({ files, nth }) => {
  files.set("src/1.ts", `one();\nfixed(${nth});`);
  return "Fixed.";
};

test("whatever is said and fixed, the final review ends or asks within its rounds, and passes only with evidence", () => {
  const scripts = fc.record({
    limit: fc.integer({ min: 1, max: 4 }),
    said: fc.infiniteStream(anyFinal),
    checks: fc.infiniteStream(fc.boolean()),
    disputes: fc.infiniteStream(fc.boolean()),
  });
  fc.assert(
    fc.property(scripts, ({ limit, said, checks, disputes }) => {
      const played = end({
        config: { validationCommand: "check it", review: { maxTaskReviewCycles: limit } },
        check: () => ({ passed: checks.next().value, output: "" }),
        agents: {
          "final-review": () => says(said.next().value),
          "final-fix": (turn) => (disputes.next().value ? disputesAll : fixer)(turn),
        },
        answers: { "finalize.fix": ["fix"] },
      });
      const count = (name: string) => names(played).filter((known) => known === name).length;
      assert.ok(count("final-fix") <= limit);
      assert.ok(count("final-review") <= 2 * (limit + 1));
      if (played.end.how === "waiting") return;
      const last = facts(played).findLast((fact) => fact.type === "final.reviewed");
      assert.ok(last?.type === "final.reviewed" && last.verdict === "approved");
      assert.equal(resultOf(played).final.findings.length, 0);
    }),
  );
});

test("a final reviewer that fails is the person's to try again, and no word on the work", () => {
  const fails: Agent = (turn) => (turn.nth === 1 ? { failed: "auth" } : final({})(turn));
  const id = "finalize.final-review.failed";
  const asking = end({ agents: { "final-review": fails } });
  assert.equal(asking.end.how === "waiting" && asking.end.question.id, id);
  const retried = end({ agents: { "final-review": fails }, answers: { [id]: "retry" } });
  assert.deepEqual([resultOf(retried).final.verdict, reviews(retried).length], ["approved", 1]);
});

test("a final fix whose agent fails can be tried again, gone without, or end the run", () => {
  const fail: Script["agents"] = {
    "final-review": mended,
    "final-fix": ({ nth, files }) => {
      files.set("src/1.ts", `one();\nfixed(${nth > 1 ? 1 : 0});`);
      return nth === 1 ? { failed: "auth", detail: "killed" } : "Fixed.";
    },
  };
  const id = "finalize.final-fix.failed";
  const asking = end({ agents: fail, answers: { "finalize.fix": "fix" } });
  assert.ok(asking.end.how === "waiting" && asking.end.question.kind === "select");
  const { options, title } = asking.end.question;
  assert.deepEqual([asking.end.question.id, title], [id, "Agent Error: implementer"]);
  assert.deepEqual(
    options.map(({ label }) => label),
    ["Retry", "Accept", "Abort workflow"],
  );
  const retried = end({ agents: fail, answers: { "finalize.fix": "fix", [id]: "retry" } });
  assert.deepEqual(names(retried), ["final-review", "final-fix", "final-fix", "final-review"]);
  assert.deepEqual([resultOf(retried).final.verdict, resultOf(retried).final.rounds], ["approved", 1]);
  const accepted = end({ agents: fail, answers: { "finalize.fix": "fix", [id]: "accept" } });
  assert.equal(accepted.files.get("src/1.ts"), "one();");
  assert.match(resultOf(accepted).waivers.join(), /the final review's findings were accepted: F1/);
  const ended = end({ agents: fail, answers: { "finalize.fix": "fix", [id]: "abort" } });
  assert.ok(ended.end.how === "failed");
  assert.deepEqual(ended.end.failure.detail, "the person ended the run after implementer failed (auth): killed");
});

const checks = (played: Played<unknown>) => played.requests.filter((request) => request.do === "check").length;

test("the whole is checked before its review only when nobody checked it as it is", () => {
  assert.equal(checks(end(validated)), 0);
  const stale = end(validated, { stale: true });
  assert.deepEqual([checks(stale), resultOf(stale).final.verdict], [1, "approved"]);
  assert.equal(checks(end({}, { stale: true })), 0, "there is no command");
});

test("a whole that fails its check goes to the person before anybody reviews it", () => {
  const script: Script = { ...validated, check: passesAt("fixed(1);") };
  const asking = end(script, { stale: true });
  assert.ok(asking.end.how === "waiting");
  assert.deepEqual([asking.end.question.id, names(asking)], ["finalize.fix", []]);
  assert.match(
    asking.end.question.message,
    /^The finished work fails validation\.\nLast output of `check it`:\nTS2322/,
  );
  const fixed = end({ ...script, answers: { "finalize.fix": "fix" } }, { stale: true });
  assert.deepEqual(names(fixed), ["final-fix", "final-review"]);
  assert.deepEqual([resultOf(fixed).final.verdict, fixes(fixed).length], ["approved", 1]);
  const accepted = resultOf(end({ ...script, answers: { "finalize.fix": "accept" } }, { stale: true }));
  assert.match(accepted.waivers.join(), /`check it` fails for the finished work, which was accepted/);
});

test("work that is accepted without its fix still says which check fails, and why there is no fix", () => {
  const waivers = (fix: Agent, answers: NonNullable<Script["answers"]>) =>
    resultOf(end({ ...validated, check: passesAt("never"), agents: { "final-fix": fix }, answers }, { stale: true }))
      .waivers;
  const fails = "`check it` fails for the finished work, which was accepted without a final review";
  const failed: Agent = () => ({ failed: "auth", detail: "no key" });
  assert.deepEqual(waivers(failed, { "finalize.fix": "fix", "finalize.final-fix.failed": "accept" }), [
    `${fails}; implementer failed (auth): no key`,
  ]);
  const blocked: Agent = () => fenced("superteam-json", JSON.stringify({ status: "blocked", reason: "No tool." }));
  assert.deepEqual(waivers(blocked, { "finalize.fix": ["fix", "accept"] }), [
    `${fails}; the fix was blocked: No tool.`,
  ]);
});

test("what is committed of a final fix is the tree that was checked", () => {
  const script: Script = { ...validated, agents: { "final-review": mended }, answers: { "finalize.fix": ["fix"] } };
  const [made] = fixes(end(script));
  assert.match(made?.tree ?? "", /^tree-/);
  let moves = 0;
  const meddling = (times: number): Script => ({
    ...script,
    meanwhile: (request, files) => {
      const isOurs = request.do === "commit" && request.name === "final-fix";
      if (isOurs && moves++ < times) files.set("src/2.ts", `two(${moves});`);
    },
  });
  const once = end(meddling(1));
  // The last check is of the commit, which does not contain what was changed meanwhile.
  assert.deepEqual([checks(once), fixes(once).length, resultOf(once).final.commits.length], [3, 2, 1]);
  moves = 0;
  const twice = end(meddling(2));
  assert.ok(twice.end.how === "waiting" && twice.end.question.kind === "select");
  assert.match(twice.end.question.message, /The tree changed while the final fixes were being checked/);
  assert.deepEqual(
    twice.end.question.options.map(({ key }) => key),
    ["again", "accept", "abort"],
  );
  moves = 0;
  const again = end({ ...meddling(2), answers: { "finalize.fix": ["fix", "again"] } });
  assert.equal(resultOf(again).final.commits.length, 1);
});

test("E3b: final fixes that pass only with changes of the person's are theirs to decide, and accepting undoes the fixes", () => {
  const isFixed = (files: Files): boolean => (files.get("src/1.ts") ?? "").includes("fixed(1);");
  const script: Script = {
    ...validated,
    agents: { "final-review": mended },
    check: (files) => ({ passed: !isFixed(files) || files.get("README.md") === "edited", output: "Nothing." }),
    meanwhile: (request, files) => {
      if (request.do === "check" && isFixed(files) && files.get("README.md") === "old")
        files.set("README.md", "edited");
    },
    answers: { "finalize.fix": ["fix", "accept"] },
  };
  const played = end(script);
  const { message = "" } = questions(played).findLast(({ id }) => id === "finalize.fix") ?? {};
  assert.match(
    message,
    /The final fixes are committed\. `check it` passed with your changes to README\.md and fails without/,
  );
  assert.equal(resultOf(played).final.verdict, "accepted");
  assert.match(resultOf(played).final.waivers.join(), /findings were accepted: F1/);
  assert.equal(isFixed(played.files), false);
  assert.equal(played.files.get("README.md"), "edited");
});

test("a whole that was fixed before anybody reviewed it is reviewed for the first time, as a whole", () => {
  const medium = { ...gap, severity: "medium", anchor: { file: "src/2.ts", quote: "two();" } };
  const played = end(
    {
      ...validated,
      check: passesAt("fixed(1);"),
      agents: { "final-review": final({ findings: [medium] }) },
      answers: { "finalize.fix": ["fix"] },
    },
    { stale: true },
  );
  const prompt = dispatches(played).find(({ name }) => name === "final-review")?.prompt ?? "";
  assert.doesNotMatch(prompt, /Changes since your last review/);
  const [first] = reviews(played);
  assert.ok(first?.type === "final.reviewed" && first.verdict === "needs_revision", "a finding outside the fix blocks");
});
