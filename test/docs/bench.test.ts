// The benchmark as a program: that it measures, says what it measured, and finds a bar that is missed. How fast things are
// is its own business, not a test's.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promptLines, promptText } from "../../bench/prompts.ts";
import { all } from "../../bench/rows/all.ts";
import { isLongForm } from "../rig/property.ts";

const project = join(import.meta.dirname, "../..");

interface Report {
  readonly node: string;
  readonly planted: string | null;
  readonly results: readonly Readonly<Record<"name" | "what" | "unit", string> & { ok: boolean }>[];
}

function bench(...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "superteam-bench-"));
  try {
    const out = join(folder, "results.json");
    const options = [join(project, "bench/main.ts"), ...args, "--out", out];
    const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: "utf8", cwd: folder });
    const report = (): Report => JSON.parse(readFileSync(out, "utf8"));
    return { status, stdout, stderr, report: status === 4 ? undefined : report() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// A whole second of measuring several times over: npm run test:slow tries it.
if (isLongForm)
  test("a slowdown that is planted misses its bar: exit 1, and the row is named", () => {
    const { status, stdout, stderr, report } = bench("engine", "--plant", "engine=8");
    assert.equal(status, 1, stderr);
    assert.match(stdout, /^MISS engine /m);
    assert.match(stderr, /^Missed: engine$/m);
    assert.equal(report?.planted, "engine=8");
    assert.deepEqual(
      report?.results.map(({ name, ok }) => ({ name, ok })),
      [{ name: "engine", ok: false }],
    );
  });

test("the rows that are asked for are measured and written down, and the exit code says whether all hold", () => {
  const { status, stdout, report } = bench("engine");
  assert.deepEqual(report?.results.map(shape), [["name", "what", "bar", "ok", "ratio", "ours", "theirs", "unit"]]);
  assert.deepEqual(
    report?.results.map(({ name }) => name),
    ["engine"],
  );
  assert.equal(status, report?.results.every(({ ok }) => ok) ? 0 : 1);
  assert.equal(stdout.trim().split("\n").length, 1);
});

test("a row that does not exist is refused, with the names of those that do", () => {
  const { status, stderr } = bench("no-such-row");
  assert.equal(status, 4);
  assert.match(stderr, /No row is called no-such-row\. There are: engine, growth, resume, stream, /);
});

test("what each role is given is told per dispatch and per task, and what of it was the same before", () => {
  const order = (role: string, step: string, rest: string) => ({
    role,
    system: "1234567890",
    context: "",
    prompt: `${rest}\n\n[superteam] run=r role=${role} step=${step} attempt=1`,
  });
  const task = (id: number) => [order("implementer", `execute/task-${id}/implement`, "x".repeat(1000))];
  const lines = promptLines([order("scout", "brainstorm/scout", ""), ...task(1), ...task(2)], 2);
  assert.deepEqual(
    lines.map(({ who, dispatches, system, shared }) => [who, dispatches, system, shared]),
    [
      ["scout", 1, 10, null],
      ["implementer", 2, 10, 98],
      ["task", 2, 10, 98],
    ],
  );
  assert.equal(lines[1]?.prompt, lines[2]?.prompt);
  const same = promptLines([...task(1), ...task(1)], 2);
  assert.equal(same[0]?.shared, 100);
  assert.match(promptText(same), /implementer +2 +10 +1076 +100 %/);
});

/** Bars that are goals still: a row that holds is to be taken out. */
const goals: readonly string[] = ["task-overhead", "task-wall", "task-processor", "large-repository"];

test("the committed results are whole: every row, under its bar but for the goals, with nothing planted", () => {
  const { results, planted }: Report = JSON.parse(readFileSync(join(project, "bench/results.json"), "utf8"));
  assert.equal(planted, null);
  assert.deepEqual(
    results.map(({ name }) => name),
    all.map(({ name }) => name),
  );
  assert.deepEqual(
    results.filter(({ ok, name }) => !ok && !goals.includes(name)),
    [],
  );
});

function shape(result: Readonly<Record<string, unknown>>): readonly string[] {
  for (const key of ["ratio", "ours", "theirs", "bar"]) assert.ok(Number(result[key]) > 0, key);
  return Object.keys(result);
}
