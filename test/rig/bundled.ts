// What the test command made of the programs that tests start, for them to start faster. The sources, where a test runs without it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));
const folder = process.env["SUPERTEAM_TEST_PROGRAMS"];

/** The file to start for a program of the project. */
export function bundled(program: string): string {
  const made = folder === undefined ? undefined : join(folder, program.replace(/\.ts$/, ".mjs"));
  return made !== undefined && existsSync(made) ? made : join(project, program);
}

/** What Node is given so that superteam inside pi is loaded from there, but for what pi itself loads of it. */
export const withBundledParts: readonly string[] =
  folder === undefined
    ? []
    : ["--import", `${new URL("bundled-parts.mjs", import.meta.url).href}?${pathToFileURL(folder).href}`];
