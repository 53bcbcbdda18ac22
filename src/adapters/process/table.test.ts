import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { test } from "node:test";
import { birthOf, processTable, psTable, variableOf, youngerProcesses } from "./table.ts";

test("this process is in the table, with its parent and a birth that stays the same", async () => {
  const row = (await processTable()).find(({ pid }) => pid === process.pid);
  assert.equal(row?.parent, process.ppid);
  assert.equal(row?.birth, await birthOf(process.pid));
  assert.notEqual(row?.birth, "");
});

test("what started since a process did is found among few, or among all when numbers may have come round", async () => {
  const child = spawn("sleep", ["300"]);
  const pid = child.pid ?? 0;
  const isIn = (rows: readonly { pid: number }[], wanted: number) => rows.some((row) => row.pid === wanted);
  const few = await youngerProcesses(pid, 0);
  const all = await youngerProcesses(pid, 1e9);
  child.kill("SIGKILL");
  assert.deepEqual([isIn(few, pid), isIn(all, pid), isIn(all, process.pid)], [true, true, true]);
  assert.ok(few.length <= all.length);
});

const noPs = spawnSync("ps", ["-A"]).status === 0 ? false : "there is no ps here";

test("ps tells the same parents and groups", { skip: noPs }, async () => {
  const rows = await psTable();
  const own = rows.find(({ pid }) => pid === process.pid);
  const same = (await processTable()).find(({ pid }) => pid === process.pid);
  assert.deepEqual([own?.parent, own?.group], [same?.parent, same?.group]);
  assert.match(own?.birth ?? "", /\d\d:\d\d:\d\d \d{4}$/);
});

test("a variable is read from the environment a process was started with", {
  skip: process.platform !== "linux",
}, () => {
  const path = process.env["PATH"];
  assert.equal(variableOf(process.pid, "PATH"), path);
  assert.equal(variableOf(process.pid, "ATH"), undefined);
  assert.equal(variableOf(2 ** 30, "PATH"), undefined);
});
