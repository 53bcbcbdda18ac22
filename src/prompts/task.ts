// What the implementer is told: the task, in full, what the plan says about it and about the whole, and how to work. It
// never sees the other tasks' parts of the plan, or the conversation.

import type { Requirement } from "../core/plan/brainstorm.ts";
import { criterionId, type Task } from "../core/plan/plan.ts";
import type { Diff } from "../core/review/anchor.ts";
import { describe, type Register } from "../core/review/register.ts";
import { isMore } from "../core/run/ceremony.ts";
import { type Config, type Mode, modes } from "../core/run/config.ts";
import type { Settled } from "../core/run/report.ts";
import { fenced } from "../core/text/block.ts";
import { shortSha } from "../core/text/format.ts";
import { bullets, changesText, dataRule, section, sections } from "./parts.ts";

export interface TaskBrief {
  readonly task: Task;
  readonly total: number;
  readonly goal: string;
  /** The head of the plan's document; empty without one. */
  readonly header?: string;
  readonly mode: Mode;
  /** Whether the configuration wants tests to come first; a task may still need none. */
  readonly tdd: Config["tdd"];
  readonly requirements: readonly Requirement[];
  /** The tasks before this one that matter as context, oldest first. */
  readonly earlier: readonly (Pick<Task, "id" | "title"> & Pick<Settled, "status" | "commit" | "files">)[];
}

/** What is said first when the tree holds work on the goal already. */
export function begunLesson(files: readonly string[]): string {
  return `A first attempt at the goal is in the tree, uncommitted, and is part of this task now: keep what the plan can use, take the rest back.\n${bullets(files)}`;
}

export const nothingLesson = "You changed no file. The task is not done yet.";

/** `problem` is what was wrong with the attempt that was taken back; empty when nothing was found wrong with the work. */
export function rolledBackLesson(problem: string): string {
  return `It was taken back: the tree is as it was before the task.${problem === "" ? "" : `\n${problem}`}`;
}

/** `lesson` says what became of an earlier attempt; empty at the first. */
export function implement(brief: TaskBrief, lesson: string): string {
  return sections(
    `Implement one task of a plan in this repository. ${dataRule}`,
    `- Do what the task says, all of it, and nothing else. Keep to the project's conventions.
- Before you report, run the task's commands and the project's tests, read your own diff against each criterion, and mend what you find.
- ${noCommit}
- Report in a few lines: what you changed, what you ran and what it said, what is left open.`,
    biggerRule(brief.mode),
    section("The plan's goal", brief.goal),
    quoted("The head of the plan", brief.header ?? ""),
    context(brief),
    taskText(brief),
    section("What became of your last attempt", lesson),
  );
}

export function fix(brief: Omit<TaskBrief, "tdd">, problem: string, changes: Diff): string {
  return sections(
    `Fix what was found wrong with your work on one task of a plan. ${dataRule}`,
    `- Mend each point at its cause${brief.task.tdd === "required" ? ", with a test that would have caught it" : ""}. Change nothing else.
- Run the task's commands and the project's tests before you report.
- ${noCommit}
- Report for each point, by its id, what you did.`,
    taskText(brief),
    section("What was found", problem),
    section("Your work so far", changesText(changes)),
  );
}

/** Each finding with who found it, what they propose and what they quote. */
export function findingsText(register: Register): string {
  return register
    .map((entry) => {
      const { anchor, fix: proposal } = entry.finding;
      const quote = anchor && "file" in anchor ? `\n${fenced("", anchor.quote)}` : "";
      return `- ${describe(entry)} (${entry.role})${proposal ? ` Proposed: ${proposal}` : ""}${quote}`;
    })
    .join("\n");
}

export function failedCommandText(command: string, output: string): string {
  return `\`${command}\` fails. It printed, at its end:\n${fenced("", output.trimEnd())}`;
}

function quoted(title: string, text: string): string {
  return text === "" ? "" : section(title, fenced("", text));
}

const testing: Readonly<Record<Task["tdd"], string>> = {
  required:
    "Test first: write the test, run it, see it fail for the right reason; write the least code that passes; clean up.",
  "existing-tests":
    "Tests for this exist: run them before you change anything and after each step. They stay green; no new ones are needed.",
  none: "No tests are asked for: there is nothing new to test. Show with the task's commands that it works.",
};

const inAnyOrder = "Write tests for it, before or after the code, and see them pass.";

/** The task's own words, the same for who builds it and who reviews it. */
export function taskText({ task, requirements }: Pick<TaskBrief, "task" | "requirements">): string {
  return sections(
    `## Task ${task.id}: ${task.title}\n${task.description}`,
    listed("Files", task.files),
    listed(
      "Criteria",
      task.criteria.map((criterion, index) => `${criterionId(index)}: ${criterion}`),
    ),
    listed("Commands", task.commands),
    listed(
      "Requirements of the design",
      requirements.map((requirement) => `${requirement.id}: ${requirement.text}`),
    ),
  );
}

export const noCommit = "Do NOT commit. The orchestrator manages commits.";

function listed(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}:\n${bullets(lines)}`;
}

/** The modes that are more than this one; in the largest there is nothing to ask for. */
function biggerRule(mode: Mode): string {
  const larger = modes.filter((other) => isMore(other, mode));
  if (larger.length === 0) return "";
  const form = `{"bigger": {"mode": ${larger.map((other) => `"${other}"`).join(" | ")}, "reason": "one sentence"}}`;
  return `This is a ${mode} change. Only if it proves to be far more, stop where things work and end your report with one block:\n${fenced("superteam-json", form)}`;
}

function context({ task, total, earlier, tdd }: TaskBrief): string {
  const before = earlier.map(({ id, title, status, commit, files }) => {
    const sha = commit === null ? "" : `, commit ${shortSha(commit)}`;
    return `Task ${id}, ${title}: ${status}${sha}${files.length === 0 ? "" : ` (${files.join(", ")})`}`;
  });
  const tests = task.tdd === "required" && tdd === "off" ? inAnyOrder : testing[task.tdd];
  return sections(`${total === 1 ? "" : `This is one of ${total} tasks. `}${tests}`, listed("Before it", before));
}
