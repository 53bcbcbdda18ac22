// Reports that a runner prints, line by line: go's events and cargo's text.

import { z } from "zod";
import { count } from "../../../core/text/format.ts";
import type { TestCase, TestState } from "../../../core/validation/results.ts";

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

/** Whether a text has what other output has not: the plan of TAP, and a result. Who reads it is loaded only then. */
export function isTap(printed: string): boolean {
  return /^1\.\.\d+[ \t]*(?:#.*)?\r?$/m.test(printed) && /^(?:not )?ok\b/m.test(printed);
}

const goStates: Readonly<Record<string, TestState>> = { pass: "passed", fail: "failed", skip: "skipped" };

/** A package that fails without a failing test does not build, or crashed. */
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
      cases.push({ file: Package, path: ["does not build or run"], state: "failed", output });
  }
  if (cases.length === 0 && !printed.includes('"Action"')) throw new Error("it printed no events");
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
    throw new Error(`it began ${count(begun, "test")} and printed ${count(results.length, "result")}`);
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
