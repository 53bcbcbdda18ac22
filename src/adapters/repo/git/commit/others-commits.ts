// Commits that no agent can have made (E3b): the person commits in another terminal, or while the run waits.

import type { Anchor, Head } from "../../../../core/flow/repository.ts";
import { dateTime, oneLine } from "../../../../core/text/format.ts";
import type { CommitOrder } from "../../../../ports/repo.ts";
import type { BytePath } from "../process/paths.ts";
import { diffTrees } from "../tree/trees.ts";
import { commitsBetween, type LoggedCommit } from "./log.ts";
import { branchName } from "./refusal.ts";

/** The last commit since the anchor that is later than this moment, as one sentence. */
export async function commitAfter(root: string, { sha }: Anchor, moment: number): Promise<string | undefined> {
  const commits = await commitsBetween(root, sha, "HEAD");
  // git counts in seconds: it is the end of a commit's second that must be later.
  const late = commits.find(({ at }) => at + 999 > moment);
  if (late === undefined) return undefined;
  return `${describe(late)} was committed at ${dateTime(late.at)}, after the last agent was gone.`;
}

/** Where a commit goes, or why it cannot be made and what to do about it. */
export type CommitBase = { readonly parent: string } | { readonly obstacle: string };

/**
 * Our own earlier commits of the same work become one with this one. Commits of the person's stay where they are, below it;
 * on top of ours, or with files of the work in them, they have to be parted by the person.
 */
export async function baseFor(
  root: string,
  order: CommitOrder,
  { head, paths }: { readonly head: Head; readonly paths: ReadonlySet<BytePath> },
): Promise<CommitBase> {
  const { since } = order;
  if (head.sha === since.sha) return { parent: head.sha };
  const commits = await commitsBetween(root, since.sha, head.sha);
  const isOurs = ({ run, task }: LoggedCommit): boolean =>
    run === oneLine(order.run) && task === oneLine(order.task ?? "");
  const ours = commits.filter(isOurs);
  const others = commits.filter((each) => !isOurs(each));
  const below = commits.slice(ours.length);
  if (below.some(isOurs)) return { obstacle: onTop(head, others, ours[0]?.sha ?? since.sha) };
  const parent = ours.at(-1)?.parent ?? head.sha;
  const theirs = (await diffTrees(root, since.sha, parent)).filter(({ path }) => paths.has(path));
  return theirs.length === 0 ? { parent } : { obstacle: inside(head, others, since) };
}

function onTop(head: Head, others: readonly LoggedCommit[], sha: string): string {
  const to = sha.slice(0, 10);
  return [
    `${branchName(head)} has commits that no agent of this task made, on top of the task's own, so nothing was committed: the task becomes one commit, and they would be lost in it.`,
    ...named(others),
    `To keep them apart, on a branch of their own: git branch mine && git reset --keep ${to}`,
    `To make them part of the task's commit: git reset --soft ${to}`,
    "Then try again.",
  ].join("\n");
}

function inside(head: Head, others: readonly LoggedCommit[], since: Anchor): string {
  return [
    `${branchName(head)} has commits that no agent of this task made, with files of the task in them, so nothing was committed.`,
    ...named(others),
    `To make them part of the task's commit: git reset --soft ${since.sha.slice(0, 10)}`,
    "Then try again.",
  ].join("\n");
}

function named(commits: readonly LoggedCommit[]): readonly string[] {
  const more = commits.length > mostNamed ? [`and ${commits.length - mostNamed} more`] : [];
  return [...commits.slice(0, mostNamed).map(describe), ...more].map((line) => `  ${line}`);
}

const mostNamed = 10;

const describe = ({ sha, subject, author }: LoggedCommit): string => `${sha.slice(0, 10)} "${subject}" by ${author}`;
