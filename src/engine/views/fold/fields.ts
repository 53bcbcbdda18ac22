// A view is folded from JSON that another build may have written: what is not an object has no fields.

export function fieldsOf(thing: unknown): Readonly<Record<string, unknown>> {
  return typeof thing === "object" && thing !== null ? { ...thing } : {};
}

/** The id that a model gave it; empty when there is none. */
export function idOf(thing: unknown): string {
  const { id } = fieldsOf(thing);
  return typeof id === "string" ? id : "";
}
