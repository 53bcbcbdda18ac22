// Writes a script down as a small shell program, and understands what it says. The program is a real process: it reads its
// prompt from stdin, runs commands in its working directory, and says what it does in lines of JSON.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { noUsage, type Usage } from "../../../core/flow/dispatch.ts";
import { shellWord } from "../../../core/text/format.ts";
import type { AgentEvent, AgentOrder } from "../../../ports/agents.ts";
import { lineDecoder } from "../json-lines.ts";
import type { AgentEnding, StreamReader } from "../supervise.ts";
import type { Script } from "./script.ts";

/** What the program says: agent events, one per line. */
type ScriptedLine = Extract<
  AgentEvent,
  { readonly type: "started" | "tool" | "usage" | "text" | "finished" | "failed" }
>;

/** The arguments with which a shell plays the script. */
export function writeScript(order: AgentOrder, script: Script, folder: string): readonly string[] {
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
    // At once: an agent that is stopped when its last turn is paid has answered.
    say(...last(script, model)),
  ];
  const path = join(folder, "program.sh");
  writeFileSync(join(folder, "run.sh"), run);
  writeFileSync(path, program.join("\n"));
  return [path, folder];
}

function say(...events: readonly ScriptedLine[]): string {
  return `printf '%s\\n' ${events.map((event) => shellWord(JSON.stringify(event))).join(" ")}`;
}

/** Where the program writes the prompt it was given. */
export const received = "received.md";

function last({ usage, fail, text }: Script, model: string): readonly ScriptedLine[] {
  const used = (turn: Usage): ScriptedLine => ({ type: "usage", model, usage: turn });
  if (fail) return [...(usage ? [used(usage)] : []), { type: "failed", ...fail, output: text, model }];
  return [used(usage ?? aCent), { type: "text", text }, { type: "finished", text, model }];
}

const aCent: Usage = { ...noUsage, input: 100, output: 10, costUsd: 0.01 };

export function scriptedReader(): StreamReader {
  const decoder = lineDecoder();
  let model: string | null = null;
  let verdict: AgentEvent | undefined;
  let busy = false;

  const read = (bytes: Buffer): readonly AgentEvent[] => {
    const events: AgentEvent[] = [];
    // Our own program wrote them.
    for (const line of decoder.push(bytes).records as readonly ScriptedLine[]) {
      if (line.type === "started") model = line.model;
      if (line.type === "tool") busy = line.state === "start";
      if (line.type === "finished" || line.type === "failed") verdict = line;
      else events.push(line);
    }
    return events;
  };
  return {
    read,
    get busy() {
      return busy;
    },
    halt: undefined,
    close({ exit, stop, stderr }: AgentEnding) {
      if (stop?.kind === "aborted" && verdict?.type === "finished") return [verdict];
      if (stop !== undefined) return [{ type: "failed", ...stop, output: stderr, model }];
      if (verdict !== undefined && exit.how === "exited" && exit.code === 0) return [verdict];
      const how = exit.how === "killed" ? `was killed by ${exit.signal}` : `ended with exit code ${exit.code}`;
      return [{ type: "failed", kind: "crashed", detail: `The scripted agent ${how}.`, output: stderr, model }];
    },
  };
}
