// superteam inside pi. This file only registers: everything else is loaded when it is used, so that pi starts as fast as
// without it.

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
    const { commandName, greet } = load("chat/greeting");
    const registered = { commands: pi.getCommands(), ours: commands };
    nameCommand(commandName(registered));
    await greet(context, registered);
  });
  pi.on("session_shutdown", async () => {
    ended.abort();
    await suspendLiveRun();
  });
}

/** None for a word that is whole: while pi proposes something, Enter takes that and does not send. */
function completions(begun: string, verbs: readonly string[]): { value: string; label: string }[] | null {
  if (verbs.includes(begun)) return null;
  return verbs.filter((verb) => verb.startsWith(begun)).map((verb) => ({ value: verb, label: verb }));
}
