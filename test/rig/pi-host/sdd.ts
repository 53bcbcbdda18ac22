// A plan that a person wrote, and the part a scripted model plays in runs of its tasks. The first task is found wanting
// once, the second is done at once, the third changes nothing.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { stringify } from "yaml";
import { fenced } from "../../../src/core/text/block.ts";
import type { ModelPlay, Reaction, Turn } from "../../../src/demo/model/play.ts";
import { answerWith } from "../../../src/demo/model/texts.ts";
import type { Cli } from "../cli/cli.ts";
import type { PiSession, Shown } from "./session.ts";
import { type Desk, sharePi } from "./shared.ts";

export const planPath = "docs/my plan.md";

const tasks = [
  { id: 1, title: "A letter", files: ["letter.txt"], dependsOn: [] },
  { id: 2, title: "An envelope", files: ["envelope.txt"], dependsOn: [1] },
  { id: 3, title: "A stamp", files: ["stamp.txt"], dependsOn: [2] },
];

/** The plan's document; `titles` are of tasks that were rewritten. */
export function planText(titles: Readonly<Record<number, string>> = {}): string {
  const told = tasks.map(({ title, ...task }) => ({
    ...task,
    title: titles[task.id] ?? title,
    criteria: [`It is there: ${task.files.join()}`],
    commands: [`cat ${task.files.join()}`],
  }));
  return [
    "# Post",
    "**Goal:** mail for a reader\n\n**Architecture:** plain files\n\n**Tech Stack:** text",
    ...told.map(({ id, title, files }) => `### Task ${id}: ${title}\n\nWrite ${files.join()}.`),
    `${fenced("superteam-tasks", stringify(told).trimEnd())}\n`,
  ].join("\n\n");
}

export function writePlan(cli: Cli, text = planText()): void {
  writeFileSync(join(cli.root, planPath), text);
}

/** `changes` go over what is said, by the prompt's step and the turn. */
export function sddPlay(changes: (step: string, turn: number) => Reaction = () => ({})): ModelPlay {
  return (turn) => {
    const step = turn.header?.step ?? "";
    const [, task = "", what = ""] = /^execute\/task-(\d)\/(.+)$/.exec(step) ?? [];
    return { ...reaction(turn, Number(task), what), ...changes(step, turn.turn) };
  };
}

function reaction(turn: Turn, task: number, what: string): Reaction {
  if (what === "implement" && task === 3) return { text: "There is nothing to do." };
  if (what === "implement") return writes(turn, task === 1 ? "letter.txt" : "envelope.txt", "Dear reader\n");
  if (what === "fix") return writes(turn, "letter.txt", "Dear reader, hello\n");
  if (what === "spec-review" && task === 1) return { text: answerWith("superteam-json", specReview(turn.prompt)) };
  if (what === "spec-review" || what === "quality-review") return { text: answerWith("superteam-json", passed) };
  throw new Error(`the play of the plan has no part for task ${task}, ${what}`);
}

const passed = { passed: true, findings: [], summary: "fine" };

function specReview(prompt: string): object {
  if (prompt.includes("Dear reader, hello"))
    return { ...passed, resolutions: [{ id: "F1", state: "resolved", quote: "Dear reader, hello" }] };
  const anchor = { file: "letter.txt", quote: "Dear reader" };
  const finding = { rule: "missing", severity: "high", anchor, what: "there is no greeting" };
  return { passed: false, findings: [finding], summary: "not yet" };
}

function writes({ turn }: Turn, path: string, content: string): Reaction {
  if (turn > 0) return { text: `${path} is written.` };
  return { text: "I write it.", tools: [{ name: "write", args: { path, content } }] };
}

/** A repository with the plan in it, uncommitted, and the shared pi there. */
export async function openDesk(context: TestContext, play = sddPlay()): Promise<Desk> {
  const desk = await sharePi(context, play);
  mkdirSync(join(desk.cli.root, "docs"));
  writePlan(desk.cli);
  return desk;
}

/** The first run in a repository asks for trust, and has it. */
export async function trust(pi: PiSession): Promise<void> {
  choose(pi, await question(pi, trustQuestion), "Trust");
}

export const trustQuestion = /^Trust this repository\?/;

export async function question(pi: PiSession, title: RegExp): Promise<Shown> {
  const shown = await pi.dialog();
  assert.match(shown.title ?? "", title);
  return shown;
}

/** The tasks as `/sdd status` lists them, without what they cost. */
export async function listed(pi: PiSession): Promise<readonly string[]> {
  const lines = (await told(pi, "/sdd status")).split("\n");
  return lines.flatMap((line) => /^ {2}(.+?)(, <?\$[\d.]+)?$/.exec(line)?.[1] ?? []);
}

/** Types a line, and gives all that was told until it was handled. */
export async function told(pi: PiSession, line: string): Promise<string> {
  const before = pi.records.length;
  await pi.type(line);
  const notices = pi.records.slice(before).filter(({ method }) => method === "notify");
  return notices.map(({ message = "" }) => message).join("\n");
}

/** Chooses an option by its first words. */
export function choose(pi: PiSession, dialog: Shown, words: string): void {
  pi.answer(dialog, dialog.options?.find((option) => option.startsWith(words)) ?? words);
}

/** Waits for the report of a run of this task, and for the closing card after it, which comes last. */
export async function reported(pi: PiSession, task: number): Promise<string> {
  const report = await pi.told(new RegExp(`^# Workflow Complete\\n\\nTask ${task} of `));
  const isCard = ({ method, message = "" }: Shown): boolean =>
    method === "notify" && /\n {2}\d+ tasks? in /.test(message);
  await pi.until(
    (record) => pi.records.indexOf(record) > pi.records.indexOf(report) && isCard(record),
    "a closing card",
  );
  return report.message ?? "";
}
