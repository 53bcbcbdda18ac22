// The files of a repository that matter for finding out how it is checked.

export interface TreeFiles {
  /** Undefined when there is no such file, or none that can be read as a text. */
  text(path: string): string | undefined;
  /** What is in a folder; nothing when there is none. */
  names(folder: string): readonly string[];
}

/** The value of a JSON file; undefined when there is none, or it is none. */
export function jsonIn(files: TreeFiles, path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(files.text(path) ?? "null");
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The texts among the values of an object; nothing for what is no object. */
export function textsOf(value: unknown): Readonly<Record<string, string>> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
