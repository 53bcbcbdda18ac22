// The programs behind pi's search tools. pi downloads a missing one on first use, which needs a network. Without them, roles that may only read
// cannot search.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Variables } from "../../../ports/backend.ts";

const programs = [
  { tool: "grep", names: ["rg"], install: "ripgrep" },
  { tool: "find", names: ["fd", "fdfind"], install: "fd (fd-find)" },
] as const;

/** Looked for where pi does: in its own folder, then on the PATH. */
export function missingSearch(env: Variables): readonly string[] {
  const own = join(env["PI_CODING_AGENT_DIR"] ?? join(env["HOME"] ?? homedir(), ".pi/agent"), "bin");
  const folders = [own, ...(env["PATH"] ?? "").split(delimiter)].filter((folder) => folder !== "");
  const isThere = (name: string): boolean => folders.some((folder) => existsSync(join(folder, name)));
  return programs
    .filter(({ names }) => !names.some(isThere))
    .map(
      ({ tool, names, install }) =>
        `${names[0]} is missing: pi's ${tool} needs it, and without it reviewers cannot search. pi downloads it if it can; to be sure, install ${install}`,
    );
}
