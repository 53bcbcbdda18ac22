// The outside as the engine sees it: the ports, and a callback for views.

import type { Agents } from "../../ports/agents.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Person } from "../../ports/person.ts";
import type { Places } from "../../ports/place.ts";
import type { Roles } from "../../ports/roles.ts";
import type { Dispatches, History, Inbox, Queue } from "../../ports/runs.ts";
import type { Settings } from "../../ports/settings.ts";
import type { Asides } from "../asking/asides.ts";
import type { Ahead } from "../asking/question-queue.ts";
import type { Recording } from "./recorder.ts";

/** Ports that depend on what the person says before the first step. */
export type Granted = Pick<World, "settings" | "roles" | "places" | "next">;

export interface World extends Recording {
  readonly agents: Agents;
  readonly person: Person;
  readonly places: Places;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly roles: Roles;
  readonly inbox: Inbox;
  readonly dispatches: Dispatches;
  readonly history: History;
  readonly queue: Queue;
  /** What to do with a long wait (a quota): suspend the run, sleep in this process, or ignore what is left of an earlier one. */
  readonly patience: "suspend" | "sleep" | "forget";
  /** An answer to the question that waits, given with the command that resumes the run. */
  readonly ahead?: Ahead | undefined;
  /** This process and its versions: recorded with each session. */
  readonly session: { readonly pid: number; readonly versions: Readonly<Record<string, string>> };
  /** What is fixed for a role or a step, by its name: it follows the profile in the system text. Empty when there is nothing. */
  readonly instructions?: (name: string) => string;
  /** The role that usually follows a role: its process may be started ahead. */
  readonly next: (role: string) => string | undefined;
  /** Writes a document that is a fold over the run so far, for the last time. */
  readonly publish: (document: "progress" | "summary") => Promise<void>;
  /** Called once per session, before the first step; what it gives is used instead. */
  readonly preflight?: (asides: Asides) => Promise<Granted>;
  /** Called before a flow is given the configuration, and before a check: what the repository contains may have changed (S2). */
  readonly renew?: (asides: Asides) => Promise<void>;
}
