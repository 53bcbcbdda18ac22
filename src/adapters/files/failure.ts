// What can go wrong with superteam's own files, told to a person.

import { OutsideFailure } from "../../ports/failure.ts";

/** After `unwritable` the old file, if there was one, is still whole. */
export type StoreFailureKind = "unwritable" | "unreadable" | "outside" | "busy";

export class StoreFailure extends OutsideFailure {
  readonly path: string;

  constructor(kind: StoreFailureKind, path: string, message: string, options?: ErrorOptions) {
    super(kind, message, options);
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
