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
