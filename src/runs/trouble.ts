// Trouble from outside that ends a command: a disk that is full, a tree that cannot be written, a configuration that
// makes no sense, a git that fails. It is told in words, with the next step and an exit code. Errors are known by their
// names, so that no command has to load the modules they come from.

import { exitCodes, Problem } from "./problem.ts";

export interface ExplainedError {
  readonly text: string;
  readonly exitCode: number;
}

/** A person's mistake and trouble from outside are told in words; only a bug shows where it happened. */
export function toldOf(error: unknown): ExplainedError {
  if (error instanceof Problem) return { text: error.message, exitCode: error.exitCode };
  const trouble = troubleOf(error);
  if (trouble) return trouble;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = `superteam stopped on a bug of its own. What was done so far is in the journal; superteam resume goes on.\n${detail}`;
  return { text, exitCode: exitCodes.failed };
}

/** Undefined when it is a bug. */
function troubleOf(error: unknown): ExplainedError | undefined {
  if (!(error instanceof Error)) return undefined;
  const exitCode = named[error.name];
  if (exitCode !== undefined) return { text: withNextStep(error), exitCode };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const remedy = remedies[code];
  if (remedy === undefined) return undefined;
  return {
    text: `${error.message}\n${remedy}, then run the command again. ${kept}`,
    exitCode: exitCodes.notPossibleHere,
  };
}

const named: Readonly<Record<string, number>> = {
  JournalFailure: exitCodes.notPossibleHere,
  StoreFailure: exitCodes.notPossibleHere,
  GitFailed: exitCodes.notPossibleHere,
  GitMissing: exitCodes.notPossibleHere,
  ConfigProblem: exitCodes.wrongUsage,
  RoleProblem: exitCodes.wrongUsage,
};

/** What a file operation of our own can meet. Any other code is a bug. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full: free some space on it",
  EDQUOT: "The disk quota is used up: free some space",
  EROFS: "The file system is read-only: make it writable",
  EACCES: "Make that file writable for you",
  EPERM: "Make that file writable for you",
};

/** The others say themselves what to do; git says only what went wrong. */
function withNextStep(error: Error): string {
  if (error.name !== "GitFailed") return error.message;
  return `${error.message}\nRemove the cause, then run the command again. ${kept}`;
}

const kept = "A run that had begun is not lost: superteam resume goes on with it.";
