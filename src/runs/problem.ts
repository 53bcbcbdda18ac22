// What a person can get wrong or lack, told in words: never a stack trace. What a command exits with is the host's to say.

export type ProblemKind =
  /** A command, its answers or the configuration make no sense. */
  | "wrong-usage"
  /** Something is missing here: a repository, a model, the right to write. */
  | "not-possible"
  /** A run, or a question, waits for the person first. */
  | "waiting"
  | "over-budget"
  /** The person stopped it before it began. */
  | "interrupted"
  | "failed";

export class Problem extends Error {
  readonly kind: ProblemKind;
  constructor(message: string, kind: ProblemKind) {
    super(message);
    this.name = "Problem";
    this.kind = kind;
  }
}
