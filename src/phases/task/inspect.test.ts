// What counts in a review of a task, and for which tree.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, dispatches, type Files, facts, resultOf } from "../../../test/rig/flow.ts";
import {
  commits,
  config,
  missing,
  names,
  put,
  resolved,
  reviewer,
  run,
  stubborn,
  verdict,
} from "../../../test/rig/task.ts";

test("a reviewer that does not pass the work without a reason is asked once more, then the person decides", () => {
  const played = run({ agents: { "spec-review": reviewer({ passed: false }) } });
  assert.deepEqual(names(played), ["implement", "spec-review", "spec-review"]);
  assert.match(dispatches(played)[2]?.prompt ?? "", /you say passed: false, but no finding of medium or above is open/);
  assert.ok(played.end.how === "waiting");
  assert.equal(played.end.question.id, "execute.task.2.escalation");
  assert.match(played.end.question.message, /the spec review is inconclusive[\s\S]*It says: As said\./);
});

test("a finding that cannot be checked goes back once, and is then only recorded", () => {
  const invented = { ...missing, severity: "medium", anchor: { file: "src/limit.ts", quote: "never written" } };
  const played = run({
    agents: { "spec-review": reviewer({ findings: [invented] }, { findings: [invented], passed: true }) },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "spec-review", "quality-review"]);
  assert.match(
    dispatches(played)[2]?.prompt ?? "",
    /"No client is told apart\." cannot be checked: its quote is not in src\/limit\.ts/,
  );
  const { status, deferred } = resultOf(played);
  assert.equal(status, "complete");
  assert.match(deferred.join(), /F1 medium missing .*no anchor: its quote is not in src\/limit\.ts, verbatim/);
  assert.ok(facts(played).some((fact) => fact.type === "findings.deferred" && fact.task === "2"));
});

test("G11: a review with two blocks that differ is asked for again, and neither counts", () => {
  const twice: Agent = ({ nth }) => (nth === 1 ? `${verdict({ findings: [missing] })}\n\n${verdict()}` : verdict());
  const played = run({ agents: { "spec-review": twice } });
  assert.deepEqual(names(played), ["implement", "spec-review", "spec-review", "quality-review"]);
  assert.match(dispatches(played)[2]?.prompt ?? "", /2 superteam-json blocks that do not say the same/);
});

const grave = { ...missing, anchor: { file: "src/limit.ts", quote: "never written" } };
const claiming = { "spec-review": reviewer({ findings: [grave], passed: true }) };

for (const [how, changed] of [
  ["in a task of a plan", {}],
  ["in a single pass", { review: "single-pass" }],
  ["in a hotfix", { mode: "hotfix" }],
] as const) {
  test(`G8: a grave finding that cannot be anchored is shown to the person before the commit, ${how}`, () => {
    const agents = { ...claiming, "quality-review": claiming["spec-review"] };
    const asked = run({ agents, answers: { "execute.task.2.claims": [] } }, changed);
    assert.ok(asked.end.how === "waiting" && asked.end.question.kind === "select");
    assert.equal(asked.end.question.id, "execute.task.2.claims");
    assert.match(asked.end.question.message, /F1 high missing .*No client is told apart\..*no anchor: its quote/);
    assert.equal(asked.end.question.recommended, undefined);
    assert.deepEqual(commits(asked), [], "nothing is committed before");

    const accepted = run({ agents, answers: { "execute.task.2.claims": "accept" } }, changed);
    assert.equal(commits(accepted).length, 1);
    const { status, waivers } = resultOf(accepted);
    assert.equal(status, "complete");
    assert.match(waivers.join(), /^the person let through: F1 high/);
  });
}

test("G8: a reviewer that does not pass the work is asked about with the grave findings that it could not anchor", () => {
  const asked = run({ agents: { "spec-review": reviewer({ findings: [grave], passed: false }) } });
  assert.ok(asked.end.how === "waiting");
  assert.equal(asked.end.question.id, "execute.task.2.escalation");
  assert.match(
    asked.end.question.message,
    /inconclusive[\s\S]*does not block:\n {2}- F1 high missing .*No client is told apart/,
  );
});

test("G8: the person may have such a finding fixed: then its reviewer has to answer it", () => {
  const answering = reviewer(
    { findings: [grave], passed: true },
    { findings: [grave], passed: true },
    { resolutions: [resolved("F1")] },
  );
  const played = run({ agents: { "spec-review": answering }, answers: { "execute.task.2.claims": "retry" } });
  const looks = ["implement", "spec-review", "spec-review", "quality-review", "fix", "spec-review", "quality-review"];
  assert.deepEqual(names(played), looks);
  assert.equal(resultOf(played).status, "complete");
});

