// The model that pi itself talks to, beside those of the agents: told by the test to call a tool, it does so once and
// then says something.

import type { ModelPlay, ModelToolCall, Reaction } from "../../../src/demo/model/play.ts";
import { smallPlay } from "../cli/small-play.ts";
import type { PiSession, Shown } from "./session.ts";

/** What came of a call. */
export interface Called {
  readonly text: string;
  readonly failed: boolean;
  /** What pi adds to the cost of its session. */
  readonly costUsd: number;
}

export class CallingModel {
  #next: ModelToolCall | undefined;

  /** A play for both: what has no header comes from pi itself. */
  play(changes?: (step: string, turn: number) => Reaction): ModelPlay {
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
    return (await this.begin(pi, input, name))();
  }

  /** Calls a tool of pi's own, or any other. */
  async callWith(pi: PiSession, name: string, args: ModelToolCall["args"]): Promise<Called> {
    this.#next = { name, args };
    return (await this.#begun(pi))();
  }

  /** Calls it, and gives what waits for its outcome. */
  async begin(pi: PiSession, input?: string, name = "workflow"): Promise<() => Promise<Called>> {
    this.prepare(input, name);
    return this.#begun(pi);
  }

  async #begun(pi: PiSession): Promise<() => Promise<Called>> {
    const isNew = pi.fromNow();
    await pi.type("Call it, please.");
    return () => this.#outcome(pi, isNew);
  }

  /** What it calls at the next prompt. */
  prepare(input?: string, name = "workflow"): void {
    this.#next = { name, args: input === undefined ? {} : { input } };
  }

  async #outcome(pi: PiSession, isNew: (record: Shown) => boolean): Promise<Called> {
    const ended = await pi.until(
      (record) => record.type === "tool_execution_end" && isNew(record),
      "the end of a call",
    );
    await pi.until((record) => record.type === "agent_settled" && isNew(record), "the model's last word");
    return {
      text: ended.result?.content.map(({ text }) => text).join("\n") ?? "",
      failed: ended.isError ?? false,
      costUsd: ended.result?.usage?.cost.total ?? 0,
    };
  }
}
