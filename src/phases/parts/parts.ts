// A goal in parts, one building on the other. Each is planned on its own, by what the tree is when its turn has come;
// between two of them the scout says whether the rest still holds, and the person decides.

import { z } from "zod";
import { type Flow, fail, record, scope } from "../../core/flow/flow.ts";
import { cutInParts, type PlanScope, Reassessment, scopeOf, type WorkPart } from "../../core/plan/parts.ts";
import { planPath } from "../../core/plan/path.ts";
import { Plan } from "../../core/plan/plan.ts";
import type { RunDocuments } from "../../core/run/document-paths.ts";
import { noRemarks, PlanRemarks, type Settled } from "../../core/run/report.ts";
import { withoutBlocks } from "../../core/text/block.ts";
import { count } from "../../core/text/format.ts";
import { scoutPart } from "../../prompts/part.ts";
import type { Brainstormed } from "../brainstorm/brainstorm.ts";
import { Choices } from "../task/configure.ts";
import { Executed, type PlannedWork } from "../task/execute.ts";
import { type AbortableQuestion, askOrAbort } from "../work/ask.ts";
import { consult, warn } from "../work/consult.ts";

/** What is to be built, from its design on: the whole goal, or one part of it. */
export interface Piece {
  readonly goal: string;
  readonly begun: Brainstormed;
  readonly documents: Pick<RunDocuments, "design" | "plan">;
  /** What follows is there only for a part. */
  readonly part?: PlanScope;
  readonly earlier?: readonly Settled[];
  /** How tasks are worked through, once it was decided. */
  readonly choices?: Choices;
  /** The person wants to see the forecast before the first task of the run. */
  readonly dryRun?: boolean;
}

/** What a part came to; null when the person wanted no more. */
const PartDone = z.object({ plan: Plan, remarks: PlanRemarks, choices: Choices, ...Executed.shape }).nullable();
type PartDone = NonNullable<z.infer<typeof PartDone>>;

export interface GoalInParts {
  readonly goal: string;
  readonly begun: Brainstormed;
  readonly documents: RunDocuments;
}

/** Builds part after part with `build`, as if all were one piece of work. */
export function* buildInParts(
  { goal, begun, documents }: GoalInParts,
  build: (piece: Piece) => Flow<PlannedWork & Executed>,
): Flow<PlannedWork & Executed> {
  const parts = cutInParts(begun.parts, begun.sections);
  let done: PartDone | null = null;
  for (const part of parts) {
    const whole: GoalInParts = { goal, begun, documents };
    const next: PartDone | null = yield* scope(
      { name: `part-${part.number}`, kind: "step", returns: PartDone },
      buildPart({ ...whole, part, parts, done }, build),
    );
    if (next === null) break;
    done = joined(done, next);
  }
  if (done === null) fail({ kind: "impossible", step: "parts", detail: "The goal has no parts." });
  return { goal, requirements: parts.flatMap(({ requirements }) => requirements), ...done };
}

interface PartJob extends GoalInParts {
  readonly part: WorkPart;
  readonly parts: readonly WorkPart[];
  readonly done: PartDone | null;
}

function* buildPart(job: PartJob, build: (piece: Piece) => Flow<PlannedWork & Executed>): Flow<PartDone | null> {
  const { goal, begun, documents, part, done } = job;
  const map = done === null ? begun.map : yield* goOn(job, done);
  if (map === null) return null;
  yield* record({ type: "part.started", part: part.number, of: part.of, title: part.title });
  const earlier = done?.tasks ?? [];
  const sections = begun.sections.filter(({ part: number = 1 }) => number === part.number);
  const built = yield* build({
    goal,
    begun: { ...begun, mode: done?.mode ?? begun.mode, map, sections },
    documents: { design: documents.design, plan: planPath(documents.plan, part.number) },
    part: scopeOf(part, earlier),
    earlier,
    ...(done === null ? {} : { choices: done.choices }),
  });
  const { plan, remarks = noRemarks, choices, start, tasks, mode, outgrown } = built;
  return { plan, remarks, choices, start, tasks, mode, outgrown };
}

/** What the scout reports for this part; null when the person wants the work to end with what is done. */
function* goOn(job: PartJob, { tasks }: PartDone): Flow<string | null> {
  const { goal, part, parts } = job;
  const later = parts.slice(part.number);
  const { map, ...outlook } = yield* scope(
    { name: "reassess", kind: "phase", returns: Reassessed },
    reassess(scoutPart(goal, part, later, tasks)),
  );
  const question = nextPartQuestion(part, tasks, outlook);
  const detail = `the person ended the run after part ${part.number - 1} of ${part.of}`;
  const choice = yield* askOrAbort(question, detail);
  if (choice === "continue") return map;
  const left = parts.slice(part.number - 1).map(({ number, title }) => `${number}. ${title}`);
  yield* warn(`Not done, because ${detail}: ${left.join("; ")}.`);
  return null;
}

const Reassessed = Reassessment.extend({ map: z.string() });

function* reassess(prompt: string): Flow<z.infer<typeof Reassessed>> {
  const { value, said } = yield* consult(
    { step: "part.scout", name: "scout", role: "scout", instructions: "scout-part", access: "read", prompt },
    { tag: "superteam-json", schema: Reassessment },
  );
  const reports = said.map((text) => withoutBlocks(text, "superteam-json"));
  return { ...value, map: reports.reduce((longest, text) => (text.length > longest.length ? text : longest), "") };
}

/** The whole is held against the tree before its first task. */
function joined(before: PartDone | null, now: PartDone): PartDone {
  if (before === null) return now;
  return {
    ...now,
    start: before.start,
    plan: { tasks: [...before.plan.tasks, ...now.plan.tasks] },
    remarks: {
      waivers: [...before.remarks.waivers, ...now.remarks.waivers],
      deferred: [...before.remarks.deferred, ...now.remarks.deferred],
    },
    tasks: [...before.tasks, ...now.tasks],
  };
}

/** `part` comes next. Continuing is recommended only if the scout has no doubt about it. */
function nextPartQuestion(part: WorkPart, done: readonly Settled[], outlook: Reassessment): AbortableQuestion {
  const complete = done.filter(({ status }) => status === "complete").length;
  return {
    id: `part.${part.number - 1}.next`,
    title: "Next Part",
    message: [
      `Part ${part.number - 1} of ${part.of} is done; so far ${complete} of ${count(done.length, "task")} complete.`,
      `Next: part ${part.number}, ${part.title}: ${part.scope}`,
      `The scout on what is left (${outlook.holds ? "still right as planned" : "no longer right as planned"}): ${outlook.reassessment}`,
    ].join("\n"),
    options: [
      { key: "continue", label: "Continue", hint: "plan the next part" },
      { key: "end", label: "End here", hint: "review and finish what is done; leave the rest" },
    ],
    ...(outlook.holds ? { recommended: "continue" } : {}),
  };
}
