// npm run bench: measures the ratios that must hold, prints them, writes bench/results.json and exits 1 with the name of
// each bar that was missed.
//   npm run bench -- [row ...]             just these rows; nothing is written unless --out names a file
//   npm run bench -- --plant row[=times]   a real slowdown: the measured side of that row does its work that many times
//   npm run bench -- --out file            where to write

import { writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { promptText } from "./prompts.ts";
import type { Measured, Row } from "./row.ts";
import { all } from "./rows/all.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { plant: { type: "string" }, out: { type: "string" } },
});
const [planted, times = "10"] = (values.plant ?? "").split("=");
const strain = Number(times);
refuseUnknown([...positionals, ...(planted ? [planted] : [])]);

const loadBefore = load();
const results = [];
for (const row of all.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const measured = await row.measure(row.name === planted ? strain : 1);
  const ok = measured.ratio <= row.bar;
  results.push({ name: row.name, what: row.what, bar: row.bar, ok, ...rounded(measured) });
  console.log(line(row, measured, ok));
  if (measured.prompts) console.log(promptText(measured.prompts));
}

const machine = { cpus: cpus().length, loadBefore, loadAfter: load() };
const file = values.out ?? (positionals.length > 0 || planted ? undefined : `${import.meta.dirname}/results.json`);
const report = { node: process.version, platform: `${process.platform} ${process.arch}`, machine, results };
if (file) await writeFile(file, `${JSON.stringify({ ...report, planted: values.plant ?? null }, null, 2)}\n`);
const missed = results.filter((result) => !result.ok).map((result) => result.name);
if (missed.length > 0) console.error(`Missed: ${missed.join(", ")}`);
process.exit(missed.length > 0 ? 1 : 0);

function refuseUnknown(names: readonly string[]): void {
  const unknown = names.filter((name) => !all.some((row) => row.name === name));
  if (unknown.length === 0 && strain >= 1) return;
  console.error(
    unknown.length > 0
      ? `No row is called ${unknown.join(", ")}. There are: ${all.map((row) => row.name).join(", ")}`
      : `--plant ${values.plant}: say how many times, as in --plant engine=10`,
  );
  process.exit(4);
}

function line({ name, bar, what }: Row, { ratio, ours, theirs, unit }: Measured, ok: boolean): string {
  const sides = `${ours.toFixed(1)} / ${theirs.toFixed(1)} ${unit}`;
  return `${ok ? "ok  " : "MISS"} ${name.padEnd(14)} ${ratio.toFixed(2).padStart(7)} <= ${bar}   ${what} (${sides})`;
}

function rounded({ ratio, ours, theirs, ...rest }: Measured): Measured {
  return { ratio: Number(ratio.toFixed(3)), ours: Number(ours.toFixed(2)), theirs: Number(theirs.toFixed(2)), ...rest };
}

/** The load average of the last minute: a busy machine makes every number worth less. */
function load(): number {
  return Number((loadavg()[0] ?? 0).toFixed(2));
}
