// TAP, the test anything protocol, as a command prints it: tape, node-tap, perl's tests, and every runner that was set to
// print it.

import { type FinalResults, Parser, type Result } from "tap-parser";
import type { TestCase, TestState } from "../../../core/validation/results.ts";
import { CutShort } from "./cut-short.ts";
import { refuseCut } from "./printed-reports.ts";

/** Throws when the tests are not as many as were planned, or were given up: then it is not known which of them passed. */
export function readTap(printed: string): readonly TestCase[] {
  refuseCut(printed);
  const heard: Heard = { cases: [], wrong: [] };
  const parser = new Parser();
  listen(parser, [], heard);
  parser.end(printed);
  const wrong = heard.wrong[0];
  if (wrong !== undefined) throw wrong;
  return heard.cases;
}

interface Heard {
  readonly cases: TestCase[];
  readonly wrong: Error[];
}

/** A subtest is a parser of its own. */
function listen(parser: Parser, around: readonly string[], heard: Heard): void {
  let title = "";
  parser.on("comment", (comment: string) => {
    title = titleIn(comment) ?? title;
  });
  parser.on("child", (child: Parser) => {
    title = "";
    listen(child, [...around, child.name], heard);
  });
  parser.on("assert", (result: Result) => {
    const isTitled = title !== "" && title !== result.name && title !== around.at(-1);
    const path = isTitled ? [...around, title, result.name] : [...around, result.name];
    heard.cases.push({ file: "", path, state: stateOf(result), output: saidBy(result) });
  });
  parser.on("complete", ({ bailout, failures, count, plan: { start, end } }: FinalResults) => {
    if (bailout !== false) heard.wrong.push(new CutShort(`it bailed out: ${bailout}`));
    // With more than was planned it may be several reports, one after the other.
    const isCut = start === null || end === null || count < end - start + 1;
    const errors = failures.flatMap(({ tapError }) => (tapError ? [`it is incomplete: ${tapError}`] : []));
    heard.wrong.push(...errors.map((text) => (isCut ? new CutShort(text) : new Error(text))));
  });
}

/** tape names a test in a comment before what it asserts. A subtest is named by its own result too; a duration is no name. */
function titleIn(comment: string): string | undefined {
  const text = comment.replace(/^\s*#\s*/, "").trim();
  if (text.startsWith("Subtest: ")) return "";
  return text.startsWith("time=") ? undefined : text;
}

function stateOf({ ok, skip, todo }: Result): TestState {
  if (skip || todo) return "skipped";
  return ok ? "passed" : "failed";
}

function saidBy({ ok, diag }: Result): string {
  if (ok || !diag) return "";
  return Object.entries(diag)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}
