// What can go wrong with a journal on disk, told to a person: what happened, to which file, and what to do now.

import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import { codeOf } from "../files/present.ts";

/**
 * `unwritable`: a write or a sync failed, nothing more is written, and what was acknowledged before is there. `unreadable`:
 * there is no journal here that could be read, or it has no run header. What is `unreadable` or `newer` was left alone.
 */
export type JournalFailureKind = "unwritable" | "unreadable" | "newer" | "older" | "exists" | "disturbed" | "closed";

export class JournalFailure extends OutsideFailure {
  readonly file: string;

  constructor(kind: JournalFailureKind, file: string, message: string, options?: ErrorOptions) {
    super(kind, message, options);
    this.file = file;
  }
}

/** A failed write or sync, with the remedy for its cause. `file` may be the journal or one of its blobs. */
export function unwritable(file: string, cause: unknown): JournalFailure {
  if (cause instanceof JournalFailure) return cause;
  const code = codeOf(cause);
  const reason = reasonOf(cause);
  const message = `The run cannot be recorded: writing ${file} failed (${reason}). ${remedy(code)}, then: superteam resume`;
  return new JournalFailure("unwritable", file, message, { cause });
}

export function disturbed(file: string, what: string): JournalFailure {
  const message = `${file} ${what} while the run was using it. End the other process, then: superteam resume`;
  return new JournalFailure("disturbed", file, message);
}

function remedy(code: string): string {
  if (code === "ENOSPC" || code === "EDQUOT") return "Free some space on that disk";
  if (code === "EROFS") return "Make that file system writable again";
  if (code === "EFBIG") return "Raise the limit on the size of files (ulimit -f)";
  if (code === "EACCES" || code === "EPERM") return "Make that file writable for you";
  if (code === "EIO") return "Check that disk: it reports an input/output error";
  return "Remove the cause";
}
