import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { contractOf } from "./contract.ts";

test("a schema is shown as a compact shape with its bounds and notes", () => {
  const schema = z.object({
    kind: z.literal("list"),
    items: z
      .array(z.union([z.object({ a: z.string() }), z.object({ b: z.int().optional() })]))
      .min(1)
      .max(3)
      .describe("what there is"),
    level: z.array(z.enum(["low", "high"])).min(1),
    tags: z.array(z.string()).default([]),
  });
  assert.equal(
    contractOf(schema),
    `{
  kind: "list"
  items: ({ a: string } | { b?: integer })[] // 1 to 3; what there is
  level: ("low" | "high")[] // at least 1
  tags: string[]
}`,
  );
});

test("a change of the schema changes the contract", () => {
  const schema = z.object({ a: z.string() });
  assert.notEqual(contractOf(schema), contractOf(schema.extend({ b: z.boolean() })));
});

test("what only code fills in is no part of the contract", () => {
  const schema = z.object({ a: z.string(), b: z.string().optional().meta({ internal: true }) });
  assert.equal(contractOf(schema), contractOf(z.object({ a: z.string() })));
});

test("what can be anything is shown as that", () => {
  assert.equal(contractOf(z.object({ free: z.unknown(), list: z.array(z.any()) })), "{ free: any, list: any[] }");
});
