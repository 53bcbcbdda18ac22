// One mutant in a process of its own, as node:test runs the tests.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runNode } from "../test/run-node.ts";

export interface Alone {
  /** Where compiled modules are kept between trials. */
  readonly folder: string;
  /** The text of the mutated file, by its URL. */
  readonly texts: Readonly<Record<string, string>>;
  /** How long the tests usually take. */
  readonly seconds: number;
}

export async function tryAlone(
  files: readonly string[],
  { folder, texts, seconds }: Alone,
): Promise<"killed" | "timed out" | "survived"> {
  const path = join(folder, "mutant.json");
  writeFileSync(path, JSON.stringify({ texts }));
  const env = {
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    NODE_COMPILE_CACHE: folder,
    NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/apply.mjs`).href}`,
    SUPERTEAM_MUTANTS: path,
  };
  const reporter = `--test-reporter=${import.meta.dirname}/first-failure.mjs`;
  const args = ["--test", "--test-isolation=none", reporter, ...files];
  const { code, isLate } = await runNode(args, { seconds: 30 + 5 * seconds, env });
  if (isLate) return "timed out";
  return code === 0 ? "survived" : "killed";
}
