// What a pipeline is: the order of its phases, what each is called, who works in them, what it writes and asks, and how
// its runs are shown. The part of it that people see is in the first entry of every run, so that a view that shows a
// run, also one of another version, needs no pipeline.

import type { z } from "zod";
import type { Flow, Flows } from "../flow/flow.ts";
import type { ScheduleEntry } from "./schedule.ts";

/** A role that works in a pipeline. JSON. */
export interface PipelineRole {
  readonly name: string;
  readonly access: "read" | "write";
  /** Who usually comes after it: that role's process may be started ahead. */
  readonly next?: string;
  /** It does the work itself: what it costs is not ceremony, and its tests are expected to be red at first. */
  readonly builds?: boolean;
  /** For a reviewer: the title of its verdicts, such as `Spec review`. */
  readonly review?: string;
  /** What it does while it uses no tool; unset: thinking. */
  readonly thinks?: string;
}

/** What a run's first entry says of its pipeline. JSON. */
export interface PipelineOutline {
  readonly name: string;
  readonly schedule: readonly ScheduleEntry[];
  readonly roles: readonly PipelineRole[];
  /** Its work are the tasks of a plan: a report has their count, the final review and what was spent beside them. */
  readonly isPlanned: boolean;
  /** Whether a run becomes the active one of its tree: shown, answered and resumed there. */
  readonly becomesActive: boolean;
}

export interface Pipeline<Result = unknown> extends PipelineOutline {
  /** For people: what it does, in a few words. */
  readonly title: string;
  readonly input: z.ZodType;
  readonly returns: z.ZodType;
  readonly flows: Flows;
  /** Throws when the input does not fit. */
  readonly start: (input: unknown) => Flow<Result>;
  /** Every path a document of a run with this input may have. */
  readonly documents: (input: unknown) => readonly string[];
  /** Of these, what the run goes by: agents change only those they are sent to write (E3b). The others are written again from the journal. */
  readonly guarded: (input: unknown) => readonly string[];
  /** What is fixed for its roles, and for steps that have their own, by name: part of the system text. */
  readonly instructions: Readonly<Record<string, string>>;
  /** The ids of its questions: `#` stands for a number, `*` for any text. */
  readonly questions: readonly string[];
}

/** What a pipeline may leave out has a usual value. */
type Given<I extends z.ZodType, R extends z.ZodType> = Pick<Pipeline, "name" | "title" | "schedule"> &
  Partial<Pick<Pipeline, "isPlanned" | "becomesActive" | "flows" | "questions" | "roles" | "instructions">> & {
    readonly input: I;
    readonly returns: R;
    readonly run: (input: z.output<I>) => Flow<z.output<R>>;
    readonly documents?: (input: z.output<I>) => readonly string[];
    readonly guarded?: (input: z.output<I>) => readonly string[];
  };

/**
 * Declares a pipeline; `run` and `documents` are typed by the input's schema. Throws when a phase requires what no earlier
 * one produces.
 */
export function definePipeline<I extends z.ZodType, R extends z.ZodType>(given: Given<I, R>): Pipeline<z.output<R>> {
  const { run, documents = () => [], guarded = documents, ...said } = given;
  refuseUnmet(given);
  return {
    ...bareOutline(given.name),
    flows: {},
    questions: [],
    instructions: {},
    ...said,
    start: (input) => run(given.input.parse(input)),
    documents: (input) => documents(given.input.parse(input)),
    guarded: (input) => guarded(given.input.parse(input)),
  };
}

function refuseUnmet({ name, schedule }: Pick<Pipeline, "name" | "schedule">): void {
  const produced = new Set<string>();
  for (const { phase, requires = [], produces = [] } of schedule) {
    const missing = requires.filter((thing) => !produced.has(thing)).join(", ");
    if (missing !== "")
      throw new Error(`Pipeline ${name}: the phase ${phase} requires ${missing}, which no earlier phase produces.`);
    for (const thing of produces) produced.add(thing);
  }
}

/** A program without phases to show. */
export function bareOutline(name: string): PipelineOutline {
  return { name, schedule: [], roles: [], isPlanned: false, becomesActive: true };
}

/** As it goes into the first entry of a run. */
export function outlineOf({ name, schedule, roles, isPlanned, becomesActive }: PipelineOutline): PipelineOutline {
  return { name, schedule, roles, isPlanned, becomesActive };
}
