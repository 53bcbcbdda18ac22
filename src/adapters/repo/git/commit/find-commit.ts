// How a commit is recognised (E2): by the trailer of the request that made it. The judged tree is saved under a ref of the run before the
// commit, so that a hook's changes can be detected even after a crash (T6).

import { lstatSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Anchor, CommitOutcome, HooksChanges, LeftOut } from "../../../../core/flow/repository.ts";
import { oneLine } from "../../../../core/text/format.ts";
import type { CommitOrder } from "../../../../ports/repo.ts";
import { codeOf } from "../../../files/present.ts";
import { addEntries } from "../capture/add-entries.ts";
import { areOnDisk, capture, notStaged, stagedNow } from "../capture/capture.ts";
import { type Checkout, readHead } from "../place/checkout.ts";
import { type BytePath, type DiskPath, onDisk, toText } from "../process/paths.ts";
import { git, tryGit } from "../process/run.ts";
import { readSaved, saveBackup, saveState } from "../tree/saved.ts";
import {
  applyDifferences,
  countLines,
  type Difference,
  diffTrees,
  isOnlySpace,
  putEntries,
  treeOf,
} from "../tree/trees.ts";
import { commitsBetween } from "./log.ts";

/** Looks between the anchor and HEAD only. */
export async function findCommit(
  checkout: Checkout,
  since: Anchor,
  request: string,
): Promise<CommitOutcome | undefined> {
  const commits = await commitsBetween(checkout.root, since.sha, "HEAD");
  const found = commits.find(({ requests }) => requests.includes(oneLine(request)));
  return found && (await outcomeOf(checkout, request, { ...found, ...(await readJudged(checkout, request)) }));
}

/** The message with its trailers, which join those that it has already. */
export function withTrailers(order: CommitOrder): string {
  const task = order.task === undefined ? [] : [`Superteam-Task: ${oneLine(order.task)}`];
  const ours = [`Superteam-Run: ${oneLine(order.run)}`, ...task, `Superteam-Request: ${oneLine(order.request)}`];
  const message = order.message.trim();
  const [, ...body] = message.split(/\n\s*\n/);
  const last = body.at(-1)?.split("\n") ?? [];
  const hasTrailers = last.length > 0 && last.every((line) => /^[A-Za-z0-9-]+: /.test(line));
  return `${message}${hasTrailers ? "\n" : "\n\n"}${ours.join("\n")}\n`;
}

/** Trees as they should be: `wanted` in the commit, `judged` in the folder. undefined when it is no longer known. */
interface Made {
  readonly parent: string;
  readonly sha: string;
  readonly wanted: string | undefined;
  readonly judged: string | undefined;
  /** A commit whose place it took. */
  readonly tip?: string | undefined;
  /** No hook can have changed anything. */
  readonly isOurs?: boolean;
}

export async function outcomeOf(checkout: Checkout, request: string, made: Made): Promise<CommitOutcome> {
  const { differences, lines } = await askChanges(checkout.root, made.parent, made.sha);
  const replaced = made.tip === undefined ? [] : await diffTrees(checkout.root, made.tip, made.sha);
  const all = [...differences, ...replaced];
  const staged = await keepStaged(checkout, made, { name: savedName(request), paths: all.map(({ path }) => path) });
  await stageCommitted(checkout, all);
  const [committed, tree] = await Promise.all([treeOf(checkout.root, made.sha), treeAfter(checkout, made)]);
  const changedByHook = committed !== made.wanted || tree !== made.judged;
  return {
    status: "committed",
    sha: made.sha,
    tree,
    changedByHook,
    ...(await byHook(checkout.root, made, committed)),
    files: differences.map(({ path }) => toText(path)),
    lines,
    ...staged,
    ...(changedByHook ? {} : await leftOutOf(checkout, request, { sha: made.sha, committed, judged: tree })),
  };
}

async function byHook(
  root: string,
  { parent, wanted }: Made,
  committed: string,
): Promise<{ readonly byHook?: HooksChanges }> {
  if (committed === wanted) return {};
  const judged = wanted ?? (await treeOf(root, parent));
  const [changed, work] = await Promise.all([diffTrees(root, judged, committed), diffTrees(root, parent, judged)]);
  const ours = new Set(work.map(({ path }) => path));
  const isRewritten = changed.every(
    ({ path, change, oldMode, newMode }) => change === "modified" && oldMode === newMode && ours.has(path),
  );
  const files = changed.map(({ path }) => toText(path));
  return { byHook: { files, isOnlySpace: isRewritten && (await isOnlySpace(root, judged, committed)) } };
}

/** Asked before it is needed, git's answers are there by then. */
export async function askChanges(root: string, parent: string, sha: string) {
  const [differences, lines] = await Promise.all([diffTrees(root, parent, sha), countLines(root, parent, sha)]);
  return { differences, lines };
}

