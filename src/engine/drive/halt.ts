// How a run is brought to a stop. Suspension is never thrown into a flow: the engine just asks it for nothing more.

/** Why nothing new starts. */
export type HaltReason =
  /** A question was closed, or nobody is there to answer it. */
  | "question"
  /** A provider's quota is used up: the run continues when it is available again. */
  | "quota"
  /** The person asked for it: Escape, `superteam stop`, or Ctrl-C. */
  | "stopped"
  | "interrupted"
  /** The person ended the run from another process. */
  | "aborted"
  /** Another branch of a race was first. */
  | "cancelled"
  /** Something outside failed, such as a full disk; told by the error that goes with it. */
  | "trouble";

/** Unwinds the engine, not the flow. */
export class Suspended extends Error {
  constructor() {
    super("the run is suspended");
    this.name = "Suspended";
  }
}

export class Halt {
  /** Aborted as soon as nothing new may start: closes the question that is open. */
  readonly asked: AbortSignal;
  /** Aborted when running agents and checks have to end now. */
  readonly now: AbortSignal;
  readonly #parent: Halt | undefined;
  readonly #agents = new AbortController();
  readonly #heard = new AbortController();
  #reason: HaltReason | undefined;
  #detail = "";

  /** With a parent it is that of one branch of a race: what stops the run stops it, and it can be cancelled by itself. */
  constructor(parent?: Halt) {
    this.#parent = parent;
    this.asked = AbortSignal.any([this.#heard.signal, ...(parent ? [parent.asked] : [])]);
    this.now = AbortSignal.any([this.#agents.signal, ...(parent ? [parent.now] : [])]);
  }

  get reason(): HaltReason | undefined {
    return this.#reason ?? this.#parent?.reason;
  }

  /** What the person had to say about it, if they had. */
  get detail(): string {
    return this.#detail;
  }

  /** Nothing new starts; what runs may finish. The first reason is kept, but an abort replaces it. */
  drain(reason: HaltReason): void {
    if (reason !== "cancelled") this.#parent?.drain(reason);
    if (this.#reason === undefined || reason === "aborted") this.#reason = reason;
    this.#heard.abort();
  }

  /** Nothing new starts, and what runs is stopped. */
  stop(reason: HaltReason, detail = ""): void {
    this.drain(reason);
    if (this.#detail === "") this.#detail = detail;
    this.#agents.abort();
  }

  /** Called before anything new: a request that is replayed needs no permission. */
  check(): void {
    if (this.reason !== undefined) throw new Suspended();
  }
}
