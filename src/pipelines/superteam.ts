// The default pipeline: from a sentence to a design, a plan, one commit per task and a report.

import { z } from "zod";
import { type Flow, scope } from "../core/flow/flow.ts";
import { requirementsOf } from "../core/plan/brainstorm.ts";
import { Plan } from "../core/plan/plan.ts";
import { PlanText } from "../core/plan/revision.ts";
import { ceremonies } from "../core/run/ceremony.ts";
import { modes } from "../core/run/config.ts";
import { guardedIn, pathsIn, RunDocuments } from "../core/run/document-paths.ts";
import { definePipeline } from "../core/run/pipeline.ts";
import { noRemarks, Report } from "../core/run/report.ts";
import type { ScheduleEntry } from "../core/run/schedule.ts";
import { Brainstormed, type BrainstormInput, brainstorm, design } from "../phases/brainstorm/brainstorm.ts";
import { finalize } from "../phases/finish/finalize.ts";
import { buildInParts, type Piece } from "../phases/parts/parts.ts";
import { split } from "../phases/parts/split.ts";
import { planOneTask } from "../phases/plan/one-task.ts";
import { AgreedPlan, planReview } from "../phases/plan/review.ts";
import { planWrite } from "../phases/plan/write.ts";
import { suiteFlows } from "../phases/suite/scratch-run.ts";
import { Choices, configure } from "../phases/task/configure.ts";
import { Executed, execute, type PlannedWork } from "../phases/task/execute.ts";
import { forecastWork } from "../phases/task/forecast.ts";
import { settleTask } from "../phases/task/settle-task.ts";
import type { Carried } from "../phases/task/task-work.ts";
import { reviewFlows } from "../phases/work/review.ts";
import { instructions } from "../prompts/instructions.ts";
import { executePhase, roles, taskQuestions } from "./shared.ts";

/** What the person said when they started the run, so that nobody asks for it again. */
export const Wishes = z.object({
  mode: z.enum(modes).optional(),
  /** The goal itself is the design. */
  skipBrainstorm: z.boolean().default(false),
  /** Stop once the plan is approved and its cost is forecast. */
  dryRun: z.boolean().default(false),
  /** The hard limit in dollars, for every process that continues the run without another one. */
  budgetUsd: z.number().positive().optional(),
  /** It is one piece of work: a run that another one was split into. */
  whole: z.boolean().default(false),
});
export type Wishes = z.infer<typeof Wishes>;

export const SuperteamInput = z.object({
  goal: z.string().trim().min(1),
  documents: RunDocuments,
  wishes: Wishes.prefault({}),
  /** Where a run that waited in line comes from, and where its branch began. */
  queued: z.object({ mark: z.string(), base: z.object({ sha: z.string(), branch: z.string().nullable() }) }).optional(),
});
export type SuperteamInput = z.infer<typeof SuperteamInput>;

const schedule = [
  {
    phase: "brainstorm",
    stage: "design",
    type: "dispatch",
    label: "Brainstorm",
    title: "Brainstorming",
    produces: ["design"],
    counts: ["design"],
    steps: {
      scout: "Scouting codebase",
      questions: "Generating questions",
      approaches: "Generating approaches",
      design: "Writing design",
      // A section that the person did not agree to is written again alone.
      "section-#": "Brainstorm: revising *",
      "*": "Brainstorm: *",
    },
    headings: {
      scout: "Brainstorm: scout exploring codebase",
      questions: "Brainstorm: generating questions",
      approaches: "Brainstorm: proposing approaches",
      design: "Brainstorm: writing design",
    },
    begun: { scout: "🔍 Scouting codebase..." },
  },
  {
    phase: "plan-write",
    stage: "plan",
    type: "dispatch",
    label: "Plan",
    title: "Writing the plan",
    produces: ["plan"],
    requires: ["design"],
    steps: { "*": "Writing implementation plan" },
    begun: { plan: "📝 Drafting plan" },
  },
  {
    phase: "plan-review",
    stage: "plan",
    type: "review",
    label: "Plan review",
    title: "Reviewing the plan",
    produces: ["plan"],
    requires: ["design", "plan"],
    steps: { planner: "Revising plan", "*": "Reviewing plan" },
  },
  { phase: "configure", stage: "plan", type: "inline", label: "Configure", title: "Configuring", requires: ["plan"] },
  executePhase,
  {
    phase: "reassess",
    stage: "build",
    type: "dispatch",
    label: "What is left",
    title: "Looking at what is left",
    requires: ["commits"],
    steps: { "*": "Looking at what is left" },
    begun: { scout: "🔍 Scouting codebase..." },
  },
  { phase: "split", stage: "plan", type: "inline", label: "Split", title: "Splitting" },
  {
    phase: "finalize",
    stage: "finish",
    type: "review",
    label: "Finalize",
    title: "Finalizing",
    requires: ["commits"],
    counts: ["bar"],
    steps: {
      "final-review": "Final review",
      "final-fix": "Fixing what the final review found",
      docs: "Updating documentation",
      "*": "Finalizing: *",
    },
    begun: { "final-review": "📊 Final review..." },
    finished: { "final-fix": "Fixed what the final review found", docs: "Documentation updated" },
  },
] as const satisfies readonly ScheduleEntry[];

