// The questions about git itself: a commit it refused, files that both changed, commits that prevent a rollback.

import { type CommitRequest, commit, type Flow } from "../../core/flow/flow.ts";
import type { Anchor, CommitOutcome, CurrentHead, Head } from "../../core/flow/repository.ts";
import { nameText } from "../../core/text/format.ts";
import type { AbortableQuestion } from "./ask.ts";
import { escalate } from "./respond.ts";
import { plainRetry } from "./trouble.ts";

/** A commit that is not a task's. */
interface CommitAtIssue {
  readonly step: string;
  /** What is to be committed, in words, and what skipping the commit means. */
  readonly what: string;
  readonly skip: string;
}

/** Commits until it works, or the person would rather go without: then the outcome is still `refused`. */
export function* commitOrAsk(at: CommitAtIssue, request: Omit<CommitRequest, "do">): Flow<CommitOutcome> {
  for (;;) {
    const outcome = yield* commit(request);
    if (outcome.status !== "refused") return outcome;
    const question = refusedQuestion(at, outcome.detail);
    const ended = { ended: "the person ended the run at a refused commit", step: at.step };
    if ((yield* escalate("commit-refused", question, ended)) === "skip") return outcome;
  }
}

function refusedQuestion(
  { step, what, skip: hint }: CommitAtIssue,
  detail: string,
): AbortableQuestion<"retry" | "skip"> {
  return {
    id: `${step}.commit`,
    title: "Commit Refused",
    message: `The commit of ${what} was refused.\nError: ${detail}`,
    options: [
      { ...plainRetry, hint: "after you have fixed the cause" },
      { key: "skip", label: "Skip", hint },
    ],
  };
}

export function mixedQuestion(
  files: readonly string[],
  kept: string | null,
  step: string,
): AbortableQuestion<"task" | "mine"> {
  return {
    id: `${step}.mixed`,
    title: "Changed By Both",
    message: [
      "You and the agents changed the same files, and superteam cannot tell the changes apart:",
      ...files.map((path) => `  ${nameText(path)}`),
      ...(kept === null ? [] : [`Their content from before the agent is kept: git show ${kept}:<file>`]),
      "Whose are they from now on? Either way the files stay as they are.",
    ].join("\n"),
    options: [
      { key: "mine", label: "Mine", hint: "they enter no commit, and no rollback touches them" },
      { key: "task", label: "The task's", hint: "they are committed or rolled back with its work" },
    ],
  };
}

/** Work that is to be rolled back, with its commit, if it has one. */
interface TakenBack {
  readonly start: Anchor;
  readonly commit: string | null;
}

export function headQuestion(work: TakenBack, here: CurrentHead, id: string): AbortableQuestion {
  const advice = here.inProgress === undefined ? [...headAdvice(work, here), "Then choose Retry."] : [here.inProgress];
  return {
    id,
    title: "Commits On Top",
    message: advice.join("\n"),
    options: [{ key: "retry", label: "Retry", hint: "when that is done" }],
  };
}

function headAdvice({ start, commit: made }: TakenBack, here: Head): readonly string[] {
  const to = (made ?? start.sha).slice(0, 10);
  if (here.branch === start.branch)
    return [
      `${placeOf(here)} has commits that no agent of this task made, on top of the task's own commit. superteam has to remove that one from the branch, and the others would go with it.`,
      `To keep them apart, on a branch of their own: git branch mine && git reset --keep ${to}`,
      `To make them part of the work: git reset --soft ${to}`,
    ];
  return [
    `The work started on ${placeOf(start)}, and HEAD is on ${placeOf(here)} now.`,
    `Go back: git switch ${start.branch ?? `--detach ${to}`}`,
  ];
}

const placeOf = ({ branch, sha }: Head): string => branch ?? `no branch (${sha.slice(0, 10)})`;
