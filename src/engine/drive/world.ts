// The outside as the engine sees it: the ports, and a window for whoever shows what is going on.

import type { AgentEvent, Agents } from "../../ports/agents.ts";
import type { Checks } from "../../ports/checks.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Documents } from "../../ports/documents.ts";
import type { Entry, Journal } from "../../ports/journal.ts";
import type { Person } from "../../ports/person.ts";
import type { Repo } from "../../ports/repo.ts";
import type { Roles } from "../../ports/roles.ts";
import type { Dispatches, History, Inbox, Queue } from "../../ports/runs.ts";
import type { Settings } from "../../ports/settings.ts";
import type { Asides } from "../asking/asides.ts";
import type { Ahead } from "../asking/question-queue.ts";

/** Ports that depend on what the person says before the first step. */
export type Granted = Pick<World, "settings" | "roles" | "checks">;

export interface World {
  readonly journal: Journal;
  readonly agents: Agents;
  readonly person: Person;
  readonly repo: Repo;
  readonly checks: Checks;
  readonly clock: Clock;
  readonly documents: Documents;
  readonly settings: Settings;
  readonly roles: Roles;
  readonly inbox: Inbox;
  readonly dispatches: Dispatches;
  readonly history: History;
  readonly queue: Queue;
  /**
   * What becomes of a wait that nobody sits through: the run is suspended, or this process sleeps, or the time that is left of
   * one from an earlier life is forgotten.
   */
  readonly patience: "suspend" | "sleep" | "forget";
  /** An answer to the question that waits, given with the command that goes on with the run. */
  readonly ahead?: Ahead | undefined;
  /** Recorded with each session. */
  readonly versions: Readonly<Record<string, string>>;
  /** The role that usually follows a role: its process may be started ahead. */
  readonly next: (role: string) => string | undefined;
  /** Writes a document that is a fold over the run so far, for the last time. */
  readonly publish: (document: "progress" | "summary") => Promise<void>;
  readonly watch: (sight: LiveEvent) => void;
  /** Called once per session, before the first step; what it gives is used instead. */
  readonly preflight?: (desk: Asides) => Promise<Granted>;
}

/** What can be seen while a run goes on: each entry when it is journaled, and what agents do in between. */
export type LiveEvent =
  | { readonly type: "entry"; readonly entry: Entry }
  | { readonly type: "agent"; readonly key: string; readonly role: string; readonly event: AgentEvent }
  /** Nothing new starts; so many agents are let finish. */
  | { readonly type: "draining"; readonly agents: number }
  | { readonly type: "told"; readonly text: string };
