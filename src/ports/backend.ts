// A backend: a program on this machine that runs agents, such as pi. A new one is a folder in `adapters/agents` and a line in
// the list of backends. One run may use several: each order and each process names its own.

import type { Capability } from "../core/run/capability.ts";
import type { Agents, Leftovers } from "./agents.ts";

/** The variables of a process, by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

export interface Backend {
  /** As the configuration, orders and the journal name it. */
  readonly name: string;
  /** How a person gets a model for it, as an order: `run pi and type /login, or ...`. */
  readonly loginAdvice: string;
  /** Variables that it and its providers document. Its agents are given them, besides what a shell needs. */
  readonly variables: readonly string[];
  /** Looks for the program on this machine. */
  find(env: Variables): Promise<BackendSearch>;
  /** Its own tools for what an agent may do; none for an agent that may do nothing. */
  tools(capabilities: readonly Capability[]): readonly string[];
  readonly leftovers: Leftovers;
}

export type BackendSearch =
  | { readonly found: true; readonly backend: FoundBackend }
  /** `detail` says where it was looked for, and what to do. Unknown is a name that no backend has. */
  | { readonly found: false; readonly reason: "missing" | "too-old" | "unknown"; readonly detail: string };

export interface FoundBackend extends Pick<Backend, "name" | "loginAdvice"> {
  readonly version: string;
  /** Which program it is: its version, how it was found, and its file. */
  readonly description: string;
  readonly agents: Agents;
  /** The models it can use now, as `provider/id`; none when nobody has logged in. Asked in the folder of the work. */
  models(cwd: string): Promise<BackendModels>;
  /** What its tools need and is not on this machine, each with the fix, in words for the person. */
  lacks?(): readonly string[];
}

export type BackendModels =
  | { readonly ok: true; readonly models: readonly string[] }
  | { readonly ok: false; readonly detail: string };

/** All backends there are, by name. Each is loaded when it is needed. */
export type Backends = Readonly<Record<string, () => Promise<Backend>>>;

/** The backends as one run uses them. */
export interface OpenBackends {
  /** Looks for a backend once; a name that nobody has is not found. */
  find(name: string): Promise<BackendSearch>;
  /** Each order and each leftover goes to the backend that it names. */
  readonly agents: Agents;
}
