// What reviewers say: that all is well, that something is not, or something about a place where nothing can be read.

import type { AgentOrder } from "../../../src/ports/agents.ts";
import { review, whereIs } from "../../rig/pipeline/scripts.ts";
import { goesWrong, type Machine } from "../machine/machine.ts";

export const letterOf = (task: number): string => `letters/${task}.txt`;

/** Findings and proofs point at something that is in the tree. */
export function reviewing(machine: Machine, order: AgentOrder): string {
  const { quote, anchor } = subjectOf(machine, order);
  const [, listed = ""] = /Your open findings([\s\S]*)$/.exec(order.prompt) ?? [];
  const open = [...new Set(listed.match(/\bF\d+\b/g) ?? [])];
  const state = goesWrong(machine, "finding", 0.5) ? ("still-open" as const) : ("resolved" as const);
  const proof = changedLine(order.prompt) ?? quote;
  const resolutions = proof === "" ? [] : open.map((id) => ({ id, state, quote: proof }));
  const sound = quote !== "" && goesWrong(machine, "finding") ? [finding(machine, anchor)] : [];
  const odd = goesWrong(machine, "finding where nothing can be read") ? [finding(machine, oddAnchor(machine))] : [];
  const findings = [...sound, ...odd];
  const isPassed = findings.length > 0 && goesWrong(machine, "finding in a review that passes");
  return review({ findings, resolutions, ...(isPassed ? { passed: true } : {}) }).text;
}

/** A line that the fix added or removed, as the prompt shows it. */
function changedLine(prompt: string): string | undefined {
  const [, since = ""] = /reviewed this before\. Since then([\s\S]*)$/.exec(prompt) ?? [];
  const line = since.split("\n").find((one) => /^[+-](?!\+\+ |-- ).*\w{3}/.test(one));
  return line?.slice(1).trim();
}

type Finding = NonNullable<NonNullable<Parameters<typeof review>[0]>["findings"]>[number];
type Anchor = NonNullable<Finding["anchor"]>;

function subjectOf({ hands }: Machine, order: AgentOrder): { readonly quote: string; readonly anchor: Anchor } {
  const { step, task } = whereIs(order);
  if (step.startsWith("plan-review")) return { quote: "**Tech Stack:** Text.", anchor: { requirement: "T1" } };
  const file = letterOf(Math.max(task, 1));
  const quote = (hands.read(file) ?? "").split("\n")[0] ?? "";
  return { quote, anchor: { file, quote } };
}

/** The final reviewer names a category where others name a rule. */
function finding({ chance }: Machine, anchor: Anchor): Finding {
  const kind = { rule: "missing", category: "missing" };
  return { ...kind, severity: "high", anchor, what: `Not enough ${chance.below(9)}.` };
}

function oddAnchor({ chance }: Machine): Anchor {
  const file = chance.pick(["docs", "letters", "vendor/.git/config", `letters/${"x".repeat(300)}.txt`, "letters/all"]);
  return { file, quote: "anything" };
}
