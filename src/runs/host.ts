// The host of a run, as the run sees it: who answers, where messages go, and who runs the agents.

import type { Question } from "../core/flow/question.ts";
import type { Redact } from "../core/text/secrets.ts";
import type { Halt } from "../engine/drive/halt.ts";
import type { LiveEvent } from "../engine/drive/recorder.ts";
import type { OpenBackends } from "../ports/backend.ts";
import type { Person } from "../ports/person.ts";
import { Problem } from "./problem.ts";

export interface Host {
  /** Opens the person of a run; it is closed when the run ends or is suspended. */
  readonly audience: (gathering: Gathering) => Promise<Audience>;
  /** Whether a run that is active already is given up for the new one. Throws a Problem when nobody says. */
  readonly givesUp: (active: ActiveRun) => Promise<boolean>;
  /** Tells what is not part of a run. */
  readonly tell: (text: string) => void;
  /** Where JSON lines go; undefined when nobody asked for them. */
  readonly json: ((line: string) => void) | undefined;
  /** Takes secrets out of what is said. */
  readonly redact: Redact;
  /** How wide widgets may be. */
  readonly columns: () => number;
  /** Who can run agents here. */
  readonly backends: () => OpenBackends;
  /** For somebody who embeds it. */
  readonly watch: ((sight: LiveEvent) => void) | undefined;
  /** The run ends with this process, as in the demo: no message says how to resume it. */
  readonly onlyNow: boolean;
}

export interface Gathering {
  readonly halt: Halt;
  /** How often each question was answered in this run so far. */
  readonly served: ReadonlyMap<string, number>;
  /** Shown when agents are let finish. */
  readonly draining: () => void;
}

export interface Audience {
  readonly person: Person;
  /** Answers that were given and are none to their question. */
  readonly problems: () => readonly string[];
  readonly close: () => void;
}

/** The signal stops agents at once and suspends the run. It does nothing to a run that has stopped. */
export function stopWhen(signal: AbortSignal, { halt }: Pick<Gathering, "halt">): void {
  const stop = (): void => halt.stop("interrupted");
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
}

/** The first Escape lets agents finish, the second stops them. */
export function onEscape({ halt, draining }: Pick<Gathering, "halt" | "draining">): void {
  if (halt.reason === undefined) {
    halt.drain("stopped");
    draining();
  } else {
    halt.stop("stopped");
  }
}

export interface ActiveRun {
  readonly runId: string;
  readonly goal: string;
  /** How far it is, and what it has cost. */
  readonly standing: string;
}

/** Asked where a run is active already. */
export function activeQuestion({ goal, standing }: ActiveRun): Question {
  const choice = "A workflow is already in progress. Start a new one?\nYes ends it for good; No continues it.";
  return {
    id: "run.active",
    kind: "confirm",
    title: "Active Workflow",
    message: `${choice}\n\n${goal}\n${standing}`,
    // Pressing Enter without reading loses nothing.
    recommended: "no",
  };
}

export function nothingStarted({ runId }: Pick<ActiveRun, "runId">): Problem {
  return new Problem(
    [
      `A run is already in progress in this tree (${runId}). Nothing was started.`,
      "Continue it: superteam resume. See where it stands: superteam status. End it: superteam abort.",
    ].join("\n"),
    "waiting",
  );
}
