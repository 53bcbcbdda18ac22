import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { birthOf, processTable, psTable, variableOf } from "./table.ts";

test("this process is in the table, with its parent and a birth that stays the same", async () => {
  const row = (await processTable()).find(({ pid }) => pid === process.pid);
  assert.equal(row?.parent, process.ppid);
  assert.equal(row?.birth, await birthOf(process.pid));
  assert.notEqual(row?.birth, "");
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
