// What can go wrong with a journal on disk, told to a person: what happened, to which file, and what to do now.
//
// `unwritable`: a write or a sync failed, nothing more is written, and what was acknowledged before is there. `unreadable`:
// there is no journal here that could be read, or it has no run header. What is `unreadable` or `newer` was left alone.

import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import { codeOf } from "../files/present.ts";

/** A failed write or sync, with the remedy for its cause. `file` may be the journal or one of its blobs. */
export function unwritable(file: string, cause: unknown): OutsideFailure {
  if (cause instanceof OutsideFailure) return cause;
  const remedy = remedies[codeOf(cause)] ?? "Fix the cause";
  const message = `The run cannot be recorded: writing ${file} failed (${reasonOf(cause)}). ${remedy}, then: superteam resume`;
  return new OutsideFailure("unwritable", message, { cause });
}

/** What is being written there, with such a failure when it does not work. */
export function writing<T>(file: string, act: Promise<T>): Promise<T> {
  return act.catch((cause: unknown) => {
    throw unwritable(file, cause);
  });
}

export function disturbed(file: string, what: string): OutsideFailure {
  const message = `${file} ${what} while the run was using it. End the other process, then: superteam resume`;
  return new OutsideFailure("disturbed", message);
}

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: "Free some space on that disk",
  EDQUOT: "Free some space on that disk",
  EROFS: "Make that file system writable again",
  EFBIG: "Raise the limit on the size of files (ulimit -f)",
  EACCES: "Make that file writable for you",
  EPERM: "Make that file writable for you",
  EIO: "Check that disk: it reports an input/output error",
};
