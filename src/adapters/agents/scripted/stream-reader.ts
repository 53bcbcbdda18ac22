// Understands what the scripted agent's program says.

import type { AgentEvent } from "../../../ports/agents.ts";
import { lineDecoder } from "../json-lines.ts";
import type { AgentEnding, StreamReader } from "../supervise.ts";
import type { ScriptedLine } from "./script-program.ts";

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
