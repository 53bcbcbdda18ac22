// npm run bench: measures the ratios that must hold, prints them, writes bench/results.json and exits 1 with the name of
// each bar that was missed.
//   npm run bench -- [row ...] [--plant row=factor]    a planted slowdown multiplies a row's measured side

import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Measured, Row } from "./row.ts";
import { engineRows } from "./rows/engine.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { plant: { type: "string" }, out: { type: "string" } },
});
const all: readonly Row[] = [...engineRows];
const unknown = positionals.filter((name) => !all.some((row) => row.name === name));
if (unknown.length > 0) {
  console.error(`No row is called ${unknown.join(", ")}. There are: ${all.map((row) => row.name).join(", ")}`);
  process.exit(4);
}

const [planted, factor] = (values.plant ?? "=1").split("=");
const rows = all.filter((row) => positionals.length === 0 || positionals.includes(row.name));
const results = [];
for (const row of rows) {
  const measured = slowed(await row.measure(), row.name === planted ? Number(factor) : 1);
  const ok = measured.ratio <= row.bar;
  results.push({ name: row.name, what: row.what, bar: row.bar, ok, ...rounded(measured) });
  console.log(
    `${ok ? "ok  " : "MISS"} ${row.name.padEnd(14)} ${measured.ratio.toFixed(2).padStart(7)} <= ${row.bar}   ${row.what} (${measured.ours.toFixed(1)} / ${measured.theirs.toFixed(1)} ${measured.unit})`,
  );
}

const file = values.out ?? new URL("results.json", import.meta.url).pathname;
const complete = positionals.length === 0 || values.out !== undefined;
if (complete)
  await writeFile(
    file,
    `${JSON.stringify({ node: process.version, planted: values.plant ?? null, results }, null, 2)}\n`,
  );
const missed = results.filter((result) => !result.ok).map((result) => result.name);
if (missed.length > 0) console.error(`Missed: ${missed.join(", ")}`);
process.exit(missed.length > 0 ? 1 : 0);

function slowed(measured: Measured, by: number): Measured {
  return { ...measured, ratio: measured.ratio * by, ours: measured.ours * by };
}

function rounded({ ratio, ours, theirs, unit }: Measured): Measured {
  return { ratio: Number(ratio.toFixed(3)), ours: Number(ours.toFixed(2)), theirs: Number(theirs.toFixed(2)), unit };
}
