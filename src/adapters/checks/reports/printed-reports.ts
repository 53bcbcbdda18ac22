// Reports that a runner prints, line by line: go's and nextest's events, and cargo's text.

import { z } from "zod";
import { count } from "../../../core/text/format.ts";
import type { TestCase, TestState } from "../../../core/validation/results.ts";
import { CutShort } from "./cut-short.ts";

const GoEvent = z.object({
  Action: z.string(),
  Package: z.string().default(""),
  ImportPath: z.string().default(""),
  Test: z.string().optional(),
  Output: z.string().default(""),
});

/** Only the end of what is printed without limit is kept; failures may be in the rest. */
export function refuseCut(printed: string): void {
  const cut = /^\[\.\.\. \d+ bytes left out\]/.exec(printed)?.[0];
  if (cut !== undefined) throw new Error(`it printed too much: ${cut}`);
}

/** Whether a text has what other output has not: TAP's first line, or its plan and a result. Who reads it is loaded only then. */
export function isTap(printed: string): boolean {
  if (/^TAP version 1[34]\r?$/m.test(printed)) return true;
  return /^1\.\.\d+[ \t]*(?:#.*)?\r?$/m.test(printed) && /^(?:not )?ok\b/m.test(printed);
}

const notBuilt = "does not build or run";
const goStates: Readonly<Record<string, TestState>> = { pass: "passed", fail: "failed", skip: "skipped" };

/** A package that fails without a failing test does not build, or crashed. Before Go 1.24 no event says that it does not build. */
export function readGo(printed: string): readonly TestCase[] {
  refuseCut(printed);
  const cases: TestCase[] = [];
  const said = new Map<string, string>();
  for (const line of printed.split("\n").filter((one) => one.startsWith("{"))) {
    const { Action, Package, ImportPath, Test, Output } = GoEvent.parse(JSON.parse(line));
    const name = `${Package || ImportPath.split(" ")[0]}\n${Test ?? ""}`;
    said.set(name, `${said.get(name) ?? ""}${Output}`);
    const state = goStates[Action];
    const output = said.get(name) ?? "";
    if (state !== undefined && Test !== undefined) cases.push({ file: Package, path: Test.split("/"), state, output });
    if (Action !== "fail" || Test !== undefined) continue;
    if (!cases.some(({ file, state: own }) => file === Package && own === "failed"))
      cases.push({ file: Package, path: [notBuilt], state: "failed", output });
  }
  for (const [, name = ""] of printed.matchAll(/^FAIL\t(\S+) \[(?:build|setup) failed\]$/gm))
    cases.push({ file: name, path: [notBuilt], state: "failed" });
  if (cases.length === 0 && !printed.includes('"Action"')) throw new Error("it printed no events");
  return cases;
}

const LibtestEvent = z.object({
  type: z.string(),
  event: z.string(),
  name: z.string().default(""),
  test_count: z.number().default(0),
  stdout: z.string().default(""),
});

const libtestStates: Readonly<Record<string, TestState>> = { ok: "passed", failed: "failed", ignored: "skipped" };

/** nextest's, an event a line: `letters::letters$tests::adds`, with `#2` for a second try. */
export function readLibtest(printed: string): readonly TestCase[] {
  refuseCut(printed);
  const lines = printed.split("\n").filter((line) => line.startsWith("{"));
  const events = lines.map((line) => LibtestEvent.parse(JSON.parse(line)));
  if (events.length === 0) throw new Error("it printed no events");
  const begun = events.reduce((sum, { type, test_count }) => sum + (type === "suite" ? test_count : 0), 0);
  const cases = events.flatMap(({ type, event, name, stdout: output }): readonly TestCase[] => {
    const state = libtestStates[event];
    const [program = "", ...path] = name.replace(/#\d+$/, "").split("$");
    return type === "test" && state !== undefined ? [{ file: program, path, state, output }] : [];
  });
  if (cases.length < begun) throw new CutShort(`it began ${count(begun, "test")} and reported ${cases.length}`);
  return cases;
}

const cargoStates: Readonly<Record<string, TestState>> = { ok: "passed", FAILED: "failed", ignored: "skipped" };

export function readCargo(printed: string): readonly TestCase[] {
  refuseCut(printed);
  if (!/^(?:running \d+ tests?|test result: )/m.test(printed)) throw new Error("it printed no results");
  const results = [...printed.matchAll(/^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/gm)];
  const begun = [...printed.matchAll(/^running (\d+) tests?$/gm)].reduce((sum, [, number]) => sum + Number(number), 0);
  // A test that ends the process, or prints into its own line, has none.
  if (results.length < begun)
    throw new CutShort(`it began ${count(begun, "test")} and printed ${count(results.length, "result")}`);
  return results.map(([, name = "", said = ""]) => ({
    file: "",
    path: [name],
    state: cargoStates[said] ?? "skipped",
    output: said === "FAILED" ? cargoOutput(printed, name) : "",
  }));
}

function cargoOutput(printed: string, name: string): string {
  const from = printed.indexOf(`---- ${name} stdout ----\n`);
  return from < 0 ? "" : (printed.slice(from).split(/\n\n(?=---- |failures:)/)[0] ?? "");
}
