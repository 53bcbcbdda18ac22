// The implementer's messages: the goal, the plan's header, the task in full, and its step. It never sees what the plan says of
// other tasks, or the conversation.

import { longestShownDiff } from "../core/flow/repository.ts";
import type { Requirement } from "../core/plan/brainstorm.ts";
import { criterionId, type Task } from "../core/plan/plan.ts";
import type { Diff } from "../core/review/anchor.ts";
import { reviewerSide } from "../core/review/dispute.ts";
import { describeWithRole, type Register } from "../core/review/register.ts";
import { isMore } from "../core/run/ceremony.ts";
import { type Config, type Mode, modes } from "../core/run/config.ts";
import type { Settled } from "../core/run/report.ts";
import { fenced, fencedIfHeaded } from "../core/text/block.ts";
import { listed, nameText, oneLine, shortSha } from "../core/text/format.ts";
import type { Blame } from "../core/validation/blame.ts";
import { bullets, changesText, goalText, section, sections, step } from "./parts.ts";

export interface TaskBrief {
  readonly task: Task;
  readonly total: number;
  readonly goal: string;
  /** The header of the plan's document; empty without one. */
  readonly header?: string;
  readonly mode: Mode;
  /** Whether the configuration wants tests to come first; a task may still need none. */
  readonly tdd: Config["tdd"];
  readonly requirements: readonly Requirement[];
  /** Requirements of this task that other tasks cover too. */
  readonly elsewhere?: readonly { readonly requirement: string; readonly tasks: readonly number[] }[];
  /** Tests that were red before the task, with their command; null when there are none, or nobody knows. */
  readonly red?: { readonly command: string; readonly tests: readonly string[] } | null;
  /** The earlier tasks that matter as context, oldest first. */
  readonly earlier: readonly (Pick<Task, "id" | "title"> & Pick<Settled, "status" | "commit" | "files">)[];
}

/** The first words when the tree already holds work on the goal. */
export function begunLesson(files: readonly string[]): string {
  return `A first attempt at the goal is in the tree, uncommitted, and is now part of this task: keep what the plan can use, and undo the rest.\n${bullets(files.map(nameText))}`;
}

export const nothingLesson =
  "You changed no file, and the person asked for another attempt. If nothing is to be changed, say why in summary.";

/** What the person says to an implementer that was blocked. */
export function unblockedLesson(reason: string, words: string): string {
  return sections(
    `You were blocked: ${reason}\nWhat you had changed by then is still in the tree.`,
    section("What the person says", fencedIfHeaded(words)),
  );
}

/** `problem` is what was wrong with the attempt; empty when nothing was found wrong with the work. */
export function rolledBackLesson(problem: string): string {
  return `It was rolled back: the tree is as it was before the task.${problem === "" ? "" : ` What was wrong with it:\n${problem}`}`;
}

/** `lesson` says what happened to an earlier attempt; empty at the first. */
export function implement(brief: TaskBrief, lesson: string): string {
  return sections(
    goalText(brief.goal),
    quoted("The plan's header", brief.header ?? ""),
    section("Earlier tasks", bullets(brief.earlier.map(earlierText))),
    taskText(brief),
    redText(brief),
    section("What happened to your last attempt", lesson),
    step("implement", sections(`${testsText(brief)}${ofTotal(brief)}`, biggerRule(brief.mode))),
  );
}

/** What was found. A check that fails needs no test that shows it. */
export interface ToFix {
  readonly text: string;
  readonly isFinding: boolean;
}

export function findingTest({ isFinding }: ToFix): string {
  return isFinding ? " Where a test could have caught it and none did, add that test." : "";
}

export function fix(brief: Omit<TaskBrief, "tdd">, problem: ToFix, changes: Diff): string {
  const test = brief.task.tdd === "required" ? findingTest(problem) : "";
  return sections(
    goalText(brief.goal),
    taskText(brief),
    redText(brief),
    section("Your work so far", changesText(changes)),
    section("What was found", problem.text),
    step(
      "fix",
      `Fix everything under What was found, at its cause, except what you dispute.${test} Change nothing else.`,
    ),
  );
}

/** Each finding with who found it, what they propose and what they quote. */
export function findingsText(register: Register): string {
  return register
    .map((entry) => {
      const { anchor, fix: proposal } = entry.finding;
      const quote = anchor && "file" in anchor ? `\n${fenced("", anchor.quote)}` : "";
      return `- ${describeWithRole(entry)}${proposal ? ` Proposed: ${proposal}` : ""}${quote}`;
    })
    .join("\n");
}

