// What superteam says when a session of pi starts: which of its commands another extension has taken, and which run is
// active in this tree. When there is nothing to say nothing is loaded.

import { join } from "node:path";
import type { ExtensionContext, SlashCommandInfo } from "@earendil-works/pi-coding-agent";
import { findGitFolders } from "../../../adapters/files/git-folders.ts";
import { readIfPresent } from "../../../adapters/files/present.ts";

export interface Registered {
  /** All commands of this session, by the names pi has given them. */
  readonly commands: readonly SlashCommandInfo[];
  /** What superteam has registered, by the names it wanted. */
  readonly ours: Readonly<Record<string, { readonly description: string }>>;
}

export async function greet(context: ExtensionContext, registered: Registered): Promise<void> {
  // Taken at once: the session may be over before the run is read.
  const { ui, mode, hasUI, cwd, sessionManager } = context;
  for (const line of collisions(registered)) ui.notify(line, "warning");
  const folders = await findGitFolders(cwd);
  if (folders === undefined || (await readIfPresent(join(folders.gitDir, "superteam/active"))) === undefined) return;
  const { announce } = await import("./announcement.ts");
  await announce({ ui, mode, hasUI, cwd, sessionManager });
}

/** What a person types here: the first of the two names of the main command that pi has left as it was. */
export function commandName({ commands, ours }: Registered): string {
  const named = (name: string): string[] =>
    commands
      .filter(({ description }) => description === ours[name]?.description)
      .map((command) => command.name)
      .filter((given) => new RegExp(`^${name}(:\\d+)?$`).test(given));
  const own = Object.keys(ours).slice(0, 2);
  const given = own.flatMap(named);
  return own.find((name) => given.includes(name)) ?? given[0] ?? own[0] ?? "";
}

/** pi renames commands of the same name to `name:1`, `name:2`, and sends the bare name to the model as text. */
export function collisions({ commands, ours: wanted }: Registered): readonly string[] {
  return Object.entries(wanted).flatMap(([name, { description }]) => {
    const same = commands.filter((command) => new RegExp(`^${name}(:\\d+)?$`).test(command.name));
    if (same.some((command) => command.name === name)) return [];
    const ours = same.filter((command) => command.description === description).map((command) => `/${command.name}`);
    const others = same.filter((command) => command.description !== description);
    if (ours.length > 1)
      return [
        `superteam is loaded ${ours.length} times, as ${ours.join(" and ")}. Remove one: pi list, then pi remove.`,
      ];
    const from = others.map((command) => command.sourceInfo.path).join(", ");
    return [`/${name} is registered by another extension too (${from}). superteam's is ${ours.join()} here.`];
  });
}
