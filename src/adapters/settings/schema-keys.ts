// Which keys a schema knows, at each place. The configuration's own schema is the only list of its keys.

import { z } from "zod";

/** The keys that a path may have; none where the schema does not say. */
export function keysAt(schema: z.core.$ZodType, [first, ...rest]: readonly PropertyKey[]): readonly string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    return first === undefined ? Object.keys(inner.shape) : keysAt(inner.shape[String(first)] ?? z.never(), rest);
  }
  if (!(inner instanceof z.ZodRecord)) return [];
  if (first !== undefined) return keysAt(inner.valueType, rest);
  return inner.keyType instanceof z.ZodEnum ? inner.keyType.options.map(String) : [];
}

/** The path of every value that can be set, with `*` for a name that is free: `agents.*.model`. */
export function leavesOf(schema: z.core.$ZodType, path: readonly string[] = []): readonly string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    return Object.entries(inner.shape).flatMap(([key, value]) => leavesOf(value, [...path, key]));
  }
  return inner instanceof z.ZodRecord ? leavesOf(inner.valueType, [...path, "*"]) : [path.join(".")];
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return wrapped ? unwrap(schema.def.innerType) : schema;
}
