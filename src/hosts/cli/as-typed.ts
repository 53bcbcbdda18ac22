// How to type another command, in the way in which this one was started: the package puts `superteam` on the PATH, npx and a
// checkout do not.

import { relative } from "node:path";
import { shellWord } from "../../core/text/format.ts";

export interface Started {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The script that node runs. */
  readonly script: string;
  readonly cwd: string;
}

export const startedHere = (): Started => ({ env: process.env, script: process.argv[1] ?? "", cwd: process.cwd() });

export function asTyped(words: string, { env, script, cwd }: Started): string {
  if (env["npm_command"] === "exec") return ["npx", ...packagesOf(env), "superteam", words].join(" ");
  if (!/[\\/]scripts[\\/]superteam\.mjs$/.test(script)) return `superteam ${words}`;
  if (env["npm_lifecycle_event"] !== undefined) return `npm run superteam -- ${words}`;
  return `node ${shellWord(relative(cwd, script))} ${words}`;
}

/** npm passes on what its `--package` options said, an empty line between two of them. */
function packagesOf(env: Started["env"]): readonly string[] {
  const packages = (env["npm_config_package"] ?? "").split(/\n+/).filter((name) => name !== "");
  return packages.flatMap((name) => ["-p", shellWord(name)]);
}
