// Mistakes of the person and failures outside superteam that end a command: a full disk, a tree that cannot be written, an invalid
// configuration, a git that fails. The person gets an explanation with the next step, never a stack trace. The host decides the exit code.

import { OutsideFailure } from "../ports/failure.ts";

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

export interface ExplainedError {
  readonly text: string;
  readonly kind: ProblemKind;
}

/** A person's mistake and trouble from outside are explained in words; only a bug shows where it happened. */
export function toldOf(error: unknown): ExplainedError {
  if (error instanceof Problem) return { text: error.message, kind: error.kind };
  if (error instanceof OutsideFailure) return { text: withNextStep(error), kind: kindOf(error) };
  return troubleOf(error) ?? { text: bugText(error), kind: "failed" };
}

function kindOf({ kind }: OutsideFailure): ProblemKind {
  return kind === "configuration" || kind === "role" ? "wrong-usage" : "not-possible";
}

/** The others say themselves what to do; git says only what went wrong. */
function withNextStep({ kind, message }: OutsideFailure): string {
  return kind === "git-failed" ? `${message}\nFix the cause, then run the command again. ${kept}` : message;
}

/** Undefined when it is a bug. */
function troubleOf(error: unknown): ExplainedError | undefined {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  const remedy = remedies[error.code];
  if (remedy === undefined) return undefined;
  const after = error.code === "ENOTDIR" ? "" : ` ${kept}`;
  return { text: `${error.message}\n${remedy}, then run the command again.${after}`, kind: "not-possible" };
}

/** What a file operation of our own can meet. Any other code is a bug. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full: free some space on it",
  EDQUOT: "The disk quota is used up: free some space",
  EROFS: "The file system is read-only: make it writable",
  EACCES: "Make that file writable for you",
  EPERM: "Make that file writable for you",
  ENOTDIR: "A file is in the place of a folder, perhaps made by an agent: move it away, or restore the folder",
};

const kept = "A run that had begun is not lost: superteam resume continues it.";

function bugText(error: unknown): string {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `superteam stopped because of a bug in superteam. The work so far is in the journal; superteam resume continues.\n${detail}`;
}
