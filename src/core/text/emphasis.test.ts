import assert from "node:assert/strict";
import { test } from "node:test";
import { emphasized } from "./emphasis.ts";

const bold = (text: string): string => `<${text}>`;

test("a heading and strong words lose their marks and are bold", () => {
  assert.equal(emphasized("## Telling clients apart", bold), "<Telling clients apart>");
  assert.equal(emphasized("# **All** of it", bold), "<All of it>");
  assert.equal(emphasized("- **R1** A bucket, **never** above.", bold), "- <R1> A bucket, <never> above.");
});

test("where bold shows nothing the marks stay", () => {
  const plain = (text: string): string => text;
  for (const line of ["## Tasks", "- **R1** A bucket", "plain"]) assert.equal(emphasized(line, plain), line);
});

test("what only looks like marks stays", () => {
  for (const line of ["#1 is first", "2**8 and 3**9", "src/**/*.ts and test/**", "** a **", "`**x**`", "a ** b ** c"]) {
    assert.equal(emphasized(line, bold), line);
  }
});
