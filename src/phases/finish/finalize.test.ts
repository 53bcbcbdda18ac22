// What a run says and leaves at its end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { facts, type Played, questions, resultOf } from "../../../test/rig/flow.ts";
import { commits, names } from "../../../test/rig/task.ts";
import { documents, end, final, gap, settled, skipped } from "../../../test/rig/whole.ts";
import type { Mode } from "../../core/run/config.ts";
import type { Settled } from "../../core/run/report.ts";

const report = (played: Played<unknown>) =>
  facts(played).flatMap((fact) => (fact.type === "report" ? [fact.text] : []));

test("the report has the tasks, the final review, the documentation and every waiver", () => {
  const tasks = [settled(1, { waivers: ["it changed nothing and was accepted as it is"] }), settled(2), skipped(3)];
  const played = end(
    { agents: { "final-review": final({ findings: [gap] }) }, answers: { "finalize.fix": "accept" } },
    { tasks, choices: { waivers: ["reviews are single-pass"] } },
  );
  const result = resultOf(played);
  assert.deepEqual(result.tasks, tasks);
  assert.deepEqual([result.final.verdict, result.docs.status], ["accepted", "declined"]);
  assert.deepEqual(result.waivers, [
    "reviews are single-pass",
    "Task 1: it changed nothing and was accepted as it is",
    "the final review's findings were accepted: F1 high cross-task (R1): They do not meet.",
  ]);
  assert.deepEqual(report(played), [
    "2 of 3 tasks complete, 1 skipped. The final review was accepted with 1 open finding.",
  ]);
});

test("the report comes first, then progress and summary, then their commit", () => {
  const played = end();
  assert.deepEqual(report(played), ["2 of 3 tasks complete, 1 skipped."]);
  const ends = played.requests.slice(-6).map((request) => (request.do === "publish" ? request.document : request.do));
  assert.deepEqual(ends, ["record", "config", "progress", "summary", "snapshot", "commit"]);
  assert.deepEqual(commits(played).at(-1)?.documents, [documents.progress, documents.summary]);
});

test("A10: a hotfix leaves no documents unless the configuration asks for them; else they are left or committed as it says", () => {
  const ended = (mode: Mode, commit?: boolean) => {
    const played = end({ config: { documents: { commit } } }, { mode, tasks: [settled(1)] });
    const published = played.requests.filter((request) => request.do === "publish").length;
    return [published, commits(played).length];
  };
  assert.deepEqual(
    [ended("hotfix"), ended("hotfix", false), ended("hotfix", true)],
    [
      [0, 0],
      [2, 0],
      [2, 1],
    ],
  );
  assert.deepEqual(
    [ended("quick"), ended("quick", false)],
    [
      [2, 1],
      [2, 0],
    ],
  );
});

test("a refused commit of the documents is tried again, skipped with a warning, or ends the run", () => {
  const refuse = (nth: number) => (nth === 1 ? ("refused" as const) : undefined);
  const retried = end({ commit: refuse, answers: { "finalize.documents.commit": "retry" } });
  assert.equal(commits(retried).length, 2);
  const left = end({ commit: refuse, answers: { "finalize.documents.commit": "skip" } });
  assert.match(JSON.stringify(facts(left).at(-1)), /Not committed: docs\/plans\/.*-progress\.md, /);
  assert.equal(end({ commit: refuse, answers: { "finalize.documents.commit": "abort" } }).end.how, "failed");
});

test("a mode has a review of the whole always, for several tasks, or never; documentation is offered where it has a step", () => {
  const seen = (mode: Mode, tasks: readonly Settled[]) => {
    const played = end({}, { mode, tasks });
    return [
      names(played).join(),
      questions(played)
        .map(({ id }) => id)
        .join(),
      resultOf(played).final.verdict,
    ];
  };
  const [one, several] = [
    [settled(1), skipped(2)],
    [settled(1), settled(2)],
  ];
  assert.deepEqual(seen("hotfix", one), ["", "", "none"]);
  assert.deepEqual(seen("quick", one), ["", "", "none"]);
  assert.deepEqual(seen("quick", several), ["final-review", "", "approved"]);
  assert.deepEqual(seen("standard", one), ["final-review", "finalize.docs", "approved"]);
  assert.deepEqual(seen("full", one), ["final-review", "finalize.docs", "approved"]);
});
