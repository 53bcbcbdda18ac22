// Finds out how a repository is checked, from its files alone.

import { definitionFor } from "./definition.ts";
import { type CommandKey, commandKeys, type FoundCommand } from "./found-command.ts";
import { packageCommands } from "./package-commands.ts";
import { toolchains } from "./toolchains.ts";
import type { TreeFiles } from "./tree-files.ts";

/** At most one for each key: the tests of the first tool that has some, and the first quick check. */
export function findCommands(files: TreeFiles): readonly FoundCommand[] {
  const found = [packageCommands, ...toolchains].flatMap((look) => look(files));
  return commandKeys.flatMap((key) => {
    const first = found.find((command) => command.key === key);
    return first ? [{ ...first, definition: definitionFor(first.command, files).definition }] : [];
  });
}

/** What the repository's files decide with this configuration: commands for keys that it leaves open, and what those run that it sets. */
export function commandsFor(
  config: Partial<Record<CommandKey, string | undefined>>,
  files: TreeFiles,
): readonly FoundCommand[] {
  const found = findCommands(files);
  return commandKeys.flatMap((key) => {
    const command = config[key];
    if (command === undefined) return found.filter((one) => one.key === key);
    const defined = definitionFor(command, files);
    return defined.definition === "" ? [] : [{ key, command, ...defined }];
  });
}
