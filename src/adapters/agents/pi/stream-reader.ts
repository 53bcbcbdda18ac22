// Understands pi's stream, and decides at its end how the dispatch went. pi exits 0 on every failure of a model: the
// verdict is the last assistant message, and whether pi said that it was done.

import type { DispatchFailureKind } from "../../../core/flow/dispatch.ts";
import type { AgentEvent } from "../../../ports/agents.ts";
import type { SentOrder } from "../dispatch-folder.ts";
import { type Lines, lineDecoder } from "../json-lines.ts";
import type { AgentEnding, Stop, StreamReader } from "../supervise.ts";
import { type Diagnosis, diagnose } from "./failure.ts";
import { cutTurn, newConversation, type PiConversation, translate } from "./translate.ts";

export function piReader(order: SentOrder): StreamReader {
  const decoder = lineDecoder();
  let now = newConversation(order);
  let bad = 0;
  let halt: Stop | undefined;

  const take = ({ records, bad: lines }: Lines): readonly AgentEvent[] => {
    const events: AgentEvent[] = [];
    for (const record of records) {
      const step = translate(now, record);
      now = step.next;
      events.push(...step.events);
    }
    for (const line of lines) if (bad++ === 0) events.push(unreadable(line));
    halt ??= wrongModel(order.model, now.model);
    return events;
  };
  return {
    read: (bytes) => take(decoder.push(bytes)),
    get busy() {
      return now.tools.size > 0;
    },
    get halt() {
      return halt;
    },
    close(ending) {
      const events = [...take(decoder.end()), ...cutTurn(now)];
      if (bad > 1) events.push({ type: "trouble", detail: `${bad} lines of pi's stream could not be read.` });
      return [...events, verdict(now, { ...ending, stop: ending.stop ?? halt })];
    },
  };
}

function unreadable(line: string): AgentEvent {
  return { type: "trouble", detail: `A line of pi's stream could not be read: ${line}` };
}

/** For an unknown model pi picks a similar one: that would spend money on a model nobody chose. */
function wrongModel(asked: string | null, ran: string | null): Stop | undefined {
  if (asked === null || ran === null) return undefined;
  const [wanted, got] = [asked.toLowerCase(), ran.toLowerCase()];
  const same = got === wanted || got.endsWith(`/${wanted}`) || wanted.startsWith(`${got}:`);
  if (same) return undefined;
  return { kind: "wrong-model", detail: `pi ran ${ran} where ${asked} was asked for. Name the model as pi lists it.` };
}

function verdict(now: PiConversation, ending: AgentEnding): AgentEvent {
  const { last, model, settled } = now;
  const { exit, stop, stderr } = ending;
  const output = bounded(last?.text || stderr);
  const failed = (diagnosis: Diagnosis, detail: string): AgentEvent => {
    return { type: "failed", ...diagnosis, detail: bounded(detail), output, model };
  };
  // An answer that was whole before the agent was stopped has been paid for.
  const isDone = last?.stopReason === "stop" && now.turn === null && model !== null;
  if (stop?.kind === "aborted" && isDone) return { type: "finished", text: last.text, model };
  if (stop !== undefined) return failed({ kind: stop.kind }, stop.detail);
  if (last?.stopReason === "error") return failed(diagnose(last.error, Date.now()), last.error || "pi gave no reason.");
  if (exit.how === "killed") return failed(crashed, `pi was killed by ${exit.signal}.`);
  if (exit.code !== 0 || !settled || last === null || model === null) {
    return failed(startFailure(stderr, last === null), silentEnd(exit.code, stderr));
  }
  if (last.stopReason === "aborted") return failed(crashed, "pi broke off by itself.");
  return { type: "finished", text: last.text, model };
}

const crashed = { kind: "crashed" } as const;

/** Before the first answer pi may stop over its configuration, and says so on stderr alone. */
function startFailure(stderr: string, early: boolean): { readonly kind: DispatchFailureKind } {
  if (!early) return crashed;
  const { kind } = diagnose(stderr, 0);
  return { kind: kind === "auth" || kind === "wrong-model" ? kind : "crashed" };
}

function silentEnd(code: number, stderr: string): string {
  const said = stderr.trim() === "" ? "It said nothing." : `It said: ${stderr.trim()}`;
  return `pi ended with exit code ${code} and without an answer. ${said}${withoutGuard(stderr)}`;
}

/** The only extension that an agent is given is the guard. */
function withoutGuard(stderr: string): string {
  if (!stderr.includes("Failed to load extension")) return "";
  return `\nThis pi cannot load the guard for test-first work. Work without it: "tdd": "off" in .superteam.json.`;
}

/** The end matters most. */
function bounded(text: string): string {
  return text.length <= 4_000 ? text : `[...] ${text.slice(-4_000)}`;
}
