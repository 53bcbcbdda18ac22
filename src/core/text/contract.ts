// A schema as text for a prompt: a compact, TypeScript-like shape made from the schema itself, so that no prompt
// restates it.

import { z } from "zod";

export function contractOf(schema: z.ZodType): string {
  const text = known.get(schema) ?? shape(z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }), "");
  known.set(schema, text);
  return text;
}

/** Every replayed dispatch asks for its contract again. */
const known = new WeakMap<z.ZodType, string>();

type Schema = z.core.JSONSchema.BaseSchema | boolean;

function shape(schema: Schema, indent: string): string {
  if (typeof schema === "boolean") return "any";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => shape(choice, indent)).join(" | ");
  if (schema.type === "array") return `${list(schema, indent)}[]`;
  if (schema.type === "object") return object(schema, indent);
  return typeof schema.type === "string" ? schema.type : "any";
}

function list(schema: z.core.JSONSchema.BaseSchema, indent: string): string {
  const items = (Array.isArray(schema.items) ? schema.items[0] : schema.items) ?? true;
  const item = shape(items, indent);
  return typeof items === "object" && (items.anyOf ?? items.oneOf ?? items.enum) ? `(${item})` : item;
}

function object(schema: z.core.JSONSchema.BaseSchema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(schema.properties ?? {})
    .filter(isForOthers)
    .map(([name, field]) => {
      const optional = schema.required?.includes(name) ? "" : "?";
      return { text: `${name}${optional}: ${shape(field, inner)}`, note: noteOf(field) };
    });
  const flat = `{ ${fields.map((field) => field.text).join(", ")} }`;
  if (fields.every((field) => field.note === "") && !flat.includes("\n") && flat.length < 70) return flat;
  const lines = fields.map((field) => `${inner}${field.text}${field.note === "" ? "" : ` // ${field.note}`}`);
  return `{\n${lines.join("\n")}\n${indent}}`;
}

/** Fields that only code fills in are hidden. */
function isForOthers([, field]: readonly [string, Schema]): boolean {
  return typeof field === "boolean" || field["internal"] !== true;
}

function noteOf(schema: Schema): string {
  if (typeof schema === "boolean") return "";
  return [bounds(schema), schema.description ?? ""].filter((part) => part !== "").join("; ");
}

function bounds({ type, minItems, maxItems }: z.core.JSONSchema.BaseSchema): string {
  if (type !== "array") return "";
  if (maxItems !== undefined) return `${minItems ?? 0} to ${maxItems}`;
  return minItems === undefined ? "" : `at least ${minItems}`;
}
