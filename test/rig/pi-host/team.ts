// The tool `team` in the real pi: the person's prompt says which calls the session's model makes, one after another, and
// each task says what its agent does.

import assert from "node:assert/strict";
import type { ModelPlay, Reaction, Turn } from "../../../src/demo/model/play.ts";
import type { PiSession, Shown } from "./session.ts";

export type TeamCall = Readonly<Record<string, unknown>>;

/** The session's model makes the calls it was told to; agents do as their task says. */
export const teamPlay =
  (name = "team"): ModelPlay =>
  (turn) =>
    turn.header === null ? caller(turn, name) : agent(turn);

function caller({ prompt, turn }: Turn, name: string): Reaction {
  const calls: readonly TeamCall[] = JSON.parse(/calls: (.*)/.exec(prompt)?.[1] ?? "[]");
  const args = calls[turn];
  return args === undefined ? { text: "That is all." } : { text: "I ask.", tools: [{ name, args }] };
}

/**
 * `say <text>`, `wait <ms> <text>`, `bash <command>`, `write <path>`, and after one of the last two `then wait <ms>`. What a
 * role was told of the one before goes into its answer.
 */
function agent({ prompt, turn }: Turn): Reaction {
  const [, verb = "", rest = ""] = /^(say|wait|bash|write) ?(.*)$/m.exec(prompt) ?? [];
  const quoted = /before you\n```\n(.*)\n```/.exec(prompt)?.[1];
  const heard = quoted === undefined ? "" : ` after "${quoted}"`;
  if (verb === "wait") {
    const [ms = "0", ...words] = rest.split(" ");
    return { latencyMs: Number(ms), text: `${words.join(" ")}${heard}` };
  }
  const latencyMs = turn > 0 ? Number(/^then wait (\d+)$/m.exec(prompt)?.[1] ?? 0) : 0;
  if (verb === "say" || turn > 0) return { text: `${turn > 0 ? "done" : rest}${heard}`, latencyMs };
  const args = verb === "bash" ? { command: rest } : { path: rest, content: "written by an agent\n" };
  return { text: "I do it.", tools: [{ name: verb, args }] };
}

/** Has the model make these calls, and gives what each came to. */
export async function callTeam(pi: PiSession, ...calls: readonly TeamCall[]): Promise<readonly Shown[]> {
  await startCalls(pi, calls);
  await pi.until(({ type }) => type === "agent_end", "the model's last word");
  const ends = endsOf(pi);
  assert.equal(ends.length, calls.length, "a result for each call");
  return ends;
}

/** Answers whether roles may write in this session. */
export async function decideWriters(pi: PiSession, answer: "Yes" | "No"): Promise<void> {
  const dialog = await pi.dialog();
  assert.match(dialog.title ?? "", /^Let agents write here\?/);
  pi.answer(dialog, dialog.options?.find((option) => option.startsWith(answer)) ?? answer);
}

export async function startCalls(pi: PiSession, calls: readonly TeamCall[]): Promise<void> {
  await pi.type(`Make these calls: ${JSON.stringify(calls)}`);
}

export function endsOf(pi: PiSession): readonly Shown[] {
  return pi.records.filter(({ type }) => type === "tool_execution_end");
}

export function textOf(record: Shown | undefined): string {
  return record?.result?.content.map(({ text = "" }) => text).join("\n") ?? "";
}

/** What the call adds to the costs of the session. */
export function costOf(record: Shown | undefined): number {
  const { usage } = Object(record?.result) as { readonly usage?: { readonly cost: { readonly total: number } } };
  return usage?.cost.total ?? 0;
}
