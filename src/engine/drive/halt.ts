// How a run is brought to a stop. Suspension is never thrown into a flow: the engine just asks it for nothing more.

/** Why nothing new starts. */
export type HaltReason =
  /** A question was closed, or nobody is there to answer it. */
  | "question"
  /** A provider's quota is used up: the run goes on when it is there again. */
  | "quota"
  /** The person asked for it: Escape, `superteam stop`, or Ctrl-C. */
  | "stopped"
  | "interrupted"
  /** The person ended the run from another process. */
  | "aborted"
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
  #reason: HaltReason | undefined;
  #detail = "";
  readonly #agents = new AbortController();
  readonly #heard = new AbortController();

  get reason(): HaltReason | undefined {
    return this.#reason;
  }

  /** What the person had to say about it, if they had. */
  get detail(): string {
    return this.#detail;
  }

  /** Aborted as soon as nothing new may start: closes the question that is open. */
  get asked(): AbortSignal {
    return this.#heard.signal;
  }

  /** Aborted when running agents and checks have to end now. */
  get now(): AbortSignal {
    return this.#agents.signal;
  }

  /** Nothing new starts; what runs is let finish. The first reason counts, but an abort outranks all. */
  drain(reason: HaltReason): void {
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
    if (this.#reason !== undefined) throw new Suspended();
  }
}
