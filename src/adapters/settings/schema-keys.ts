// Which keys a schema knows, at each place. The configuration's own schema is the only list of its keys.

import { z } from "zod";

/** The keys that may stand at a path; none where the schema does not say. */
export function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const inner = unwrap(schema);
  const [first, ...rest] = path;
  if (first === undefined) return keysOf(inner);
  const child = childOf(inner, String(first));
  return child ? keysAt(child, rest) : [];
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

function keysOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum ? schema.keyType.options.map(String) : [];
}

function childOf(schema: z.core.$ZodType, key: string): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[key];
  return schema instanceof z.ZodRecord ? schema.valueType : undefined;
}
