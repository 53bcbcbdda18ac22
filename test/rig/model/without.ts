// A play with one tool call left out, at every attempt: the model does something harmless in its place.

import type { ModelPlay, ModelToolCall } from "../../../src/demo/model/play.ts";

export interface CallPlace {
  readonly step: string;
  /** Assistant turns before it, from 0. */
  readonly turn: number;
  /** Its place among the calls of its turn, from 0. */
  readonly call: number;
}

export function withoutCall(play: ModelPlay, place: CallPlace): ModelPlay {
  return (turn) => {
    const reaction = play(turn);
    const isHere = turn.header?.step === place.step && turn.turn === place.turn;
    if (!isHere || !reaction.tools) return reaction;
    const idle: ModelToolCall = turn.tools.includes("bash")
      ? { name: "bash", args: { command: "true" } }
      : { name: "ls", args: { path: "." } };
    return { ...reaction, tools: reaction.tools.map((call, index) => (index === place.call ? idle : call)) };
  };
}
