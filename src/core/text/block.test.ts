import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { fenced, lastBlock, withoutBlocks } from "./block.ts";

const tags = ["superteam-json"];
const problemOf = (markdown: string): string => {
  const reading = lastBlock(markdown, tags);
  return reading.ok ? "" : reading.problem;
};

test("the last block with the tag counts, and how many there were is told", () => {
  const reading = lastBlock("```superteam-json\n1\n```\nbetter:\n~~~superteam-json\n2\n~~~\n", tags);
  assert.deepEqual(reading, { ok: true, block: { text: "2", count: 2, next: "", from: 32 } });
});

test("a block inside a list, a quote or another block is no answer", () => {
  for (const markdown of [
    "- ```superteam-json\n  1\n  ```",
    "> ```superteam-json\n> 1\n> ```",
    "````markdown\n```superteam-json\n1\n```\n````",
    "    ```superteam-json\n    1\n    ```",
  ]) {
    assert.match(problemOf(markdown), /no ```superteam-json block at the top level/, markdown);
  }
});

test("a fence that is never closed is a problem, with its line, unless it is the block and the text ends with it", () => {
  assert.match(problemOf("I think\n\n```js\n1\n"), /line 3 is never closed/);
  for (const markdown of ["I think\n\n```superteam-json\n1\n", "````superteam-json\n1\n```\n"]) {
    const from = markdown.indexOf("```");
    assert.deepEqual(lastBlock(markdown, tags), { ok: true, block: { text: "1", count: 1, next: "", from } });
  }
});

test("a wanted block that another open fence swallowed is not found", () => {
  assert.match(problemOf("```ts\nlet a\n\n```superteam-json\n1\n```\n\n```"), /never closed|no ```superteam-json/);
});

test("line endings of any kind and U+2028 inside a text do no harm", () => {
  const reading = lastBlock('Well\r\n\r\n```superteam-json\r\n{"a":"x\u2028y"}\r\n```\r\n', tags);
  assert.ok(reading.ok);
  assert.deepEqual(JSON.parse(reading.block.text), { a: "x\u2028y" });
});

test("a text of millions of characters is refused, not parsed", () => {
  assert.match(problemOf("word ".repeat(1_600_000)), /8000000 characters; at most 1000000/);
});

test("whatever is put into a fence comes out of it again", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "`", "~", " ", "\n", "#", "-", ">") });
  fc.assert(
    fc.property(line, (text) => {
      const reading = lastBlock(`before\n\n${fenced("superteam-json", text)}\n`, tags);
      assert.ok(reading.ok, text);
      assert.equal(reading.block.text, text);
    }),
  );
});

test("what stands around the blocks of a tag is left without them, and everything else as it was", () => {
  const text = "One.\n\n```json\n{}\n```\n\n```b\n1\n```\n\nTwo.\n\n```b\n2\n```\n";
  assert.equal(withoutBlocks(text, "b"), "One.\n\n```json\n{}\n```\n\n\n\nTwo.");
  assert.equal(withoutBlocks("  Nothing.\n", "b"), "Nothing.");
  assert.equal(withoutBlocks("```b\n1\n```", "b"), "");
});
