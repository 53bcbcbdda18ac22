// Finds out how a repository is checked, from its files alone.

import { commandKeys, type FoundCommand } from "./found-command.ts";
import { packageCommands } from "./package-commands.ts";
import { toolchains } from "./toolchains.ts";
import type { TreeFiles } from "./tree-files.ts";

/** At most one for each key: the tests of the first tool that has some, and the first quick check. */
export function findCommands(files: TreeFiles): readonly FoundCommand[] {
  const found = [packageCommands, ...toolchains].flatMap((look) => look(files));
  return commandKeys.flatMap((key) => found.find((command) => command.key === key) ?? []);
}
