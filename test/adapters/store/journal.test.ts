// A journal whose writer is killed, or whose disk is full: real processes, real limits.

import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openFileJournal } from "../../../src/adapters/journal/file.ts";
import type { Journal } from "../../../src/ports/journal.ts";

const writer = join(import.meta.dirname, "../../rig/store/write-journal.ts");

for (const [what, size] of [
  ["short records", 100],
  ["long texts", 20_000],
] as const) {
  test(`kill -9 amid ${what} loses nothing that was acknowledged`, async (t) => {
    const root = await temporary(t);
    for (let round = 0; round < 4; round++) {
      const folder = join(root, `run-${round}`);
      const child = spawn(process.execPath, [writer, folder, String(size)], { stdio: ["ignore", "pipe", "inherit"] });
      const lines = await linesUntil(child, 10 + round * 37);
      assertHolds(await reopened(folder), lines);
    }
  });
}

test("on a full disk the run is told what to do, and everything acknowledged is there afterwards", async (t) => {
  const disk = await mkdtemp(join(tmpdir(), "superteam-disk-"));
  const mounted = mount(disk);
  t.after(() => {
    if (mounted) execFileSync("umount", [disk]);
    return rm(disk, { recursive: true });
  });
  if (!mounted) return t.skip("mounting a small file system is not permitted here");
  await runsOutOfSpace(t, {
    folder: join(disk, "run"),
    program: [process.execPath],
    code: "ENOSPC",
    says: /Free some space/,
  });
});

test("at a limit on the size of files the run is told what to do, and everything acknowledged is there", async (t) => {
  const folder = join(await temporary(t), "run");
  const program = ["sh", "-c", 'ulimit -f 40 && exec "$@"', "sh", process.execPath];
  await runsOutOfSpace(t, { folder, program, code: "EFBIG", says: /ulimit/ });
});

interface Scarcity {
  readonly folder: string;
  readonly program: readonly string[];
  readonly code: string;
  readonly says: RegExp;
}

async function runsOutOfSpace(t: TestContext, { folder, program, code, says }: Scarcity): Promise<void> {
  const [command = "", ...before] = program;
  const child = spawn(command, [...before, writer, folder, "700"], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const lines = await linesUntil(child, Number.POSITIVE_INFINITY);
  const failure = JSON.parse(lines.pop() ?? "");
  assert.equal(failure.kind, "unwritable");
  assert.match(failure.message, new RegExp(`journal\\.jsonl.*${code}.*superteam resume`, "s"));
  assert.match(failure.message, says);
  assert.ok(lines.length > 3);
  assertHolds(await reopened(folder), lines);
}

/** What a child prints until it has printed so many lines, or has ended; then it is killed. */
async function linesUntil(child: ChildProcess, enough: number): Promise<string[]> {
  const gone = once(child, "close");
  let printed = "";
  for await (const chunk of child.stdout ?? []) {
    printed += chunk;
    if (printed.split("\n").length > enough) child.kill("SIGKILL");
  }
  await gone;
  return printed.split("\n").slice(0, -1);
}

async function reopened(folder: string): Promise<Journal> {
  const { journal } = await openFileJournal({ folder });
  await journal.close();
  return journal;
}

function assertHolds(journal: Journal, acknowledged: readonly string[]): void {
  assert.ok(acknowledged.length > 0);
  for (const seq of acknowledged) {
    const entry = journal.entries[Number(seq) - 1];
    assert.ok(entry?.type === "settle", `record ${seq} was acknowledged and is not there`);
    assert.equal(journal.recall(entry.key)?.settled, true);
  }
}

async function temporary(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "superteam-e2e-"));
  t.after(() => rm(root, { recursive: true }));
  return root;
}

function mount(disk: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
