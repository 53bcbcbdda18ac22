// The model that pi itself talks to, beside those of the agents: told by the test to call a tool, it does so once and
// then says something.

import type { Play, Reaction, ToolCall } from "../../../src/hosts/demo/model/play.ts";
import { smallPlay } from "../cli/small-play.ts";
import type { PiSession } from "./session.ts";

/** What came of a call. */
export interface Called {
  readonly text: string;
  readonly failed: boolean;
}

export class CallingModel {
  #next: ToolCall | undefined;

  /** A play for both: what has no header comes from pi itself. */
  play(changes?: (step: string, turn: number) => Reaction): Play {
    const agents = smallPlay(changes);
    return (turn) => {
      if (turn.header !== null) return agents(turn);
      const call = this.#next;
      this.#next = undefined;
      return call ? { text: "I call it.", tools: [call] } : { text: "So it is." };
    };
  }

  /** Calls a tool with this input. Resolves with what came of it, once the model has nothing more to do. */
  async call(pi: PiSession, input?: string, name = "workflow"): Promise<Called> {
    const from = pi.records.length;
    await this.begin(pi, input, name);
    return this.outcome(pi, from);
  }

  async begin(pi: PiSession, input?: string, name = "workflow"): Promise<void> {
    this.#next = { name, args: input === undefined ? {} : { input } };
    await pi.type("Call it, please.");
  }

  /** Of the first call after so many records. */
  async outcome(pi: PiSession, from: number): Promise<Called> {
    const later = new Set(pi.records.slice(0, from));
    const ended = await pi.until(
      (record) => record.type === "tool_execution_end" && !later.has(record),
      "the end of a call",
    );
    await pi.until((record) => record.type === "agent_settled" && !later.has(record), "the model's last word");
    return {
      text: ended.result?.content.map(({ text = "" }) => text).join("\n") ?? "",
      failed: ended.isError ?? false,
    };
  }
}
