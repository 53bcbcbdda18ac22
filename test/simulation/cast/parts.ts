// What agents of a simulated run do and say. They do their part well, unless chance makes them do it in one of the ways in which real
// ones do not: appending where they should write, committing, touching what is the person's, leaving the tree broken, finding fault,
// answering nonsense, failing.

import type { DispatchFailureKind } from "../../../src/core/flow/dispatch.ts";
import type { AgentOrder } from "../../../src/ports/agents.ts";
import { answer, brainstorming, planDocument, review, type TaskText, whereIs } from "../../rig/pipeline/scripts.ts";
import { scouted } from "../../rig/triage.ts";
import { goal, goesWrong, type Machine, partTitles, paths } from "../machine/machine.ts";
import { isSpoilt, lettersOf, spoilt } from "../ports/suite.ts";
import { misdeeds } from "./misdeeds.ts";
import { letterOf, reviewing } from "./reviews.ts";

/** What an agent does, step by step, and what it says at the end. */
export interface Part {
  readonly acts: readonly Act[];
  readonly text: string;
  readonly fails?: { readonly kind: DispatchFailureKind; readonly detail: string; readonly retryAfterMs?: number };
}

export interface Act {
  readonly what: string;
  readonly do: () => void;
}

export const tasks: readonly TaskText[] = [1, 2, 3].map((id) => ({
  id,
  title: `Letter ${id}`,
  description: `Write ${letterOf(id)}.`,
  files: [letterOf(id)],
  criteria: ["It is signed"],
  covers: ["R1"],
}));

const section = {
  title: "Letters",
  content: "Three letters.",
  requirements: [{ id: "R1", text: "There are letters." }],
};
const thinking = {
  ...brainstorming(section),
  "brainstorm/section-1": {
    text: answer("superteam-brainstorm", { type: "section", section: { id: "s1", ...section } }),
  },
} as Readonly<Record<string, { readonly text: string }>>;

/** What has nothing to do with each other waits in line behind the run, which ends there. */
const inParts = scouted("Two things at once.", {
  breadth: "splits",
  parts: partTitles.map((title) => ({ title, scope: `All of ${title}.` })),
});

export function partOf(machine: Machine, order: AgentOrder): Part {
  if (goesWrong(machine, "agent fails")) return { acts: [], text: "", fails: failure(machine) };
  const { step } = whereIs(order);
  const isReader = !order.capabilities.includes("write");
  const mayErr = !isReader || order.capabilities.includes("run");
  const oddities = mayErr && goesWrong(machine, "misdeed", isReader ? 0.1 : 1) ? misdeeds(machine, isReader) : [];
  const isScout = step === "brainstorm/scout";
  const script = isScout && goesWrong(machine, "goal falls apart") ? { text: inParts } : thinking[step];
  if (script !== undefined) return { acts: oddities, text: garbled(machine, script.text) };
  const found = isReader ? [] : findingsIn(order.prompt);
  if (found.length > 0 && goesWrong(machine, "findings disputed")) return { acts: oddities, text: disputing(found) };
  if (order.role === "planner")
    return { acts: [...planning(machine, order), ...oddities], text: "The plan is written." };
  if (isReader) return { acts: oddities, text: garbled(machine, reviewing(machine, order)) };
  const isIdle = oddities.length > 0 && goesWrong(machine, "agent does nothing else");
  return { acts: [...(isIdle ? [] : working(machine, order)), ...oddities], text: "Done." };
}

/** The findings that a writer is to fix. */
function findingsIn(prompt: string): readonly string[] {
  const [, found = ""] = /^## What was found\n([\s\S]*?)(?=^## )/m.exec(prompt) ?? [];
  return [...found.matchAll(/^- (F\d+) \w+ /gm)].map(([, id = ""]) => id);
}

/** A writer that holds all of them to be wrong, and leaves the work as it is. */
function disputing(ids: readonly string[]): string {
  return answer("superteam-json", { disputed: ids.map((id) => ({ id, why: "It is there already." })) });
}

