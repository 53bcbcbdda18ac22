// A command that checks a repository's work, found in its files instead of asked for. A key that the configuration sets is
// not looked for; an empty one turns its check off.

export const commandKeys = ["validationCommand", "testCommand"] as const;
export type CommandKey = (typeof commandKeys)[number];

export interface FoundCommand {
  readonly key: CommandKey;
  readonly command: string;
  /** The file that says so. */
  readonly from: string;
  /** What the command runs, where a file defines it: a command is trusted with it. Empty when the command says it all. */
  readonly definition: string;
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

/** Those that take effect with this configuration: for keys that it does not set. */
export function commandsFor(
  config: Partial<Record<CommandKey, string | undefined>>,
  found: readonly FoundCommand[],
): readonly FoundCommand[] {
  return found.filter(({ key }) => config[key] === undefined);
}

/** `npm test (package.json: node --test)` */
export function foundText({ command, from, definition }: FoundCommand): string {
  const what = definition === "" ? from : `${from}: ${definition.replaceAll("\n", "; ")}`;
  return `${command} (${what})`;
}
