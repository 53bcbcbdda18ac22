// What the writers of the final fixes and of the documentation say at their end. All of it reaches somebody.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, dispatches, facts, questions, resultOf } from "../../../test/rig/flow.ts";
import { commits, names } from "../../../test/rig/task.ts";
import { end, final, gap } from "../../../test/rig/whole.ts";
import { fenced } from "../../core/text/block.ts";

const ending = (report: object): string => `Done.\n\n${fenced("superteam-json", JSON.stringify(report))}`;
const fixing =
  (...reports: readonly object[]): Agent =>
  ({ files, nth }) => {
    files.set("src/1.ts", `fixed(${nth});`);
    return ending(reports[nth - 1] ?? reports.at(-1) ?? {});
  };
const resolved = { id: "F1", state: "resolved", quote: "fixed(1)" } as const;
const open = { id: "F1", state: "still-open", quote: "fixed(1)" } as const;
const disputes = { disputed: [{ id: "F1", why: "They meet in src/2.ts." }] };
const said = (played: ReturnType<typeof end>) => facts(played).filter((fact) => fact.type === "writer.said");

test("A8: what a final fixer did, its concerns and its disputes are in the commit, the result and what is told", () => {
  const report = { summary: "Joins both parts.", concerns: ["It is slow."], ...disputes };
  const played = end({
    agents: {
      "final-review": final({ findings: [gap] }, { passed: true, resolutions: [resolved] }),
      "final-fix": fixing(report),
    },
    answers: { "finalize.fix": "fix" },
  });
  const disputed = ["F1 (They do not meet): They meet in src/2.ts."];
  const [commit] = commits(played).filter(({ name }) => name === "final-fix");
  assert.equal(
    commit?.message,
    `workflow: final fixes\n\nJoins both parts.\n\n- Concern: It is slow.\n- Disputes ${disputed}`,
  );
  const { concerns, disputed: inResult } = resultOf(played).final;
  assert.deepEqual([concerns, inResult], [["It is slow."], disputed]);
  const words = {
    type: "writer.said",
    work: "final fixes",
    said: "Joins both parts.",
    concerns: ["It is slow."],
    disputed,
  };
  assert.deepEqual(said(played), [words]);
});

test("A8: what was said of a fix is in its own commit only; the result has all of it", () => {
  const [first, second] = [
    { summary: "Joins them.", concerns: ["It is slow."] },
    { summary: "Joins them well.", concerns: ["It is long."] },
  ];
  const played = end({
    agents: {
      "final-review": final(
        { findings: [gap] },
        { passed: false, resolutions: [open] },
        { passed: true, resolutions: [{ ...resolved, quote: "fixed(2)" }] },
      ),
      "final-fix": fixing(first, second),
    },
    answers: { "finalize.fix": ["fix", "fix"] },
  });
  const messages = commits(played).flatMap(({ name, message }) => (name === "final-fix" ? [message] : []));
  assert.deepEqual(messages, [
    "workflow: final fixes\n\nJoins them.\n\n- Concern: It is slow.",
    "workflow: final fixes\n\nJoins them well.\n\n- Concern: It is long.",
  ]);
  assert.deepEqual(
    said(played).map(({ concerns }) => concerns),
    [["It is slow."], ["It is long."]],
  );
  assert.deepEqual(resultOf(played).final.concerns, ["It is slow.", "It is long."]);
});

test("A8: what was said of several tries of one fix is in its one commit, each in a paragraph", () => {
  const proof = { ...resolved, quote: "fixed(2)" };
  const played = end({
    config: { validationCommand: "check it" },
    check: (files) => ({ passed: files.get("src/1.ts") !== "fixed(1);", output: "TS2322" }),
    agents: {
      "final-review": final({ findings: [gap] }, { passed: true, resolutions: [proof] }),
      "final-fix": fixing({ summary: "Joins them." }, { summary: "Joins them well." }),
    },
    answers: { "finalize.fix": "fix" },
  });
  const messages = commits(played).flatMap(({ name, message }) => (name === "final-fix" ? [message] : []));
  assert.deepEqual(messages, ["workflow: final fixes\n\nJoins them.\n\nJoins them well."]);
});

