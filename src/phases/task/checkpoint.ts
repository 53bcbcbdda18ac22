// What a person sees at a pause between tasks, and what they can do there.

import { abortOption, type Question } from "../../core/flow/question.ts";
import type { Task } from "../../core/plan/plan.ts";
import type { Settled } from "../../core/run/report.ts";
import { count, shortSha } from "../../core/text/format.ts";

/** `since` are the tasks that were settled since the last pause. Nothing is recommended: a run without a person waits here. */
export function checkpointQuestion(since: readonly Settled[], next: Task): Question {
  return {
    id: "execute.checkpoint",
    kind: "select",
    title: "Checkpoint",
    message: [...since.map(taskLine), `Next: task ${next.id}, "${next.title}".`].join("\n"),
    options: [{ key: "continue", label: "Continue" }, abortOption],
  };
}

function taskLine({ task, title, status, commit, rounds, files, reviews = [], deferred, waivers }: Settled): string {
  const parts = [
    status,
    commit === null ? "" : `commit ${shortSha(commit)}`,
    files.length === 0 ? "" : count(files.length, "file"),
    reviews.map(({ role, verdict }) => `${role.replace("-reviewer", "")} ${marks[verdict]}`).join(" "),
    rounds === 0 ? "" : count(rounds, "fix round"),
    deferred.length === 0 ? "" : `${count(deferred.length, "finding")} deferred`,
    waivers.length === 0 ? "" : "with a waiver",
  ];
  return `Task ${task}, "${title}": ${parts.filter((part) => part !== "").join(", ")}.`;
}

const marks = { approved: "✓", needs_revision: "✗", inconclusive: "?" } as const;
