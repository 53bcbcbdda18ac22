// Which mutants the compiler refuses. `npm run check` notices them, though no test does.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { API } from "typescript/unstable/sync";
import type { Mutant } from "./mutants.ts";
import { mutated } from "./switches.ts";

/** A mutant is judged by the file it changes: by whether that has more errors than before. */
export function refusedOf(mutants: readonly Mutant[]): ReadonlySet<Mutant> {
  if (mutants.length === 0) return new Set();
  const texts = new Map<string, string>();
  const api = new API({ cwd: process.cwd(), fs: { readFile: (path) => texts.get(path) } });
  const errorsIn = (path: string): number => {
    const snapshot = api.updateSnapshot({ fileChanges: { changed: [path] } });
    return snapshot.getDefaultProjectForFile(path)?.program.getSemanticDiagnostics(path).length ?? 0;
  };
  const isRefused = (mutant: Mutant): boolean => {
    const path = resolve(mutant.file);
    const before = errorsIn(path);
    texts.set(path, mutated(readFileSync(path, "utf8"), mutant));
    const after = errorsIn(path);
    texts.delete(path);
    return after > before;
  };
  try {
    api.updateSnapshot({ openProjects: [resolve("tsconfig.json")] });
    return new Set(mutants.filter(isRefused));
  } finally {
    api.close();
  }
}
