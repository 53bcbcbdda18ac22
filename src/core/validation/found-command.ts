// A command that checks a repository's work, and what its files make of it. It is found there instead of asked for. A key that the
// configuration sets is not looked for; an empty one turns its check off.

export const commandKeys = ["validationCommand", "testCommand"] as const;
export type CommandKey = (typeof commandKeys)[number];

/** What a command runs in the end, as files of the repository define it. */
export interface Definition {
  /** The file that says so. */
  readonly from: string;
  /** A line for each of its parts: the command is trusted with it. Empty when the command says it all. */
  readonly definition: string;
}

export interface FoundCommand extends Definition {
  readonly key: CommandKey;
  readonly command: string;
}

/** The configuration with these commands where it says nothing. Nothing is left open. */
export function withCommands<C extends Partial<Record<CommandKey, string | undefined>>>(
  config: C,
  found: readonly FoundCommand[],
): C & Record<CommandKey, string> {
  const commandFor = (key: CommandKey): string =>
    config[key] ?? found.find((command) => command.key === key)?.command ?? "";
  return { ...config, validationCommand: commandFor("validationCommand"), testCommand: commandFor("testCommand") };
}

/** `npm test (package.json: node --test)` */
export function foundText({ command, from, definition }: FoundCommand): string {
  const what = definition === "" ? from : `${from}: ${definition.replaceAll("\n", "; ")}`;
  return `${command} (${what})`;
}
