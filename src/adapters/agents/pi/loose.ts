// Looks into records that somebody else wrote, without trusting their shape.

export type Loose = Readonly<Record<string, unknown>>;

const empty: Loose = {};

/** The object that is there, or one without fields. */
export function asObject(value: unknown): Loose {
  // Any object can be looked into by name; what is found is unknown again.
  return typeof value === "object" && value !== null ? (value as Loose) : empty;
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
