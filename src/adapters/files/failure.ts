// What can go wrong with superteam's own files, told to a person.

export type StoreFailureKind =
  /** A file could not be written. The old one, if there was one, is still whole. */
  | "unwritable"
  /** A file is there but cannot be read. */
  | "unreadable"
  /** A path leads out of the tree it has to stay in. */
  | "outside"
  /** Another process holds it. */
  | "busy";

export class StoreFailure extends Error {
  readonly kind: StoreFailureKind;
  readonly path: string;

  constructor(kind: StoreFailureKind, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreFailure";
    this.kind = kind;
    this.path = path;
  }
}

/** The error code of the system, such as ENOENT; empty when there is none. */
export function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
