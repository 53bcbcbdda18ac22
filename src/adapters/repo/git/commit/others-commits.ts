// Commits that no agent can have made (E3b): the person commits in another terminal, or while the run waits.

import type { Anchor, Head } from "../../../../core/flow/repository.ts";
import { oneLine } from "../../../../core/text/format.ts";
import type { CommitOrder } from "../../../../ports/repo.ts";
import { commitsBetween, type LoggedCommit } from "./log.ts";
import { branchName } from "./refusal.ts";

/** The last commit since the anchor that is later than this moment, as one sentence. */
export async function commitAfter(root: string, { sha }: Anchor, moment: number): Promise<string | undefined> {
  const commits = await commitsBetween(root, sha, "HEAD");
  // git counts in seconds: it is the end of a commit's second that must be later.
  const late = commits.find(({ at }) => at + 999 > moment);
  if (late === undefined) return undefined;
  return `${describe(late)} was committed at ${new Date(late.at).toISOString()}, after the last agent was gone.`;
}

/** Why a task's commit must not take the place of what is between the anchor and HEAD, and what to do about it. */
export async function whyNotSquash(root: string, order: CommitOrder, head: Head): Promise<string | undefined> {
  if (order.tip === undefined || head.sha === order.tip) return undefined;
  const commits = await commitsBetween(root, order.tip, head.sha);
  const others = commits.filter(({ run, task }) => run !== oneLine(order.run) || task !== oneLine(order.task ?? ""));
  if (others.length === 0) return undefined;
  const tip = order.tip.slice(0, 10);
  const more = others.length > mostNamed ? [`and ${others.length - mostNamed} more`] : [];
  return [
    `${branchName(head)} has commits that no agent of this task made, so nothing was committed: the task becomes one commit, and they would be lost in it.`,
    ...[...others.slice(0, mostNamed).map(describe), ...more].map((line) => `  ${line}`),
    `To keep them apart, on a branch of their own: git branch mine && git reset --keep ${tip}`,
    `To make them part of the task's commit: git reset --soft ${tip}`,
    "Then try again.",
  ].join("\n");
}

const mostNamed = 10;

const describe = ({ sha, subject, author }: LoggedCommit): string => `${sha.slice(0, 10)} "${subject}" by ${author}`;