test("A8: a finding that a final fixer disputes is answered by the reviewer, and shown so to the person", () => {
  const played = end({
    agents: {
      "final-review": final({ findings: [gap] }, { passed: false, resolutions: [open] }),
      "final-fix": fixing(disputes),
    },
    answers: { "finalize.fix": ["fix", "accept"] },
  });
  const again = dispatches(played).filter(({ name }) => name === "final-review")[1]?.prompt ?? "";
  assert.match(again, /## What the implementer disputes \(a claim\)\n- F1: They meet in src\/2\.ts\./);
  const asked = questions(played).filter(({ id }) => id === "finalize.fix")[1]?.message ?? "";
  assert.match(asked, /- F1 high .*\n {4}The implementer disputes this: They meet in src\/2\.ts\./);
});

const held = "joined(one, two, { at: 'the limit of both' });";
const disputing: Agent = () => ending(disputes);

test("R4: a final finding that is disputed instead of fixed is put to the reviewer once more, who may withdraw it", () => {
  const played = end({
    agents: {
      "final-review": final({ findings: [gap] }, { passed: true, resolutions: [{ ...resolved, quote: "one();" }] }, {}),
      "final-fix": disputing,
    },
    answers: { "finalize.fix": ["fix"] },
  });
  assert.deepEqual(names(played).slice(0, 4), ["final-review", "final-fix", "final-review", "final-review"]);
  assert.match(dispatches(played)[3]?.prompt ?? "", /F1 is called resolved, but its quote is not from a line/);
  const proven = end({
    agents: {
      "final-review": final({ findings: [gap] }, { passed: true, resolutions: [{ ...resolved, quote: held }] }),
      "final-fix": disputing,
    },
    answers: { "finalize.fix": ["fix"] },
    meanwhile: (request, files) => {
      if (request.do === "dispatch" && request.name === "final-review") files.set("src/2.ts", held);
    },
  });
  assert.equal(resultOf(proven).final.verdict, "approved");
});

test("R4: a final finding that its reviewer keeps is the person's at once, and their word reaches the next fixer", () => {
  const played = end({
    agents: {
      "final-review": final({ findings: [gap] }, { passed: false, resolutions: [open] }),
      "final-fix": disputing,
    },
    answers: { "finalize.fix": ["fix", "fix", "accept"] },
  });
  const round = ["final-fix", "final-review"];
  assert.deepEqual(names(played), ["final-review", ...round, ...round]);
  const [, asked] = questions(played).filter(({ id }) => id === "finalize.fix");
  assert.match(
    asked?.message ?? "",
    /after 1 fix:\n {2}- F1 high .*\n {4}The implementer disputes this: They meet in src\/2\.ts\.\n {4}Its reviewer keeps it: Seen as a whole\. Quoted: fixed\(1\)$/,
  );
  const [, again] = dispatches(played).filter(({ name }) => name === "final-fix");
  assert.match(again?.prompt ?? "", /The person has read both sides[^\n]*\n- F1 was disputed: They meet/);
  assert.equal(resultOf(played).final.verdict, "accepted");
});

test("A8: a blocked final fixer is put to the person with its reason, and gets their answer", () => {
  const blocked = { status: "blocked", reason: "Two designs fit.", needs: "Which one?" };
  const played = end({
    agents: {
      "final-review": final({ findings: [gap] }, { passed: true, resolutions: [{ ...resolved, quote: "fixed(2)" }] }),
      "final-fix": fixing(blocked, { summary: "The first." }),
    },
    answers: { "finalize.fix": ["fix", "fix"], "finalize.fix.answer": "The first one." },
  });
  const [, second] = questions(played).filter(({ id }) => id === "finalize.fix");
  assert.match(second?.message ?? "", /is blocked\. The implementer says: Two designs fit\.\nIt needs: Which one\?/);
  const [, fix] = dispatches(played).filter(({ name }) => name === "final-fix");
  assert.match(
    fix?.prompt ?? "",
    /## What was found\n[\s\S]*They do not meet[\s\S]*\nYou were blocked: Two designs fit\.\n[\s\S]*## What the person says\nThe first one\./,
  );
  assert.equal(resultOf(played).final.verdict, "approved");
  const gone = end({
    agents: { "final-review": final({ findings: [gap] }), "final-fix": fixing(blocked) },
    answers: { "finalize.fix": ["fix", "accept"] },
  });
  assert.deepEqual([resultOf(gone).final.verdict, gone.files.get("src/1.ts")], ["accepted", "one();"]);
  const unsaid = end({
    agents: { "final-review": final({ findings: [gap] }), "final-fix": fixing(blocked) },
    answers: { "finalize.fix": ["fix", "fix", "accept"], "finalize.fix.answer": "" },
  });
  assert.equal(dispatches(unsaid).filter(({ name }) => name === "final-fix").length, 1, "nothing said, nobody sent");
  assert.equal(resultOf(unsaid).final.verdict, "accepted");
});

test("A8: what the writer of the documentation says is in its commit, the result and what is told", () => {
  const report = { summary: "Describes the limit.", concerns: ["The old page is wrong too."] };
  const docs: Agent = ({ files }) => {
    files.set("README.md", "new");
    return ending(report);
  };
  const played = end({ agents: { docs }, answers: { "finalize.docs": "yes" } });
  const [commit] = commits(played).filter(({ name }) => name === "docs");
  assert.equal(
    commit?.message,
    "workflow: documentation\n\nDescribes the limit.\n\n- Concern: The old page is wrong too.",
  );
  assert.deepEqual(resultOf(played).docs.concerns, report.concerns);
  assert.deepEqual(
    said(played).map(({ work, concerns }) => [work, concerns]),
    [["documentation", report.concerns]],
  );
});

test("A8: a blocked writer of the documentation is taken back at once, and its reason is told", () => {
  const docs: Agent = ({ files }) => {
    files.set("README.md", "half");
    return ending({ status: "blocked", reason: "The README is made by a tool.", needs: "Leave to run it." });
  };
  const played = end({ agents: { docs }, answers: { "finalize.docs": "yes" } });
  assert.deepEqual([resultOf(played).docs.status, played.files.get("README.md")], ["undone", "old"]);
  assert.equal(names(played).filter((name) => name === "docs").length, 1);
  assert.match(JSON.stringify(facts(played)), /made by a tool\. It needs: Leave to run it\./);
  const untouched = end({
    agents: { docs: () => ending({ status: "blocked", reason: "There is no README." }) },
    answers: { "finalize.docs": "yes" },
  });
  const warnings = facts(untouched).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.deepEqual(warnings, ["The documentation was not updated. The writer was blocked: There is no README."]);
  assert.equal(resultOf(untouched).docs.status, "unchanged");
});
