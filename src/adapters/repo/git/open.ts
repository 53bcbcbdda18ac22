// The repository on plain git: see src/ports/repo.ts for what each verb promises.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Anchor, type Changes, type CurrentHead, longestShownDiff } from "../../../core/flow/repository.ts";
import type { Repo } from "../../../ports/repo.ts";
import { identify } from "../../files/git-identity.ts";
import { capture } from "./capture/capture.ts";
import { commit } from "./commit/commit.ts";
import { findCommit } from "./commit/find-commit.ts";
import { type Checkout, readHead } from "./place/checkout.ts";
import { whyNotNow } from "./place/operation.ts";
import { foldersAbove, hiddenPaths, toBytes, toText, within } from "./process/paths.ts";
import { git } from "./process/run.ts";
import { personAtWork } from "./restore/person-at-work.ts";
import { restore } from "./restore/restore.ts";
import { restoreFiles } from "./restore/restore-files.ts";
import { undoWork } from "./restore/undo-work.ts";
import { anchorWithout } from "./tree/anchor-without.ts";
import { compare } from "./tree/compare.ts";
import { sweepIndexCopies } from "./tree/index-file.ts";
import { look, snapshot } from "./tree/look.ts";
import { forgetStates, takenBack } from "./tree/saved.ts";
import { applyDifferences, diffTrees, patchOf } from "./tree/trees.ts";
import { afterReader } from "./writer/after-reader.ts";
import { afterWriter } from "./writer/after-writer.ts";
import { gitFiles, restoreGitFiles } from "./writer/put-around-back.ts";
import { changedAround, undoAround } from "./writer/undo-around.ts";

export interface RepoOptions {
  /** A folder of the working tree. */
  readonly root: string;
  readonly runId: string;
  /** The run's documents, relative to the tree's root; a folder stands for all in it. */
  readonly documents: readonly string[];
}

export async function openRepo({ root, runId, documents }: RepoOptions): Promise<Repo> {
  const checkout = await checkoutAt(root, runId, documents);
  await sweepIndexCopies(checkout);
  return {
    head: () => currentHead(checkout),
    tree: async () => (await capture(checkout)).tree,
    look: () => look(checkout),
    snapshot: (name) => snapshot(checkout, name),
    afterWriter: (writer, name) => afterWriter(checkout, writer, name),
    afterReader: (given, name) => afterReader(checkout, given, name),
    gitFiles: () => gitFiles(checkout),
    restoreGitFiles: (since, files, name) => restoreGitFiles(checkout, { since, files }, name),
    undoAround: (since, goneAt, name) => undoAround(checkout, since, goneAt, name),
    changedAround: (since) => changedAround(checkout, since),
    undoWork: (work, name) => undoWork(checkout, work, name),
    anchorWithout: (at, work, name) => anchorWithout(checkout, at, work, name),
    changes: (since, without = []) => changes(checkout, since, without),
    difference: async (from, to) => (await diffTrees(checkout.root, from, to)).map(({ path }) => toText(path)),
    commit: (order) => commit(checkout, order),
    findCommit: (since, request) => findCommit(checkout, since, request),
    restore: (to, name) => restore(checkout, to, name),
    restoreFiles: (since, paths, name) => restoreFiles(checkout, since, paths, name),
    takenBack: (name) => takenBack(checkout, name),
    forgetStates: () => forgetStates(checkout),
    personAtWork: (anchor, goneAt) => personAtWork(checkout, documents.map(toBytes), { anchor, goneAt }),
  };
}

async function checkoutAt(root: string, runId: string, documents: readonly string[]): Promise<Checkout> {
  const places = ["--show-toplevel", "--git-dir", "--git-common-dir"];
  const answer = toText(await git(root, ["rev-parse", "--path-format=absolute", ...places]));
  const [top = "", gitDir = "", commonDir = ""] = answer.split("\n");
  const identity = identify({ root: top, gitDir, commonDir });
  const documentFolders = new Set(documents.flatMap((path) => [...foldersAbove(toBytes(path.replace(/\/$/, "")))]));
  return { root: top, gitDir, commonDir, runId, identity, isHidden: hiddenPaths(documents), documentFolders };
}

async function currentHead(checkout: Checkout): Promise<CurrentHead> {
  const inProgress = whyNotNow(checkout, "the work cannot be undone");
  return { ...(await readHead(checkout)), ...(inProgress === undefined ? {} : { inProgress }) };
}

async function changes(checkout: Checkout, since: Anchor, without: readonly string[]): Promise<Changes> {
  const now = await compare(checkout, since, "untracked");
  const isLeftOut = within(without.map(toBytes));
  const differences = now.differences.filter(({ path }) => !isLeftOut(path));
  const isWhole = now.leftAlone.length === 0 && differences.length === now.differences.length;
  const to = isWhole ? now.seen : await applyDifferences(checkout, since.tree, differences);
  const diff = differences.length === 0 ? "" : await patchOf(checkout, { from: since.tree, to });
  return {
    files: differences.map(({ path, change }) => ({ path: toText(path), change })),
    diff,
    ...(diff.length > longestShownDiff ? { diffFile: await inFile(checkout, `${since.tree}-${to}`, diff) } : {}),
    tree: now.tree,
    leftAlone: now.unseen.map(toText),
  };
}

/** Beside the run's journal, where no tree and no commit sees it. The same difference has the same file. */
async function inFile({ commonDir, runId }: Checkout, name: string, diff: string): Promise<string> {
  const folder = join(commonDir, "superteam", "runs", runId, "diffs");
  const path = join(folder, `${name}.diff`);
  await mkdir(folder, { recursive: true });
  await writeFile(path, diff);
  return path;
}
