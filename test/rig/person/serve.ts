// The person's side of superteam and nothing else, controlled from a test through a socket. One JSON object per line:
// calls come in, answers and heard keys go out.

import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import type { TerminalPerson } from "../../../src/adapters/person/terminal/terminal.ts";
import { answerIn } from "../../../src/core/flow/question.ts";
import type { Person } from "../../../src/ports/person.ts";
import type { RemoteCall, RemoteReply } from "./protocol.ts";

export type Served = Person & { close?(): void; listenKeys?: TerminalPerson["listenKeys"] };
type Say = (reply: RemoteReply) => void;

/** Serves until the test hangs up. */
export function serve(path: string, make: (say: Say) => Served, hungUp: () => void): void {
  const socket = createConnection(path);
  const say: Say = (reply) => {
    socket.write(`${JSON.stringify(reply)}\n`);
  };
  const perform = performer(make(say), say);
  createInterface({ input: socket }).on("line", (line) => {
    // The test that started this program wrote both sides of the protocol.
    const call = JSON.parse(line) as RemoteCall;
    const done = perform(call);
    if (!(done instanceof Promise)) say({ done: call.call });
  });
  socket.on("connect", () => say({ done: "ready" }));
  socket.on("close", hungUp);
}

function performer(person: Served, say: Say): (call: RemoteCall) => unknown {
  const signals = new Map<number, AbortController>();
  let stopKeys: (() => void) | undefined;

  async function ask({ id, question }: RemoteCall & { call: "ask" }): Promise<void> {
    const abort = new AbortController();
    signals.set(id, abort);
    say({ id, answer: answerIn(await person.ask(question, abort.signal)) ?? null });
  }

  function burst(count: number): void {
    for (let n = 1; n <= count; n++) {
      person.status("burst", `update ${n} of ${count}`);
      person.widget?.("burst", [`first line ${n}`, `second line ${n}`]);
    }
  }

  function perform(call: RemoteCall): unknown {
    switch (call.call) {
      case "ask":
        return ask(call);
      case "abort":
        return signals.get(call.id)?.abort();
      case "notify":
        return person.notify(call.message, call.level);
      case "status":
        return person.status(call.slot, call.text ?? undefined);
      case "widget":
        return person.widget?.(call.slot, call.lines ?? undefined);
      case "burst":
        return burst(call.count);
      case "listen keys":
        stopKeys = person.listenKeys?.({
          onEscape: () => say({ heard: "escape" }),
          onInterrupt: () => say({ heard: "interrupt" }),
        });
        return undefined;
      case "stop keys":
        return stopKeys?.();
      case "close":
        return person.close?.();
      case "exit":
        return process.exit(0);
      case "throw":
        throw new Error("thrown on purpose");
    }
  }

  return perform;
}
