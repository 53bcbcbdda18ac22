// Writes a script down as the files that the little shell program below plays. The program is a real process: it reads
// its prompt from stdin, runs commands in its working directory, and says what it does in lines of JSON.

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

export async function writeScript(order: AgentOrder, script: Script, folder: string): Promise<readonly string[]> {
  const model = script.model ?? order.model ?? "scripted/model";
  const { turns = [] } = script;
  const tool = { type: "tool", name: "bash", does: "run", command: script.run ?? "" } as const;
  const write = (name: string, content: string): Promise<void> => writeFile(join(folder, name), content);
  await Promise.all([
    write("run.sh", script.run ?? ""),
    write("first.jsonl", lines([{ type: "started", model }])),
    write("turns.jsonl", lines(turns.map((usage) => ({ type: "usage", model, usage })))),
    write("start.jsonl", lines([{ ...tool, state: "start", failed: false }])),
    write("passed.jsonl", lines([{ ...tool, state: "end", failed: false }])),
    write("failed.jsonl", lines([{ ...tool, state: "end", failed: true }])),
    write("last.jsonl", lines(last(script, model))),
  ]);
  return ["-c", program, "scripted-agent", folder, script.run ? "run" : "", script.hang ? "hang" : ""];
}

/** Where the program writes the prompt it was given. */
export const received = "received.md";

function last({ usage, fail, text }: Script, model: string): readonly ScriptedLine[] {
  const used = (turn: Usage): ScriptedLine => ({ type: "usage", model, usage: turn });
  if (fail) return [...(usage ? [used(usage)] : []), { type: "failed", ...fail, output: text, model }];
  return [used(usage ?? aCent), { type: "text", text }, { type: "finished", text, model }];
}

const aCent: Usage = { ...noUsage, input: 100, output: 10, costUsd: 0.01 };

function lines(events: readonly ScriptedLine[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

const program = `
cat > "$1/${received}"
cat "$1/first.jsonl"
if [ -n "$2" ]; then
  cat "$1/start.jsonl"
  if /bin/sh "$1/run.sh" > "$1/run.txt" 2>&1 < /dev/null; then cat "$1/passed.jsonl"; else cat "$1/failed.jsonl"; fi
fi
cat "$1/turns.jsonl"
[ -n "$3" ] && sleep 86400
cat "$1/last.jsonl"
`;