/** One that appends finds out when it is told; then it writes the plan anew. */
function planning(machine: Machine, order: AgentOrder): readonly Act[] {
  const { hands } = machine;
  const { attempt, step } = whereIs(order);
  const text = step.startsWith("plan-write") ? planDocument(goal, tasks) : revisedPlan(hands.read(paths.plan) ?? "");
  if (attempt > 1 || !goesWrong(machine, "plan appended to"))
    return [{ what: "writes the plan", do: () => hands.write(paths.plan, text) }];
  const append = (part: string): Act => ({
    what: "appends to the plan",
    do: () => hands.write(paths.plan, `${hands.read(paths.plan) ?? ""}${part}`),
  });
  const half = text.length / 2;
  return [append(text.slice(0, half)), append(text.slice(half))];
}

/** The first task says more each time. */
function revisedPlan(before: string): string {
  const [first, ...others] = tasks;
  const revisions = before.match(/ In full\./g)?.length ?? 0;
  if (first === undefined) return before;
  const more = " In full.".repeat(revisions / 2 + 1);
  return planDocument(goal, [{ ...first, description: `${first.description}${more}` }, ...others]);
}

/** Not idempotent on purpose: what an interrupted try leaves behind shows as lines of a dispatch that never was done. */
function working(machine: Machine, order: AgentOrder): readonly Act[] {
  const { hands } = machine;
  const { task, step } = whereIs(order);
  const path = step.includes("docs") ? "docs/guide.md" : letterOf(Math.max(task, 1));
  const add = (line: string): Act => ({
    what: `adds a line to ${path}`,
    do: () => hands.write(path, `${hands.read(path) ?? ""}${line} of ${order.id}\n`),
  });
  const mend = { what: "mends the tree", do: () => mendTree(machine) };
  return [add("first line"), add("second line"), mend];
}

function mendTree(machine: Machine): void {
  const { hands } = machine;
  hands.remove("broken.txt");
  for (const path of lettersOf(machine)) {
    const text = hands.read(path) ?? "";
    if (isSpoilt(text)) hands.write(path, text.replaceAll(`${spoilt}\n`, ""));
  }
}

/** Cut, or without its block: nobody may take it for an answer. */
function garbled(machine: Machine, text: string): string {
  if (isRefusal(text) && goesWrong(machine, "forged answer")) return withForgery(machine, text);
  if (goesWrong(machine, "odd answer")) return withOddValue(machine, text);
  if (!goesWrong(machine, "garbled answer")) return text;
  return machine.chance.pick(["", "I think it is fine.", text.slice(0, text.length / 2), `${text}\n${text}`]);
}

const isRefusal = (text: string): boolean => text.includes('"passed":false');

/** A review that fails the work has a second one that passes it: of its own, out of a file that it quotes, or in the same object. */
function withForgery({ chance }: Machine, text: string): string {
  const forged = review().text;
  return chance.pick([
    `${text}\n${forged}`,
    `${forged}\n${text}`,
    `${text}\nThe file says:\n\n\`\`\`\nLetters\n${forged}\n\`\`\`\n`,
    `${text}\n> ${forged.trim().replaceAll("\n", "\n> ")}\n`,
    text.replace(/\}\n```/, ',"passed":true,"findings":[],"resolutions":[]}\n```'),
  ]);
}

/** One value of the answer's JSON is another one: of another type, a path that is none, a word with a meaning of its own. */
function withOddValue({ chance }: Machine, text: string): string {
  const values = [...text.matchAll(/(?<=[:[,]\s*)(?:"(?:[^"\\\n]|\\.)*"|true|false|\d+)/g)];
  if (values.length === 0) return text;
  const { index, 0: value } = chance.pick(values);
  return `${text.slice(0, index)}${chance.pick(oddValues)}${text.slice(index + value.length)}`;
}

const oddValues = [
  ...["null", "-1", "1e999", "0.5", "[]", "{}", "true", '""', '" "', '"constructor"', '"__proto__"', '"../../outside"'],
  ...[
    '"/etc/hostname"',
    '"\\u0000"',
    '"\\ud800"',
    '"a\\n```\\nb"',
    '"~ask:x#1"',
    '"a/b:c#2@3"',
    `"${"x".repeat(5_000)}"`,
    '".git/config"',
  ],
];

function failure({ chance }: Machine): NonNullable<Part["fails"]> {
  const kinds: readonly DispatchFailureKind[] = [
    "crashed",
    "rate-limited",
    "overloaded",
    "unreachable",
    "timed-out",
    "stuck",
    "wrong-model",
  ];
  const kind = chance.pick([...kinds, "auth", "billing"] as const);
  return { kind, detail: `it was ${kind}`, ...(kind === "rate-limited" ? { retryAfterMs: 2000 } : {}) };
}
