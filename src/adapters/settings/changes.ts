// In which settings two configurations differ.

import type { SettingChange } from "../../ports/settings.ts";

/** In the order of the second; lists count as one value. */
export function changesBetween(from: object, to: object): readonly SettingChange[] {
  const [before, after] = [leaves(from), leaves(to)];
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((path) => ({ path, from: before.get(path), to: after.get(path) }))
    .filter((change) => JSON.stringify(change.from) !== JSON.stringify(change.to));
}

function leaves(value: unknown, path = ""): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map([[path, value]]);
  const inner = Object.entries(value).map(([key, part]) => leaves(part, path === "" ? key : `${path}.${key}`));
  return new Map(inner.flatMap((part) => [...part]));
}
