// From the approved design to a plan on disk. The planner writes the document itself; the plan is what is read back.

import { config, type Flow, read, record } from "../../core/flow/flow.ts";
import type { Requirement } from "../../core/plan/brainstorm.ts";
import { type Numbering, readPlan } from "../../core/plan/document.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { PlanText } from "../../core/plan/revision.ts";
import type { Mode } from "../../core/run/config.ts";
import { count, listed, preview } from "../../core/text/format.ts";
import { type DraftBrief, fixPlan, type PlanBrief, planUnwritten, writePlan } from "../../prompts/plan.ts";
import { warn } from "../work/consult.ts";
import { isAgentTriedAgain, retryOrAbort, type Trouble } from "../work/trouble.ts";
import { sendWriter, undoWriter, type WriterOrder, type Written } from "../work/work-range.ts";

export interface PlanJob extends PlanBrief {
  readonly mode: Mode;
  readonly requirements: readonly Requirement[];
}

export function* planWrite(job: PlanJob): Flow<PlanText> {
  return yield* draft(job, "plan", writePlan(yield* briefOf(job)));
}

/** With the current configuration. */
export function* briefOf(job: PlanJob): Flow<DraftBrief> {
  const { tdd } = yield* config();
  return { ...job, tdd };
}

/** Has the planner write the document until it holds a usable plan, or the person gives up. */
export function* draft(job: PlanJob, name: "plan" | "revise", firstPrompt: string): Flow<PlanText> {
  const before = yield* read(job.path);
  for (let prompt = firstPrompt; ; ) {
    const end = yield* tryDraft(job, { name, firstPrompt, before }, prompt);
    if (!("problems" in end)) return end;
    const order = plannerOrder(name, prompt);
    yield* retryOrAbort(order, { id: `${order.step}.unparsable`, ...end.trouble });
    prompt = end.again;
  }
}

interface Drafting {
  readonly name: "plan" | "revise";
  readonly firstPrompt: string;
  /** What stands in the document. */
  readonly before: string | null;
  /** The caller asks the person itself when the planner fails. */
  readonly mayGiveUp?: boolean;
}

/** A few tries at a plan that can be used. What is wrong with it is found by code, for free. */
export function* tryDraft(
  job: PlanJob,
  { name, firstPrompt, before, mayGiveUp = false }: Drafting,
  prompt = firstPrompt,
): Flow<PlanText | UnusableDraft> {
  const numbering = name === "plan" ? "counted" : "kept";
  for (let tries = 1, next = prompt; ; tries++) {
    const { text, said } = yield* sendPlanner(job, { ...plannerOrder(name, next), mayGiveUp });
    const reading = readBack(job, text, before, numbering);
    if (!("problems" in reading)) return yield* written(job.path, reading);
    const isWritten = text !== null && text !== before;
    const again = (isWritten ? fixPlan : planUnwritten)(firstPrompt, reading.problems);
    if (!(yield* isAgentTriedAgain("parse-error", tries))) {
      const trouble = isWritten ? unusable(job, reading, text) : unwritten(job, said);
      return { ...reading, again, trouble: { ...trouble(tries), matter: "parse-error" } };
    }
    yield* warn(`The plan could not be used; the planner fixes it: ${reading.problems.join(" ")}`);
    next = again;
  }
}

export function plannerOrder(name: "plan" | "revise" | "patch", prompt: string): WriterOrder {
  const step = name === "plan" ? "plan.write" : `plan.${name}`;
  return { step, name, role: "planner", prompt };
}

/** One turn of the planner: its answer, and the document afterwards. */
export function* sendPlanner(
  { path }: PlanJob,
  order: WriterOrder,
): Flow<{ readonly text: string | null; readonly said: string }> {
  const written = yield* sendWriter({ ...order, documents: [path] }, null);
  yield* keepToDocument(order.name, written);
  return { text: yield* read(path), said: written.text };
}

export type PlanOnDisk = PlanText & { readonly repairs: readonly string[] };

/**
 * What stands in the document, as far as it can be used. `before` is what stood there before somebody was to write; null
 * when nothing did, or when nobody was.
 */
export function readBack(
  { path, requirements, part }: PlanJob,
  text: string | null,
  before: string | null,
  numbering: Numbering = "kept",
): PlanOnDisk | Unusable {
  if (text === null) return { problems: [`\`${path}\` was not written.`] };
  if (text === before) return { problems: [`\`${path}\` was not written: it has not changed.`] };
  const ids = requirements.map((requirement) => requirement.id);
  const reading = readPlan(text, ids, numbering, part?.firstTask);
  return reading.ok ? { text, plan: reading.plan, repairs: reading.repairs } : reading;
}

export type Unusable = { readonly problems: readonly string[] };

/** With what the planner is told next, and what the person is. */
interface UnusableDraft extends Unusable {
  readonly again: string;
  readonly trouble: Omit<Trouble, "id">;
}

/** Tells of a plan that is on disk, and of what had to be quoted to read it. */
export function* written(path: string, { text, plan, repairs }: PlanOnDisk): Flow<PlanText> {
  if (repairs.length > 0)
    yield* warn(`${path}: texts that are not valid YAML were read as they are written (${repairs.join("; ")}).`);
  yield* tellPlan(path, plan);
  return { text, plan };
}

/** Without a path the plan is in no document. */
export function* tellPlan(path: string | null, { tasks }: Plan): Flow<void> {
  const lines = tasks.map(({ id, title, complexity, files, criteria, covers, dependsOn }) => {
    return { id: `${id}`, title, complexity, files, criteria, covers, dependsOn: dependsOn.map(String) };
  });
  yield* record({ type: "plan.written", path, tasks: lines });
}

/** The plan is a document of the run and no part of the tree: whatever else the planner wrote goes. */
function* keepToDocument(name: string, written: Written): Flow<void> {
  const { changed } = written.traces;
  if (changed.length === 0) return;
  const backupRef = yield* undoWriter(name, written);
  yield* warn(
    `The planner may only write the plan, but ${listed(changed)} changed. That was undone; the changes are kept at ${backupRef}.`,
  );
}

type TroubleWords = (tries: number) => Omit<Trouble, "id" | "matter">;

function unwritten({ path }: PlanJob, said: string): TroubleWords {
  return (tries) => ({
    title: "Plan Not Written",
    message: [
      `The planner did not write ${path}, ${count(tries, "time")} in a row.`,
      `It said: ${said.trim() === "" ? "nothing" : preview(said, 2_000)}`,
      "Retry to send it again.",
    ].join("\n"),
    short: `the planner did not write ${path}`,
  });
}

function unusable({ path }: PlanJob, { problems }: Unusable, text: string): TroubleWords {
  return (tries) => ({
    title: "Plan Error",
    message: [
      `The plan in ${path} cannot be used, ${count(tries, "time")} in a row.`,
      `The plan:\n${preview(text, 4_000)}`,
      "",
      // Beside the answers: on a short screen the start of the plan is out of sight.
      "Problems:",
      ...problems.map((problem) => `- ${problem}`),
      "Retry to have it fixed.",
    ].join("\n"),
    short: `the plan in ${path} could not be used: ${problems[0]}`,
  });
}
