// The command line as it would be installed.

import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const project = join(import.meta.dirname, "..");
const run = promisify(execFile);

/** The package as it would be installed: `dist/` beside its package.json. Gives the program's file. */
export async function build(folder: string): Promise<string> {
  const compiler = join(project, "node_modules/typescript/bin/tsc");
  const options = ["-p", join(project, "tsconfig.build.json"), "--outDir", join(folder, "dist")];
  await run(process.execPath, [compiler, ...options]);
  for (const name of ["package.json", "agents", "skills", "src/hosts/pi/entry.js"])
    await cp(join(project, name), join(folder, name), { recursive: true });
  return join(folder, "dist/hosts/cli/main.js");
}
