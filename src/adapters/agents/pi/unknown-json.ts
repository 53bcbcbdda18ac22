// Looks into records of other programs without trusting their shape.

export type JsonFields = Readonly<Record<string, unknown>>;

const empty: JsonFields = {};

/** The object that is there, or one without fields. */
export function asObject(value: unknown): JsonFields {
  // Any object can be looked into by name; what is found is unknown again.
  return typeof value === "object" && value !== null ? (value as JsonFields) : empty;
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function asCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** All text parts of a message's content. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.map(asObject).flatMap((part) => (part["type"] === "text" ? [asText(part["text"])] : []));
}
