// Writes a script down as a small shell program. The program is a real process: it reads its prompt from stdin, runs
// commands in its working directory, and says what it does in lines of JSON.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { noUsage, type Usage } from "../../../core/flow/dispatch.ts";
import type { AgentEvent, AgentOrder } from "../../../ports/agents.ts";
import type { Script } from "./script.ts";

/** What the program says: agent events, one per line. */
export type ScriptedLine = Extract<
  AgentEvent,
  { readonly type: "started" | "tool" | "usage" | "text" | "finished" | "failed" }
>;

/** The arguments with which a shell plays the script. */
export async function writeScript(order: AgentOrder, script: Script, folder: string): Promise<readonly string[]> {
  const model = script.model ?? order.model ?? "scripted/model";
  const { run = "", turns = [], hang } = script;
  const tool = { type: "tool", name: "bash", does: "run", command: run, state: "end" } as const;
  const ended = (failed: boolean): string => say({ ...tool, failed });
  const running = `if /bin/sh "$1/run.sh" > "$1/run.txt" 2>&1 < /dev/null; then ${ended(false)}; else ${ended(true)}; fi`;
  const program = [
    `cat > "$1/${received}"`,
    say({ type: "started", model }),
    ...(run === "" ? [] : [say({ ...tool, state: "start", failed: false }), running]),
    ...turns.map((usage) => say({ type: "usage", model, usage })),
    ...(hang ? ["sleep 86400"] : []),
    ...last(script, model).map(say),
  ];
  const path = join(folder, "program.sh");
  await Promise.all([writeFile(join(folder, "run.sh"), run), writeFile(path, program.join("\n"))]);
  return [path, folder];
}

function say(event: ScriptedLine): string {
  return `printf '%s\\n' '${JSON.stringify(event).replaceAll("'", "'\\''")}'`;
}

/** Where the program writes the prompt it was given. */
export const received = "received.md";

function last({ usage, fail, text }: Script, model: string): readonly ScriptedLine[] {
  const used = (turn: Usage): ScriptedLine => ({ type: "usage", model, usage: turn });
  if (fail) return [...(usage ? [used(usage)] : []), { type: "failed", ...fail, output: text, model }];
  return [used(usage ?? aCent), { type: "text", text }, { type: "finished", text, model }];
}

const aCent: Usage = { ...noUsage, input: 100, output: 10, costUsd: 0.01 };
