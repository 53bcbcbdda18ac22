// When a task cannot go on by itself the person decides. This is the one place where that is asked.

import { ask, type Flow, fail } from "../../core/flow/flow.ts";
import type { Option, Question } from "../../core/flow/question.ts";
import { describe } from "../../core/review/register.ts";
import { endedAfter } from "../work/trouble.ts";
import { become, reviewNames, stepOf, type TaskObstacle, type TaskWork } from "./task-job.ts";

/** `accept` is a waiver and offered only where nothing was changed, so that nothing can be wrong. */
export type TaskDecision = "retry" | "rollback" | "skip" | "accept";

export function* escalate(job: TaskWork, obstacle: TaskObstacle): Flow<TaskDecision> {
  const { id } = job.input.task;
  job.escalated = true;
  yield* become(job, "escalated");
  const question = questionFor(job, obstacle);
  const choice = yield* ask(question);
  if (choice === "rollback" || choice === "skip" || choice === "accept") return choice;
  if (choice === "abort") fail({ kind: "aborted", step: question.id, detail: endingAt(id, obstacle) });
  return "retry";
}

function endingAt(task: number, obstacle: TaskObstacle): string {
  return obstacle.kind === "agent" ? endedAfter(obstacle.trouble.short) : `the person ended the run at task ${task}`;
}

function questionFor(job: TaskWork, obstacle: TaskObstacle): Question {
  if (obstacle.kind === "agent") {
    const { id, title, message } = obstacle.trouble;
    return { kind: "select", id, title, message, options: [retry, rollback, skip, abort] };
  }
  const common = { kind: "select", title: "Task Escalation", message: messageFor(job, obstacle) } as const;
  if (obstacle.kind === "nothing") {
    return { ...common, id: stepOf(job, "nothing"), options: [retry, skip, accept, abort] };
  }
  if (obstacle.kind === "refused") return { ...common, id: stepOf(job, "commit"), options: [retry, skip, abort] };
  return { ...common, id: stepOf(job, "escalation"), options: [retry, rollback, skip, abort] };
}

const retry: Option = { key: "retry", label: "Retry", hint: "go on from here", aliases: ["continue"] };
const rollback: Option = { key: "rollback", label: "Rollback and retry", hint: "start the task over" };
const skip: Option = { key: "skip", label: "Skip this task", hint: "take its changes back" };
const accept: Option = {
  key: "accept",
  label: "Accept as it is",
  hint: "complete without a commit; recorded as a waiver",
};
const abort: Option = { key: "abort", label: "Abort workflow" };

function messageFor(job: TaskWork, obstacle: Exclude<TaskObstacle, { readonly kind: "agent" }>): string {
  const task = `Task "${job.input.task.title}"`;
  const attempts = job.used === 0 ? "1 attempt" : `${job.used + 1} attempts`;
  switch (obstacle.kind) {
    case "nothing":
      return `${task} changed nothing.`;
    case "refused":
      return `${task} is done, but its commit was refused.\nError: ${obstacle.detail}`;
    case "moved":
      return `${task}: the tree changed while it was being judged. Leave it alone, then choose Retry: it is judged again.`;
    case "inconclusive":
      return `${task}: the ${reviewNames[obstacle.role]} is inconclusive. The reviewer does not pass it, and names nothing that blocks.\nIt says: ${obstacle.summary}`;
    case "validation":
      return `${task} failed validation after ${attempts}.\nLast output of \`${obstacle.command}\`:\n${obstacle.output.slice(-1000)}`;
    case "findings":
      return [
        `${task} failed ${obstacle.roles.map((role) => reviewNames[role]).join(" and ")} after ${attempts}.`,
        "Last findings:",
        ...obstacle.open.map((entry) => `  - ${describe(entry)}`),
      ].join("\n");
  }
}
