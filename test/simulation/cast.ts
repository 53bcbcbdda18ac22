// What agents of a simulated run do and say. They do their part well, unless chance makes them do it in one of the ways in which real
// ones do not: appending where they should write, committing, touching what is the person's, leaving the tree broken, finding fault,
// answering nonsense, failing.

import type { DispatchFailureKind } from "../../src/core/flow/dispatch.ts";
import type { AgentOrder } from "../../src/ports/agents.ts";
import { brainstorming, planDocument, review, type TaskText, whereIs } from "../rig/pipeline/scripts.ts";
import { goal, goesWrong, type Machine, paths } from "./machine.ts";

/** What an agent does, step by step, and what it says at the end. */
export interface Part {
  readonly acts: readonly { readonly what: string; readonly do: () => void }[];
  readonly text: string;
  readonly fails?: { readonly kind: DispatchFailureKind; readonly detail: string; readonly retryAfterMs?: number };
}

/** How likely agents are to misbehave. */
export interface Manners {
  readonly misbehaves: number;
  readonly finds: number;
  readonly fails: number;
}

const letterOf = (task: number): string => `letters/${task}.txt`;

export const tasks: readonly TaskText[] = [1, 2, 3].map((id) => ({
  id,
  title: `Letter ${id}`,
  description: `Write ${letterOf(id)}.`,
  files: [letterOf(id)],
  criteria: ["It is signed"],
  covers: ["R1"],
}));

const thinking = brainstorming({
  title: "Letters",
  content: "Three letters.",
  requirements: [{ id: "R1", text: "There are letters." }],
});

export function partOf(machine: Machine, order: AgentOrder, manners: Manners): Part {
  if (goesWrong(machine, "agent fails", manners.fails)) return { acts: [], text: "", fails: failure(machine) };
  const { step } = whereIs(order);
  const isReader = !order.capabilities.includes("write");
  const oddities = goesWrong(machine, "misdeed", manners.misbehaves) ? [misdeed(machine, isReader)] : [];
  const script = thinking[step];
  if (script !== undefined) return { acts: oddities, text: garbled(machine, script.text, manners) };
  if (order.role === "planner") return planning(machine, oddities);
  if (order.role === "implementer") return { acts: [...working(machine, order), ...oddities], text: "Done." };
  return { acts: oddities, text: garbled(machine, reviewing(machine, order, manners), manners) };
}

function planning({ hands }: Machine, oddities: Part["acts"]): Part {
  const write = { what: "writes the plan", do: () => hands.write(paths.plan, planDocument(goal, tasks)) };
  return { acts: [write, ...oddities], text: "The plan is written." };
}

/** Not idempotent on purpose: what an interrupted try leaves behind shows as lines of a dispatch that never was done. */
function working({ hands }: Machine, order: AgentOrder): Part["acts"] {
  const path = letterOf(Math.max(whereIs(order).task, 1));
  const add = (line: string) => ({
    what: `adds a line to ${path}`,
    do: () => hands.write(path, `${hands.read(path) ?? ""}${line} of ${order.id}\n`),
  });
  const mend = { what: "mends the tree", do: () => hands.remove("broken.txt") };
  return [add("first line"), add("second line"), mend];
}

function misdeed({ hands, chance }: Machine, isReader: boolean): Part["acts"][number] {
  const deeds: readonly Part["acts"][number][] = [
    { what: "commits", do: () => void hands.commit("wip") },
    { what: "amends", do: () => hands.amend("amended") },
    { what: "overwrites the person's notes", do: () => hands.write("notes.txt", "mine now\n") },
    { what: "deletes the person's notes", do: () => hands.remove("notes.txt") },
    { what: "breaks the tree", do: () => hands.write("broken.txt", "oh\n") },
    { what: "stages everything", do: () => hands.stage("letters") },
    { what: "switches to another branch", do: () => hands.checkout("elsewhere") },
    { what: "leaves a file", do: () => hands.write(`scratch-${chance.below(3)}.txt`, "scratch\n") },
  ];
  return isReader ? (deeds[7] ?? chance.pick(deeds)) : chance.pick(deeds);
}

/** A quote that is in the tree: findings and proofs need one. */
function reviewing(machine: Machine, order: AgentOrder, manners: Manners): string {
  const { hands, chance } = machine;
  const { task } = whereIs(order);
  const file = letterOf(Math.max(task, 1));
  const quote = (hands.read(file) ?? "").split("\n")[0] ?? "";
  const [, listed = ""] = /Your open findings([\s\S]*)$/.exec(order.prompt) ?? [];
  const open = [...new Set(listed.match(/\bF\d+\b/g) ?? [])];
  const state = goesWrong(machine, "finding", manners.finds / 2) ? ("still-open" as const) : ("resolved" as const);
  const resolutions = quote === "" ? [] : open.map((id) => ({ id, state, quote }));
  const isFaulty = quote !== "" && goesWrong(machine, "finding", manners.finds);
  const finding = {
    rule: "missing",
    severity: "high",
    anchor: { file, quote },
    what: `Not enough ${chance.below(9)}.`,
  };
  const findings = isFaulty ? [finding as never] : [];
  return review({ findings, resolutions }).text;
}

/** Cut, or without its block: nobody may take it for an answer. */
function garbled(machine: Machine, text: string, manners: Manners): string {
  if (!goesWrong(machine, "garbled answer", manners.misbehaves / 2)) return text;
  return machine.chance.pick(["", "I think it is fine.", text.slice(0, text.length / 2), `${text}\n${text}`]);
}

function failure({ chance }: Machine): NonNullable<Part["fails"]> {
  const kinds: readonly DispatchFailureKind[] = ["crashed", "rate-limited", "overloaded", "timed-out", "stuck"];
  const kind = chance.pick([...kinds, "auth", "billing"] as const);
  return { kind, detail: `it was ${kind}`, ...(kind === "rate-limited" ? { retryAfterMs: 2000 } : {}) };
}
