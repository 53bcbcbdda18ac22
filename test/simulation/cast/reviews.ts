// What reviewers say: that all is well, that something is not, or something about a place where nothing can be read.

import type { AgentOrder } from "../../../src/ports/agents.ts";
import { review, whereIs } from "../../rig/pipeline/scripts.ts";
import { goesWrong, type Machine } from "../machine/machine.ts";

export const letterOf = (task: number): string => `letters/${task}.txt`;

/** Findings and proofs point at something that is in the tree. */
export function reviewing(machine: Machine, order: AgentOrder): string {
  const { quote, last, anchor } = subjectOf(machine, order);
  const [, listed = ""] = /Your open findings([\s\S]*)$/.exec(order.prompt) ?? [];
  const open = [...new Set(listed.match(/\bF\d+\b/g) ?? [])];
  const state = goesWrong(machine, "finding", 0.5) ? ("still-open" as const) : ("resolved" as const);
  const proof = addedLine(order.prompt) ?? last;
  const resolutions = proof === "" ? [] : open.map((id) => ({ id, state, quote: proof }));
  const sound = quote !== "" && goesWrong(machine, "finding") ? [finding(machine, anchor)] : [];
  const odd = goesWrong(machine, "finding where nothing can be read") ? [finding(machine, oddAnchor(machine))] : [];
  const findings = [...sound, ...odd];
  const isPassed = findings.length > 0 && goesWrong(machine, "finding in a review that passes");
  return review({ findings, resolutions, ...(isPassed ? { passed: true } : {}) }).text;
}

/** A line that the fix added, if the prompt shows the difference. Where that is too long, a fix is at the end of the file. */
function addedLine(prompt: string): string | undefined {
  const [, diff = ""] = /Changes since your last review[\s\S]*?^(diff --git[\s\S]*)$/m.exec(prompt) ?? [];
  const lines = diff.split("\n");
  const added = lines.findLast((one) => /^\+(?!\+\+ ).*\w{3}/.test(one) && !lines.includes(`-${one.slice(1)}`));
  return added?.slice(1).trim();
}

type Finding = NonNullable<NonNullable<Parameters<typeof review>[0]>["findings"]>[number];
type Anchor = NonNullable<Finding["anchor"]>;

interface Subject {
  readonly quote: string;
  readonly last: string;
  readonly anchor: Anchor;
}

function subjectOf({ hands }: Machine, order: AgentOrder): Subject {
  const { step, task } = whereIs(order);
  const stack = "**Tech Stack:** Text.";
  if (step.startsWith("plan-review")) return { quote: stack, last: stack, anchor: { requirement: "T1" } };
  const file = letterOf(Math.max(task, 1));
  const lines = (hands.read(file) ?? "").trimEnd().split("\n");
  const quote = lines[0] ?? "";
  return { quote, last: lines.at(-1) ?? "", anchor: { file, quote } };
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
