// superteam inside pi. This file only registers: everything else is loaded when it is used, so that pi starts as fast as
// without it. That is so for the greeting too: most sessions begin with none.

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { entryType, keepChat, nameCommand, type Said, suspendLiveRun } from "./kept.ts";
import { load } from "./load.ts";
import { registerTools } from "./tools/tools.ts";

const workflow = {
  description: "superteam: build something from one sentence, or continue the active run",
  verbs: () => load("commands/verbs").workflowVerbs,
  part: "commands/command",
} as const;
const sdd = {
  description: "superteam: run single tasks of your own plan",
  verbs: () => ["load", "run", "status"],
  part: "commands/sdd",
} as const;
const commands = { workflow, superteam: workflow, sdd };

/** pi calls it again for each session. */
export default function superteam(pi: ExtensionAPI): void {
  const ended = new AbortController();
  for (const [name, { description, verbs, part }] of Object.entries(commands)) {
    pi.registerCommand(name, {
      description,
      getArgumentCompletions: (begun) => completions(begun, verbs()),
      handler: async (words, context) => load(part).command(words, context, ended.signal),
    });
  }
  pi.registerEntryRenderer<Said>(entryType, (...shown) => load("chat/transcript").drawEntry(...shown));
  keepChat(pi);
  // pi may say twice that a session starts.
  let started = false;
  pi.on("session_start", async ({ reason }, context) => {
    if (started) return;
    started = true;
    registerTools(pi, context);
    if (!context.hasUI) return;
    if (reason !== "startup" && load("outdated").isOutdated()) {
      context.ui.notify(load("outdated").outdatedText, "warning");
      return;
    }
    const registered = { commands: pi.getCommands(), ours: commands };
    const isRenamed = registered.commands.some(({ name }) => renamed.test(name));
    nameCommand(isRenamed ? load("chat/greeting").commandName(registered) : "workflow");
    if (isRenamed || mayHaveRun(context.cwd)) await load("chat/greeting").greet(context, registered);
  });
  pi.on("session_shutdown", async () => {
    ended.abort();
    await suspendLiveRun();
  });
}

/** What pi makes of a name that two extensions want. */
const renamed = new RegExp(`^(?:${Object.keys(commands).join("|")}):`);

/** Whether the greeting has to look for an active run: not in no tree, nor in one whose `.git` is a folder that names none. */
export function mayHaveRun(folder: string): boolean {
  const git = join(folder, ".git");
  const found = statSync(git, { throwIfNoEntry: false });
  if (found === undefined) return dirname(folder) !== folder && mayHaveRun(dirname(folder));
  return !found.isDirectory() || !existsSync(join(git, "HEAD")) || existsSync(join(git, "superteam/active"));
}

/** None for a word that is whole: while pi proposes something, Enter takes that and does not send. */
function completions(begun: string, verbs: readonly string[]): { value: string; label: string }[] | null {
  if (verbs.includes(begun)) return null;
  return verbs.filter((verb) => verb.startsWith(begun)).map((verb) => ({ value: verb, label: verb }));
}
