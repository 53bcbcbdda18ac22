// Node's own runner: the reporter that is handed to it, and what that writes, an event a line.

import { z } from "zod";
import type { TestCase, TestState } from "../../../core/validation/results.ts";
import { CutShort } from "./cut-short.ts";

/**
 * A module that writes a report into this file, and shows nothing. The variable by which it came is for the process that was asked alone:
 * what its tests start must not inherit it. A second process has no part in the report.
 */
export const nodeReporter = (report: string): string => String.raw`import { openSync, writeSync } from "node:fs";
const report = ${JSON.stringify(report)};
const own = /--test-reporter=spec --test-reporter-destination=stdout --test-reporter=file:\S+\.mjs --test-reporter-destination=stdout/;
const rest = (process.env.NODE_OPTIONS ?? "").replace(own, "").trim();
if (rest === "") delete process.env.NODE_OPTIONS;
else process.env.NODE_OPTIONS = rest;
const open = () => {
  try {
    return openSync(report, "wx");
  } catch {
    writeSync(openSync(report, "a"), JSON.stringify({ type: "another" }) + "\n");
  }
};
const opened = open();
const write = (event) => opened !== undefined && writeSync(opened, JSON.stringify(event) + "\n");
const said = ({ cause, message }) => String(cause?.stack ?? cause?.message ?? message ?? "").slice(0, 4_000);
export default async function* (events) {
  for await (const { type, data } of events) {
    if (!/^test:(?:start|pass|fail)$/.test(type)) continue;
    const { name, nesting, file = "", skip, todo, details: { error } = {} } = data;
    const why = error ? { failureType: error.failureType, message: said(error) } : {};
    write({ type, name, nesting, file, isLeft: skip !== undefined || todo !== undefined, ...why });
  }
  write({ type: "end" });
}
`;

const NodeEvent = z.object({
  type: z.enum(["test:start", "test:pass", "test:fail", "end", "another"]),
  name: z.string().default(""),
  nesting: z.int().default(0),
  file: z.string().default(""),
  /** Skipped, or to do. */
  isLeft: z.boolean().default(false),
  failureType: z.string().default(""),
  message: z.string().default(""),
});
type NodeEvent = z.infer<typeof NodeEvent>;

/** A test with others in it is named only where it fails by itself. */
export function* readNode(text: string): Iterable<TestCase> {
  const lines = text.split("\n").filter((line) => line !== "");
  const path: string[] = [];
  /** At each depth, whether the test there has others in it. */
  const hasOthers: boolean[] = [];
  let isWhole = false;
  for (const line of lines) {
    const event = eventIn(line);
    if (event.type === "another") throw new Error("more than one process of node's runner wrote it");
    if (event.type === "end") isWhole = true;
    const { name, nesting } = event;
    if (event.type === "test:start") {
      path.splice(nesting, path.length, name);
      hasOthers.splice(nesting, hasOthers.length, false);
      if (nesting > 0) hasOthers[nesting - 1] = true;
    }
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const isGroup = hasOthers[nesting] === true && (event.type === "test:pass" || isOfOthers(event));
    if (!isGroup) yield { file: event.file, path: [...path.slice(0, nesting), name], ...resultOf(event) };
  }
  if (!isWhole) throw new CutShort("its end is missing");
}

/** The last line of a process that was killed may be half of one. */
function eventIn(line: string): NodeEvent {
  try {
    return NodeEvent.parse(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CutShort("a line of it is incomplete");
    throw error;
  }
}

const isOfOthers = ({ failureType }: NodeEvent): boolean => failureType === "subtestsFailed";

function resultOf({ type, isLeft, message }: NodeEvent): { readonly state: TestState; readonly output: string } {
  const state = type === "test:pass" ? "passed" : "failed";
  return { state: isLeft ? "skipped" : state, output: message };
}
