import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { lineDecoder } from "./json-lines.ts";

test("records come out as they went in, wherever the stream is cut", () => {
  const record = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })).map((text) => ({ text }));
  fc.assert(
    fc.property(fc.array(record), fc.integer({ min: 1, max: 9 }), (records, step) => {
      const bytes = Buffer.from(records.map((one) => `${JSON.stringify(one)}\n`).join(""));
      assert.deepEqual(decode(bytes, step), { records: wellFormed(records), bad: [] });
    }),
  );
});

test("only LF ends a record: line separators and CR do not", () => {
  const records = ["a\u2028b", "c\u2029d", "e\u0085f"].map((text) => ({ text }));
  const bytes = Buffer.from(records.map((one) => `${JSON.stringify(one)}\r\n`).join(""));
  assert.deepEqual(decode(bytes, 1), { records, bad: [] });
});

test("lines that are no JSON are counted and shown, and cost only themselves", () => {
  const { records, bad } = decode(Buffer.from('{"a":1}\nnot json\n\n{"b":\n{"c":3}\n'), 4);
  assert.deepEqual(records, [{ a: 1 }, { c: 3 }]);
  assert.deepEqual(bad, ["not json", '{"b":']);
});

test("a last line without LF is read if it is whole, and counted if it is not", () => {
  assert.deepEqual(decode(Buffer.from('{"a":1}'), 3), { records: [{ a: 1 }], bad: [] });
  assert.deepEqual(decode(Buffer.from('{"a":'), 3), { records: [], bad: ['{"a":'] });
});

test("a line beyond the limit is left out, told once, and held no longer than the limit", () => {
  const decoder = lineDecoder(100);
  const bad: string[] = [];
  for (let index = 0; index < 50; index++) bad.push(...decoder.push(Buffer.from("x".repeat(10))).bad);
  const rest = decoder.push(Buffer.from('end\n{"a":1}\n'));
  assert.deepEqual([bad.length, rest], [1, { records: [{ a: 1 }], bad: [] }]);
});

test("the memory of a long stream is that of its longest line", () => {
  const decoder = lineDecoder();
  const chunk = Buffer.from(`${JSON.stringify({ type: "message_update", delta: "x".repeat(200) })}\n`.repeat(250));
  const before = process.memoryUsage().rss;
  let records = 0;
  const rounds = Math.ceil((100 * 1024 * 1024) / chunk.length);
  for (let round = 0; round < rounds; round++) records += decoder.push(chunk).records.length;
  assert.equal(records, rounds * 250);
  assert.ok(process.memoryUsage().rss - before < 300 * 1024 * 1024);
});

function decode(bytes: Buffer, step: number) {
  const decoder = lineDecoder();
  const records: unknown[] = [];
  const bad: string[] = [];
  const take = (lines: ReturnType<typeof decoder.push>): void => {
    records.push(...lines.records);
    bad.push(...lines.bad);
  };
  for (let at = 0; at < bytes.length; at += step) take(decoder.push(bytes.subarray(at, at + step)));
  take(decoder.end());
  return { records, bad };
}

/** JSON escapes lone surrogates, so they come back as they were. */
function wellFormed<T>(records: readonly T[]): unknown {
  return JSON.parse(JSON.stringify(records));
}
