// The end of a run: the whole is reviewed against the design and the documentation is offered, as far as the mode asks
// for it; the run says what it came to, and leaves its progress and summary in the repository where the mode does.

import { changes, type Flow, publish, record } from "../../core/flow/flow.ts";
import { ceremonies } from "../../core/run/ceremony.ts";
import type { Mode } from "../../core/run/config.ts";
import { inShort, type RunDocuments } from "../../core/run/document-paths.ts";
import { inOneLine, noRemarks, type Report } from "../../core/run/report.ts";
import type { Executed, PlannedWork } from "../task/execute.ts";
import { commitDocuments, fateOfDocuments } from "../work/documents.ts";
import { notOffered, offerDocs, writesDocs } from "./docs.ts";
import type { WholeWork } from "./whole-job.ts";
import { notReviewed, reviewWhole } from "./whole-review.ts";

/** The work that is to be ended, and what its tasks came to. */
export type Done = PlannedWork & Pick<Executed, "start" | "tasks">;

export function* finalize(work: Done, documents: RunDocuments): Flow<Report> {
  const whole = wholeOf(work, documents.design);
  const { finalReview, docs: hasDocs } = ceremonies[work.mode];
  const changed = yield* changedIn(whole);
  const isThere = changed.length > 0;
  const isPending = whole.tests !== null && whole.tests.pending.length > 0;
  const isDue = finalReview === "always" || isPending || (finalReview === "of-several" && whole.tasks.length > 1);
  const final = isThere && isDue ? yield* reviewWhole(whole) : notReviewed;
  const docs = isThere && hasDocs && !writesDocs(changed) ? yield* offerDocs(whole, whole) : notOffered;
  const { goal, tasks } = work;
  const report: Report = { goal, tasks, final, docs, waivers: [...whole.waivers, ...final.waivers] };
  return yield* close(report, work.mode, documents);
}

/** The run says what it came to, and leaves its progress and summary in the repository where the mode does. */
export function* close(report: Report, mode: Mode, documents: RunDocuments): Flow<Report> {
  yield* record({ type: "report", text: inOneLine(report) });
  const fate = yield* fateOfDocuments(mode);
  if (fate === "none") return report;
  yield* publish("progress");
  yield* publish("summary");
  const message = `workflow: progress and summary — ${inShort(report.goal)}`;
  if (fate === "committed")
    yield* commitDocuments("finalize.documents", message, [documents.progress, documents.summary]);
  return report;
}

/** Only what is complete is held against the design: what was skipped is neither there nor missing. */
function wholeOf(work: Done, designPath: string): WholeWork {
  const { goal, mode, plan, requirements, choices, start, tasks, remarks = noRemarks } = work;
  const complete = tasks.filter(({ status }) => status === "complete");
  const done = new Set(complete.map(({ task }) => task));
  const covered = new Set(plan.tasks.filter(({ id }) => done.has(id)).flatMap(({ covers }) => covers));
  return {
    goal,
    designPath,
    start,
    mode,
    review: choices.review,
    validated: complete.findLast(({ tree }) => tree !== undefined)?.tree ?? null,
    tests: tasks.findLast(({ tests }) => tests !== undefined)?.tests ?? null,
    tasks: complete.map(({ task: id, title }) => ({ id, title })),
    requirements: requirements.filter(({ id }) => covered.has(id)),
    leftOut: requirements.filter(({ id }) => !covered.has(id)).map(({ id }) => id),
    deferred: [
      ...remarks.deferred.map(ofPlan),
      ...complete.flatMap(({ task, deferred }) => deferred.map((finding) => `Task ${task}: ${finding}`)),
    ],
    waivers: [
      ...remarks.waivers.map(ofPlan),
      ...choices.waivers,
      ...complete.flatMap(({ task, waivers }) => waivers.map((what) => `Task ${task}: ${what}`)),
    ],
    concerns: complete.flatMap(({ task, concerns = [] }) => concerns.map((what) => `Task ${task}: ${what}`)),
  };
}

const ofPlan = (remark: string): string => `Plan: ${remark}`;

function* changedIn({ tasks, start }: WholeWork): Flow<readonly string[]> {
  if (tasks.length === 0) return [];
  const { files } = yield* changes("work", start);
  return files.map(({ path }) => path);
}
