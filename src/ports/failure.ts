// A failure outside a run, as the user of a port sees it. Each adapter has failures of its own. All of them are of this class, so that they are
// recognised without loading an adapter or comparing names.

export type OutsideFailureKind =
  /** git ran and failed: a broken repository, or another process in the way. */
  | "git-failed"
  | "git-missing"
  /** The person's configuration, or a role's profile, makes no sense. */
  | "configuration"
  | "role"
  /** Something could not be written, or is there and cannot be read. */
  | "unwritable"
  | "unreadable"
  /** Written by a newer or an older version, and left alone. */
  | "newer"
  | "older"
  /** There is one already, where a new one was to be made. */
  | "exists"
  /** Somebody else changed it while it was in use. */
  | "disturbed"
  /** It was used after it was closed. */
  | "closed"
  /** A path leads out of the tree it has to stay in. */
  | "outside"
  /** Another process holds it. */
  | "busy";

/** The message is for people: what happened, to what, and, except for git's own, what to do now. */
export class OutsideFailure extends Error {
  readonly kind: OutsideFailureKind;

  constructor(kind: OutsideFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.kind = kind;
  }
}

/** Trouble that may pass or can be removed: told by a port, or by the system itself. A path out of the tree comes from inside. */
export function isFromOutside(error: unknown): boolean {
  if (error instanceof OutsideFailure) return error.kind !== "outside";
  return error instanceof Error && "code" in error && systemTrouble.has(String(error.code));
}

const systemTrouble: ReadonlySet<string> = new Set([
  ...["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN"],
]);

/** What went wrong, as the error says it. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** What the system refused, without its code and its call, for where the file is named already. */
export function systemReason(cause: unknown): string {
  return reasonOf(cause)
    .replace(/^E[A-Z0-9]+: /, "")
    .replace(/, \w+(?: '.*')?$/, "")
    .replace("illegal operation on a directory", "it is a folder");
}
