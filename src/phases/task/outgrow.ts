// The implementer may find the work larger than expected. The person is then asked before any review; whatever they decide, the work so far
// stays.

import { config, type Flow, record } from "../../core/flow/flow.ts";
import type { Bigger } from "../../core/plan/triage.ts";
import { ceremonies, isMore } from "../../core/run/ceremony.ts";
import { settingsIn } from "../../core/run/mode-settings.ts";
import { type AbortableQuestion, askOrAbort } from "../work/ask.ts";
import { warn } from "../work/consult.ts";
import { findChanges } from "./inspect.ts";
import { type Outgrown, stepOf, type TaskWork, useSettings } from "./task-work.ts";

/** What the last report says about the size of the work, and what the person makes of it; undefined: the task continues. */
export function* weigh(job: TaskWork): Flow<Outgrown | undefined> {
  const bigger = yield* proposalIn(job);
  if (bigger === undefined) return undefined;
  job.isWeighed = true;
  const question = biggerQuestion(job, bigger);
  const choice = yield* askOrAbort(question, "the person ended the run when the work turned out larger");
  if (choice !== "switch") return undefined;
  const { mode, reason } = bigger;
  const { rounds } = ceremonies[mode];
  yield* record({ type: "triaged", mode, proposed: mode, reason, breadth: "one", parts: [], rounds });
  if (!ceremonies[job.settings.mode].planner) return yield* leave(job, bigger);
  useSettings(job, settingsIn(mode, yield* config()));
  return undefined;
}

/** Asked once per task. A report that cannot be read is no reason to have the work done again. */
function* proposalIn(job: TaskWork): Flow<Bigger | undefined> {
  const { report } = job;
  if (job.isWeighed || report === null || job.weighed === report) return undefined;
  job.weighed = report;
  if (report.problem !== null) {
    yield* warn(`The implementer's report cannot be read, so only its text is used: ${report.problem}`);
    return undefined;
  }
  const { bigger } = report.report;
  if (!bigger || isMore(bigger.mode, job.settings.mode)) return bigger ?? undefined;
  yield* warn(
    `The implementer asks for ${bigger.mode} mode, which is not larger than ${job.settings.mode}: ${bigger.reason}`,
  );
  return undefined;
}

/** Nothing is recommended: more process is more to pay and to answer, and the person has said how much they want. */
function biggerQuestion(job: TaskWork, { mode, reason }: Bigger): AbortableQuestion {
  const now = job.settings.mode;
  const hasPlan = ceremonies[now].planner;
  return {
    id: stepOf(job, "bigger"),
    title: "More Work Than Expected",
    message: `Task "${job.input.task.title}" is more than ${now} mode is for. The implementer proposes ${mode}: ${reason}`,
    options: [
      { key: "keep", label: `Continue in ${now} mode`, hint: "the work so far is reviewed as it is" },
      {
        key: "switch",
        label: `Switch to ${mode} mode`,
        hint: hasPlan
          ? `for the rest of the run: ${ceremonies[mode].meaning}`
          : `${ceremonies[mode].meaning}; the work so far stays and becomes part of the first task`,
      },
    ],
  };
}

/** The work stays in the tree as it is. */
function* leave(job: TaskWork, { mode }: Bigger): Flow<Outgrown> {
  const { files } = yield* findChanges(job);
  const tests = job.suite?.known ?? null;
  const { start, unheld } = job.range;
  const held = unheld.size === 0 ? {} : { unheld: [...unheld] };
  return { status: "outgrown", mode, start, files: files.map(({ path }) => path), ...held, tests };
}
