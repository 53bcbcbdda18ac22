// superteam inside pi. This file only registers: everything else is loaded when it is used, so that pi starts as fast as
// without it.

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { suspendLiveRun } from "./live.ts";
import { load } from "./load.ts";
import { registerTools } from "./tools.ts";

const names = ["workflow", "superteam"] as const;
const verbs = ["status", "answer", "log", "stop", "abort"];
const description = "superteam: build something from one sentence, or go on with the active run";

export default function superteam(pi: ExtensionAPI): void {
  for (const name of names) {
    pi.registerCommand(name, {
      description,
      getArgumentCompletions: (begun) =>
        verbs.filter((verb) => verb.startsWith(begun)).map((verb) => ({ value: verb, label: verb })),
      handler: async (words, context) => load("command").command(words, context),
    });
  }
  // pi may say twice that a session starts.
  let started = false;
  pi.on("session_start", async (_event, context) => {
    if (started) return;
    started = true;
    registerTools(pi, context);
    if (context.hasUI) await load("greeting").greet(context, { commands: pi.getCommands(), names, description });
  });
  pi.on("session_shutdown", suspendLiveRun);
}