test("what could be checked stands when the rest goes back to the reviewer", () => {
  const unanchored = { ...missing, what: "Something else.", anchor: { requirement: "R9" } };
  const played = run({
    agents: {
      "spec-review": reviewer({ findings: [missing, unanchored] }, { passed: true }, { resolutions: [resolved("F1")] }),
    },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "spec-review", "fix", "spec-review", "quality-review"]);
});

test("nothing outside the tree is read, whatever a reviewer quotes", () => {
  const outside = ["../secret", "/etc/passwd", ".git/config"].map((file) => ({
    ...missing,
    anchor: { file, quote: "x" },
  }));
  const played = run({ agents: { "spec-review": reviewer({ findings: outside }, {}) } });
  assert.deepEqual(
    played.requests.filter((request) => request.do === "read"),
    [],
  );
  assert.equal(resultOf(played).status, "complete");
});

test("a quote is looked up in the file as it is now", () => {
  const quoting = { ...missing, anchor: { file: "src/limit.ts", quote: "limit(1);" } };
  const played = run({
    agents: { "spec-review": reviewer({ findings: [quoting] }, { resolutions: [resolved("F1")] }) },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "spec-review", "quality-review"]);
});

test("a fix that changed nothing is not reviewed again: the verdict for that tree is known", () => {
  const played = run({ ...stubborn, agents: { ...stubborn.agents, fix: () => "I disagree." } });
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "fix"]);
  assert.equal(played.end.how, "waiting");
});

test("nothing is committed that moved after its reviews: it is judged again", () => {
  let moved = false;
  const played = run({
    meanwhile: (request, files) => {
      if (moved || request.do !== "commit") return;
      moved = true;
      files.set("mine.txt", "written by hand");
    },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "quality-review", "spec-review", "quality-review"]);
  assert.equal(resultOf(played).status, "complete");
});

test("after a hook changed the commit the checks and the reviews run again, and it is committed again", () => {
  const formatting = (nth: number, files: Files) => {
    if (nth === 1) files.set("src/limit.ts", "limit(1)\n");
    return undefined;
  };
  const played = run({ config, commit: formatting });
  assert.equal(resultOf(played).status, "complete");
  assert.equal(played.requests.filter((request) => request.do === "check").length, 2);
  assert.deepEqual(names(played).slice(1), ["spec-review", "quality-review", "spec-review", "quality-review"]);
  assert.equal(commits(played).length, 2);
  assert.match(
    JSON.stringify(facts(played)),
    /A commit hook changed task 2 after its reviews[^"]*: src\/limit\.ts\. With/,
  );
  const broken = run({
    config,
    commit: formatting,
    check: (files) => ({ passed: files.get("src/limit.ts") !== "limit(1)\n", output: "broken" }),
  });
  assert.deepEqual(names(broken).slice(3), ["fix", "spec-review", "quality-review"]);
  assert.equal(commits(broken).length, 2);
});

test("T1: the reviewers are shown a file that a hook added, and what they find in it is fixed", () => {
  const found = {
    rule: "extra",
    severity: "high",
    anchor: { file: "evil.js", quote: "evil()" },
    what: "Not asked for.",
  };
  const seen: string[] = [];
  const played = run({
    commit: (nth, files) => {
      if (nth === 1) files.set("evil.js", "evil()");
      return undefined;
    },
    agents: {
      "spec-review": ({ nth, prompt }) => {
        seen.push(prompt);
        if (nth === 2) return verdict({ findings: [found] });
        return verdict({ resolutions: nth === 3 ? [resolved("F1")] : [] });
      },
      fix: ({ files, nth }) => {
        files.delete("evil.js");
        return put(files, `${files.get("src/limit.ts")}\nfixed(${nth});`);
      },
    },
  });
  assert.deepEqual(
    seen.slice(0, 2).map((prompt) => prompt.includes("evil()")),
    [false, true],
  );
  assert.equal(resultOf(played).status, "complete");
  assert.deepEqual(resultOf(played).files, ["src/limit.ts"]);
});

test("where a hook changed only spaces the checks run again, and no reviewer is paid", () => {
  const played = run({
    config,
    commit: (_, files) => {
      files.set("src/limit.ts", `${files.get("src/limit.ts")}\n`);
      return undefined;
    },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "quality-review"]);
  assert.equal(played.requests.filter((request) => request.do === "check").length, 2);
  assert.equal(commits(played).length, 1);
  assert.match(JSON.stringify(facts(played)), /src\/limit\.ts\. Only spaces differ/);
});
