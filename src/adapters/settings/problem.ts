// What is wrong with a configuration, said to the person who wrote it: the file, the place in it, what is there and what
// may be there.

import type { z } from "zod";
import { shorten } from "../../core/text/format.ts";
import { nearest } from "../../core/text/nearest.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import { keysAt } from "./schema-keys.ts";

export interface ConfigFault {
  readonly file: string;
  /** Such as `review.blockOnSeverity`, or `line 3, column 5` when the file is not JSON. */
  readonly place: string;
  readonly what: string;
}

/** The configuration cannot be used. Nothing was started. */
export class ConfigProblem extends OutsideFailure {
  readonly problems: readonly ConfigFault[];
  constructor(problems: readonly ConfigFault[]) {
    const lines = problems.map(({ file, place, what }) => `  ${file}: ${place === "" ? "" : `${place}: `}${what}`);
    const whole = ["The configuration cannot be used:", ...lines, "Correct it and run the command again."];
    super("configuration", whole.join("\n"));
    this.problems = problems;
  }
}

/** A complaint of the schema's, with the path it is about: an unknown key is a place of its own. */
export interface Complaint {
  readonly path: readonly PropertyKey[];
  readonly what: string;
}

export function complaints(schema: z.core.$ZodType, issue: z.core.$ZodIssue, value: unknown): readonly Complaint[] {
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path, what: describe(issue, at(value, issue.path)) }];
  const known = keysAt(schema, issue.path);
  return issue.keys.map((key) => ({ path: [...issue.path, key], what: unknownKey(key, known) }));
}

export function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (place, key) => (typeof key === "number" ? `${place}[${key}]` : `${place}${place === "" ? "" : "."}${String(key)}`),
    "",
  );
}

/** The value at a path, if any. */
function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  const suggestion = near === undefined ? "" : `did you mean ${near}? `;
  return `there is no such key; ${suggestion}known here: ${known.join(", ")}`;
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      if (!issue.message.startsWith(schemasOwn)) return `${shown(value)} ${issue.message}`;
      return `${shown(value)} is not ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `${shown(value)} is not allowed; allowed: ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `${shown(value)} is too small; ${bound(issue.origin, issue.inclusive ? "at least" : "more than", issue.minimum)}`;
    case "too_big":
      return `${shown(value)} is too big; ${bound(issue.origin, issue.inclusive ? "at most" : "less than", issue.maximum)}`;
    default:
      return `${shown(value)} ${issue.message}`;
  }
}

/** How zod begins what it says where a key has no words of its own. */
const schemasOwn = "Invalid input";

const kinds: Readonly<Record<string, string>> = {
  string: 'a text in "double quotes"',
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list: [ ... ]",
  object: "an object: { ... }",
  record: "an object: { ... }",
};

function bound(origin: string, relation: string, limit: number | bigint): string {
  return `allowed: ${relation} ${limit}${origin === "string" ? " characters" : origin === "array" ? " entries" : ""}`;
}

function shown(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "nothing", 60);
}