/** Findings for the one who is to fix them, who should not repeat a dispute that has been answered. */
export function toFixText({
  open,
  isWanted = false,
}: {
  readonly open: Register;
  readonly isWanted?: boolean;
}): string {
  const disputed = open.flatMap(({ id, upheld }) =>
    upheld ? [`${id} was disputed: ${oneLine(upheld.why)} ${reviewerSide(upheld)}`] : [],
  );
  const decided = isWanted ? " The person has read both sides and wants these fixed." : "";
  return disputed.length === 0
    ? findingsText(open)
    : `${findingsText(open)}\n\nDispute these again only for a new reason.${decided}\n${bullets(disputed)}`;
}

/** A command that fails; with `tests`, the ones that passed before the work. */
export interface FailedCheck {
  readonly command: string;
  readonly output: string;
  readonly tests?: readonly string[];
  /** Earlier tasks that broke them. */
  readonly by?: readonly Blame[];
}

/** What to fix. Broken tests are named: the fix starts there. */
export function failedCheckText({ command, output, tests = [], by = [] }: FailedCheck): string {
  const said = `${fenced("", output.trimEnd())}${by.map(culprit).join("")}`;
  if (tests.length === 0) return `\`${command}\` fails. The end of its output:\n${said}`;
  const whose = by.length === 0 ? "Your change broke these tests, which passed before it" : brokenBefore;
  return `${whose}. Fix the code; change a test only where it forbids what the task asks for.\n${bullets(tests)}\n\`${command}\` reports:\n${said}`;
}

const brokenBefore = "These tests fail. Below are the earlier tasks that broke some of them, with their changes";

const culprit = ({ task, title, commit, tests, diff }: Blame): string => {
  const change =
    diff.length > longestShownDiff
      ? `in commit ${shortSha(commit)}, which is too long to show: read it with \`git show ${shortSha(commit)}\`.`
      : `by this change:\n${fenced("diff", diff.trimEnd())}`;
  return `\nTask ${task}, "${title}", broke ${tests.join(", ")} ${change}`;
};

/** What is missing from the proof that a task was built test first. */
export function unprovedText(why: string): string {
  return `This task must be built test first: its tests must fail on the code from before your change. Nothing shows that yet. ${why} Write a test that fails without your change and passes with it.`;
}

/** So that nobody fixes what is not theirs, or hunts for a fault of their own. */
export function redText({ red = null }: Pick<TaskBrief, "red">): string {
  if (red === null) return "";
  return section(
    "Red before your work",
    `These tests of \`${red.command}\` fail already: ${listed(red.tests)}. Leave them alone unless the task or a finding is about them.`,
  );
}

function quoted(title: string, text: string): string {
  return text === "" ? "" : section(title, fenced("", text));
}

const testing: Readonly<Record<Task["tdd"], string>> = {
  required:
    "Test first: write the test, run it and see it fail for the right reason; write the least code that makes it pass; clean up.",
  "existing-tests":
    "Existing tests cover this: run them before you change anything and after each step, and keep them green. No new ones are needed.",
  none: "There is nothing new to test. Run what shows that it works.",
};

const inAnyOrder = "Write tests for it, before or after the code, and see them pass.";

/** The task's own words, the same for the implementer and the reviewers. */
export function taskText({ task, goal, requirements }: Pick<TaskBrief, "task" | "goal" | "requirements">): string {
  return sections(
    `## Task ${task.id}: ${task.title}\n${task.description}`,
    titled("Files", task.files),
    titled(
      "Criteria",
      task.criteria.map((criterion, index) => `${criterionId(index)}: ${criterion}`),
    ),
    titled("Commands", task.commands),
    titled(
      "Requirements of the design",
      // Without a design the goal is the requirement, and has been said.
      requirements.map(({ id, text }) => `${id}: ${text === goal ? "the goal" : text}`),
    ),
  );
}

function titled(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}:\n${bullets(lines)}`;
}

/** The modes above this one; in the largest there is nothing to ask for. */
function biggerRule(mode: Mode): string {
  const larger = modes.filter((other) => isMore(other, mode));
  if (larger.length === 0) return "";
  const [next = mode] = larger;
  const form = `"bigger": {"mode": "${next}", "reason": "one sentence"}`;
  const others = larger.length === 1 ? "" : ` Larger modes: ${larger.join(", ")}.`;
  return `This run is in ${mode} mode. Only if the change turns out to be far larger, stop at a point where everything works and add to your block: ${form}.${others}`;
}

function earlierText({ id, title, status, commit, files }: TaskBrief["earlier"][number]): string {
  const sha = commit === null ? "" : `, commit ${shortSha(commit)}`;
  return `Task ${id}, ${title}: ${status}${sha}${files.length === 0 ? "" : ` (${files.map(nameText).join(", ")})`}`;
}

function testsText({ task, tdd }: TaskBrief): string {
  return task.tdd === "required" && tdd === "off" ? inAnyOrder : testing[task.tdd];
}

function ofTotal({ total }: TaskBrief): string {
  return total === 1 ? "" : ` This is one of ${total} tasks: leave the other tasks alone.`;
}
