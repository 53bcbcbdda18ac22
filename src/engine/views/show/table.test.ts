import assert from "node:assert/strict";
import { test } from "node:test";
import { left, right, tableLines } from "./table.ts";

test("a column of nothing but zeros is left out, and the first never is", () => {
  const columns = [left("role"), right("input"), right("cache read"), left("task"), left("end")];
  const rows = [
    ["scout", "100", "0", "", "finished"],
    ["", "0", "0", "", "cut"],
  ];
  assert.deepEqual(tableLines(columns, rows), ["role   input  end", "scout    100  finished", "           0  cut"]);
  assert.deepEqual(tableLines(columns, [["scout", "1", "2", "3", ""]]), [
    "role   input  cache read  task",
    "scout      1           2  3",
  ]);
});
