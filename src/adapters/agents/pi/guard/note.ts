// How the guard reports what it did: by entries in pi's session, which pi writes into its stream. Each entry is about one tool call, and comes
// before the end of that call.

import type { GuardNote } from "../../../../core/test-first/guard.ts";
import { asObject, asText } from "../unknown-json.ts";

export const noteName = "superteam-guard";

/** The note in a record of pi's stream, and the call that it is about. */
export function readNote(entry: unknown): { readonly call: string; readonly note: GuardNote } | undefined {
  const { customType, data } = asObject(entry);
  if (customType !== noteName) return undefined;
  const { did, file, call } = asObject(data);
  if (did === "held-back" || did === "gave-way") return { call: asText(call), note: { did, file: asText(file) } };
  return did === "saw-red" || did === "saw-green" ? { call: asText(call), note: { did } } : undefined;
}
