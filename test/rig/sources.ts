// The sources of `src/` as text, for tests that look at the structure of the program.

import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Every source file, tests not counted, by its path from the package's root. */
export const sources: readonly string[] = globSync("src/**/*.ts")
  .filter((file) => !file.endsWith(".test.ts"))
  .toSorted();

export function codeOf(file: string): string {
  return withoutComments(readFileSync(file, "utf8"));
}

/** What a file imports from this package: values, types, and what it loads only when it is needed. */
export function importsOf(file: string): readonly string[] {
  const found = codeOf(file).matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g);
  return [...found].map(([, target = ""]) => join(dirname(file), target));
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