type PhaseName = (typeof schedule)[number]["phase"];

export const superteam = definePipeline({
  name: "superteam",
  title: "from a sentence to a design, a plan and one commit per task",
  schedule,
  isPlanned: true,
  input: SuperteamInput,
  returns: Report,
  flows: { ...reviewFlows, ...suiteFlows, "settle-task": settleTask },
  run,
  documents: ({ documents }) => pathsIn(documents),
  guarded: ({ documents }) => guardedIn(documents),
  questions: [
    ...[
      "triage.mode",
      "triage.breadth",
      "brainstorm.question.#",
      "brainstorm.question.#.discuss",
      "brainstorm.question.#.other",
    ],
    ...["brainstorm.approach", "brainstorm.approach.other", "brainstorm.section.#", "brainstorm.section.#.feedback"],
    ...[
      "plan.review",
      "plan.review.guidance",
      "plan.approval",
      "plan.edit",
      "plan.feedback",
      "plan.commit",
      "plan.hook",
      "part.#.next",
    ],
    ...taskQuestions,
    ...["finalize.fix", "finalize.fix.answer", "finalize.fix.commit"],
    ...["finalize.docs", "finalize.docs.commit", "finalize.documents.commit", "finalize.documents.hook"],
  ],
  roles,
  instructions,
});

function* run({ goal, documents, wishes }: SuperteamInput): Flow<Report> {
  const beginning = { goal, path: documents.design, wishes };
  const begun = yield* phase("brainstorm", Brainstormed, brainstorm(beginning));
  const { breadth } = begun;
  const { dryRun, skipBrainstorm } = wishes;
  if (breadth === "splits")
    return yield* phase("split", Report, split({ goal, ...begun, dryRun, skipBrainstorm }, documents));
  const whole = { goal, begun, documents, dryRun };
  const buildPart = (part: Piece) => build({ ...part, dryRun });
  const built = yield* breadth === "batches" ? buildInParts(whole, buildPart) : buildWhole(whole, beginning);
  return yield* phase("finalize", Report, finalize(built, documents));
}

/** What proves to be more than one task gets the design and the plan of a larger mode, and keeps the work so far. */
function* buildWhole(whole: Piece, beginning: BrainstormInput): Flow<PlannedWork & Executed> {
  const built = yield* build(whole);
  if (!built.outgrown) return built;
  const { mode, files } = built.outgrown;
  const begun = yield* phase("brainstorm", Brainstormed, design(beginning, { ...whole.begun, mode }, files));
  return yield* build({ ...whole, begun }, built.outgrown);
}

/** From a design to commits: a plan, how it is worked through, and the tasks. `carried` is work that is there already. */
export function* build(piece: Piece, carried: Carried | null = null): Flow<PlannedWork & Executed> {
  const { goal, begun, earlier = [] } = piece;
  const { mode } = begun;
  const agreed = ceremonies[mode].planner
    ? yield* agreedPlan(piece, carried?.files ?? [])
    : { plan: yield* phase("plan-write", Plan, planOneTask(goal, begun)), text: "", remarks: noRemarks };
  const { plan, text: document, remarks } = agreed;
  const choices = piece.choices ?? (yield* phase("configure", Choices, configure(mode)));
  const requirements = requirementsOf(begun.sections);
  const work = { goal, mode, plan, document, remarks, requirements, choices, earlier, carried };
  // A person who has started the run once, or chosen how its tasks are run, has seen the first forecast.
  const dryRun = piece.dryRun === true && piece.choices === undefined && carried === null;
  const executed = yield* phase(executePhase.phase, Executed, foreseen(work, { dryRun }));
  return { ...work, ...executed };
}

function* foreseen(work: PlannedWork, wishes: Pick<Wishes, "dryRun">): Flow<Executed> {
  yield* forecastWork(work, wishes);
  return yield* execute(work);
}

function* agreedPlan({ goal, begun, documents, part }: Piece, there: readonly string[]): Flow<AgreedPlan> {
  const { mode, map, sections } = begun;
  const whole = {
    goal,
    mode,
    map,
    begun: there,
    design: begun.design,
    path: documents.plan,
    requirements: requirementsOf(sections),
  };
  const job = part === undefined ? whole : { ...whole, part };
  const draft = yield* phase("plan-write", PlanText, planWrite(job));
  return yield* phase("plan-review", AgreedPlan, planReview(job, draft, documents.design));
}

function phase<S extends z.ZodType>(name: PhaseName, returns: S, flow: Flow<z.output<S>>): Flow<z.output<S>> {
  return scope({ name, kind: "phase", returns }, flow);
}
