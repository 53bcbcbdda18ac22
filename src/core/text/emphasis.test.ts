import assert from "node:assert/strict";
import { test } from "node:test";
import { emphasized } from "./emphasis.ts";

const bold = (text: string): string => `<${text}>`;

test("a heading and strong words lose their marks and are bold", () => {
  assert.equal(emphasized("## Telling clients apart", bold), "<Telling clients apart>");
  assert.equal(emphasized("# **All** of it", bold), "<All of it>");
  assert.equal(emphasized("- **R1** A bucket, **never** above.", bold), "- <R1> A bucket, <never> above.");
});

test("code loses its backticks, and what is in it is taken as it stands", () => {
  assert.equal(emphasized("Undo: `git revert --no-edit 1a2b`", bold), "Undo: <git revert --no-edit 1a2b>");
  assert.equal(emphasized("In `src/**/*.ts` and `test/**` **all**", bold), "In <src/**/*.ts> and <test/**> <all>");
  assert.equal(emphasized("## The `run` command", bold), "<The run command>");
  for (const line of ["```ts", "a ` b", "` a `"]) assert.equal(emphasized(line, bold), line);
});

test("where bold shows nothing the marks stay", () => {
  const plain = (text: string): string => text;
  for (const line of ["## Tasks", "- **R1** A bucket", "`git show`", "plain"])
    assert.equal(emphasized(line, plain), line);
});

test("what only looks like marks stays", () => {
  for (const line of ["#1 is first", "2**8 and 3**9", "src/**/*.ts and test/**", "** a **", "a ** b ** c"]) {
    assert.equal(emphasized(line, bold), line);
  }
});
