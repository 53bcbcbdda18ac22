import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { everyBlock, fenced, lastBlock, proposedBlock, withoutBlocks } from "./block.ts";

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

const block = (tag: string, text = "1", fence = "```"): string => `${fence}${tag}\n${text}\n${fence}`;
const inList = (text: string): string => `- ${text.replaceAll("\n", "\n  ")}`;
const indented = (text: string): string => text.replaceAll(/^/gm, "    ");
const wanted = block("superteam-json");

for (const [what, markdown, taken] of [
  ["the block with its tag", `Well.\n\n${wanted}\n\nDone.\n`, "tagged"],
  ["one with its tag, though another stands at the end", `${wanted}\n\n${block("json", "2")}`, "tagged"],
  ["one in a list at the end", `Well.\n\n${inList(wanted)}\n`, "tagged"],
  ["one in a list in a list", inList(`Well.\n\n${inList(wanted)}`), "tagged"],
  ["one by indentation at the end", `Well.\n\n${indented(wanted)}\n`, "tagged"],
  ["the only one with another tag at the end", `Well.\n\n${block("json")}\n`, "other"],
  ["the same behind a byte order mark", `\ufeffWell.\n\n${block("json")}`, "other"],
  ["the same with a fence of tildes", `Well.\n\n${block("JSON", "1", "~~~")}`, "other"],
  ["one with another tag that is not at the end", `${block("json")}\n\nDone.`, null],
  ["one in a list that is not at the end", `${inList(wanted)}\n\nDone.`, null],
  ["two with another tag", `${block("json")}\n\n${block("json")}`, null],
  ["one with a tag that is none of them", block("ts"), null],
  ["one in a quotation", wanted.replaceAll(/^/gm, "> "), null],
  ["one after a fence that another one cut short", `${block("md", "```ts\nx")}\n\n${block("json")}`, null],
  ["one with its tag after such a fence that quotes it", `${block("md", "```superteam-json\n0")}\n\n${wanted}`, null],
] as const) {
  test(`proposed is ${taken === null ? "nothing" : "1"}: ${what}`, () => {
    const found = proposedBlock(markdown, tags, ["json"]);
    assert.deepEqual(found.ok ? [found.block.text, found.isTagged] : null, taken && ["1", taken === "tagged"]);
  });
}

test("a proposal after a fence that another one cut short counts only if that fence says nothing of it", () => {
  const cut = block("md", "```ts\nx");
  const isProposed = (markdown: string) => proposedBlock(markdown, tags, []).ok;
  assert.deepEqual([isProposed(`${cut}\n\n${wanted}`), isProposed(`${cut}\n\n${wanted}\n\nDone.`)], [true, false]);
  assert.equal(isProposed(`${cut}\n\n${wanted}\n\n${wanted}`), false);
});

test("of an answer that decides every block is read, also in lists, and none in a quotation", () => {
  const texts = (markdown: string) => {
    const reading = everyBlock(markdown, "superteam-json");
    return reading.ok ? reading.texts : reading.problem;
  };
  const quoted = block("superteam-json", "3").replaceAll(/^/gm, "> ");
  assert.deepEqual(texts(`${wanted}\n\n${inList(block("superteam-json", "2"))}\n\n${quoted}\n\n${block("ts")}`), [
    "1",
    "2",
  ]);
  assert.match(
    `${texts(`${wanted}\n\n${block("md", "```ts\nx")}`)}`,
    /line 5 contains a line that opens another fence/,
  );
  assert.match(`${texts(quoted)}`, /there is no ```superteam-json block/);
});

test("a fence of another kind, or a shorter one, opens nothing inside of a block", () => {
  for (const text of ["~~~ts\nx", "``` \nx"])
    assert.ok(everyBlock(block("superteam-json", text, "````"), tags[0] ?? "").ok);
  assert.ok(everyBlock(block("superteam-json", "~~~ts\nx"), tags[0] ?? "").ok);
  assert.ok(!everyBlock(block("superteam-json", "````ts\nx"), tags[0] ?? "").ok);
});