/** The person's untracked files stay as they were judged. So does what is there and in no tree, such as a file that is too large. */
async function leftOutOf(
  checkout: Checkout,
  request: string,
  { sha, committed, judged }: { readonly sha: string; readonly committed: string; readonly judged: string },
): Promise<{ readonly leftOut?: LeftOut }> {
  const { root, isHidden } = checkout;
  const tracked = (await diffTrees(root, judged, committed)).filter(({ change }) => change !== "deleted");
  const files = tracked.filter(
    ({ path, change }) => !isHidden(path) && !(change === "added" && isThere(onDisk(root, path))),
  );
  if (files.length === 0) return {};
  const tree = await applyDifferences(checkout, judged, files);
  const ref = await saveState(checkout, `${savedName(request)}-alone`, { tree });
  const { branch } = await readHead(checkout);
  return {
    leftOut: { files: files.map(({ path }) => toText(path)), alone: { sha, branch, tree, ref, leftAlone: [] } },
  };
}

/** Without a hook whatever changes meanwhile is the person's, and is seen when the next agent begins. */
async function treeAfter(checkout: Checkout, { isOurs, judged }: Made): Promise<string> {
  return isOurs === true && judged !== undefined ? judged : (await capture(checkout)).tree;
}

/** Also where nobody may look; a folder is no file. */
function isThere(path: DiskPath): boolean {
  try {
    return !lstatSync(path).isDirectory();
  } catch (error) {
    return codeOf(error) === "EACCES";
  }
}

/** What was staged of these files goes with the commit. Of what is in neither commit and was, only the index knows. */
async function keepStaged(
  checkout: Checkout,
  { parent, sha, tip }: Made,
  { name, paths }: { readonly name: string; readonly paths: readonly BytePath[] },
): Promise<Pick<CommitOutcome & { readonly status: "committed" }, "staged">> {
  const { root } = checkout;
  const index = await stagedNow(checkout);
  if (index === undefined || index === (await treeOf(root, parent))) return {};
  const isNotIn = async (trees: readonly string[]): Promise<(path: BytePath) => boolean> => {
    const found = await Promise.all(trees.map((one) => diffTrees(root, one, index)));
    const differs = found.map((differences) => new Set(differences.map(({ path }) => path)));
    return (path) => differs.every((set) => set.has(path));
  };
  const unknown = paths.filter(await isNotIn([parent, sha, ...(tip === undefined ? [] : [tip])]));
  if (unknown.length === 0) return {};
  const files = unknown.filter(await isNotIn([(await capture(checkout)).tree]));
  if (files.length === 0) return {};
  const ref = await saveBackup(checkout, `${name}-staged-given-back`, { tree: index, isNew: true });
  return { staged: { files: [...new Set(files)].map(toText), ref } };
}

/**
 * What is committed is staged no more; whatever else is staged stays so. git then looks at every file, unless there are very many:
 * then at those that were committed.
 */
async function stageCommitted(checkout: Checkout, differences: readonly Difference[]): Promise<void> {
  const { root, gitDir } = checkout;
  if (differences.length === 0) return;
  const size = (await stat(join(gitDir, "index")).catch(() => undefined))?.size ?? 0;
  if (size > largeIndex && (await stageFiles(checkout, differences))) return;
  if (differences.length > mostPathspecs) return await stageMany(root, differences);
  const how = size > largeIndex ? "--no-refresh" : "--refresh";
  const pathsOf = (some: readonly Difference[]) => ({
    input: some.map(({ path }) => `${path}\0`).join(""),
    environment: { GIT_LITERAL_PATHSPECS: "1" },
  });
  await git(root, ["reset", "--quiet", how, ...pathsFromInput], pathsOf(differences));
  if (size <= largeIndex) return;
  // What is wrong with one of them the next look finds.
  const left = differences.filter(({ change }) => change !== "deleted");
  await tryGit(root, ["add", "--refresh", ...pathsFromInput], pathsOf(left));
}

/** Of a large tree in one step, where the files are what was committed before it and after it. False where that is not sure. */
async function stageFiles(checkout: Checkout, differences: readonly Difference[]): Promise<boolean> {
  const left = notStaged(checkout, differences);
  if (left.length === 0) return true;
  if (!areOnDisk(checkout, left)) return false;
  await addEntries(checkout.root, undefined, [...new Set(left.map(({ path }) => path))]);
  return areOnDisk(checkout, left);
}

/** git compares each path that it is given with each entry of the index: for very many that takes minutes. */
const mostPathspecs = 500;

async function stageMany(root: string, differences: readonly Difference[]): Promise<void> {
  await putEntries(root, undefined, differences);
  // Exit code 1 says that a file differs from its entry: the next look finds it.
  await tryGit(root, ["update-index", "-q", "--refresh"]);
}

const pathsFromInput = ["--pathspec-from-file=-", "--pathspec-file-nul"];
/** Bytes: of some five thousand files. */
const largeIndex = 512 * 1024;

/** The name under which what was judged for a request is saved. */
export const savedName = (request: string): string => `commit-${request.slice(request.lastIndexOf("/") + 1)}`;

/** `tip`: a commit that leaves the branch. */
export async function saveJudged(
  checkout: Checkout,
  request: string,
  { judged, wanted, tip }: { readonly judged: string; readonly wanted: string; readonly tip: string | undefined },
): Promise<void> {
  await saveState(checkout, savedName(request), { tree: judged, index: wanted, tip });
}

/** What is wanted in the commit is what the index was to be. */
async function readJudged(checkout: Checkout, request: string): Promise<Pick<Made, "wanted" | "judged" | "tip">> {
  const saved = await readSaved(checkout, savedName(request));
  return { wanted: saved?.index ?? saved?.tree, judged: saved?.tree, tip: saved?.tip };
}
