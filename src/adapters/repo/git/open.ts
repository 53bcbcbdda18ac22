// The repository on plain git: see src/ports/repo.ts for what each verb promises.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Anchor, type Changes, longestShownDiff, type PersonFile } from "../../../core/flow/repository.ts";
import type { Repo } from "../../../ports/repo.ts";
import { commit } from "./commit/commit.ts";
import { findCommit } from "./commit/find-commit.ts";
import { type Checkout, readHead } from "./place/checkout.ts";
import { hiddenPaths, toBytes, toText } from "./process/paths.ts";
import { git } from "./process/run.ts";
import { personAtWork } from "./restore/person-at-work.ts";
import { restore } from "./restore/restore.ts";
import { restoreFiles } from "./restore/restore-files.ts";
import { anchorWithout } from "./tree/anchor-without.ts";
import { capture } from "./tree/capture.ts";
import { compare, personFilesAmong } from "./tree/compare.ts";
import { noteOfExcludes } from "./tree/excludes.ts";
import { sweepIndexCopies } from "./tree/index-file.ts";
import { type Difference, diffTrees, patchOf, saveTree } from "./tree/trees.ts";

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
    head: () => readHead(checkout.root),
    tree: async () => (await capture(checkout)).tree,
    snapshot: (name) => snapshot(checkout, name),
    anchorWithout: (at, work, name) => anchorWithout(checkout, at, work, name),
    changes: (since) => changes(checkout, since),
    difference: async (from, to) => (await diffTrees(checkout.root, from, to)).map(({ path }) => toText(path)),
    commit: (order) => commit(checkout, order),
    findCommit: (since, request) => findCommit(checkout, since, request),
    restore: (to, name) => restore(checkout, to, name),
    restoreFiles: (since, paths) => restoreFiles(checkout, since, paths),
    personAtWork: (anchor, goneAt) => personAtWork(checkout, documents.map(toBytes), { anchor, goneAt }),
  };
}

async function checkoutAt(root: string, runId: string, documents: readonly string[]): Promise<Checkout> {
  const places = ["--show-toplevel", "--git-dir", "--git-common-dir"];
  const answer = toText(await git(root, ["rev-parse", "--path-format=absolute", ...places]));
  const [top = "", gitDir = "", commonDir = ""] = answer.split("\n");
  return { root: top, gitDir, commonDir, runId, isHidden: hiddenPaths(documents) };
}

async function snapshot(checkout: Checkout, name: string): Promise<Anchor> {
  const [head, { tree, leftAlone }, note] = await Promise.all([
    readHead(checkout.root),
    capture(checkout),
    noteOfExcludes(checkout),
  ]);
  const ref = await saveTree(checkout, name, { tree, parents: [head.sha], note });
  return { ...head, tree, ref, leftAlone: leftAlone.map(toText) };
}

async function changes(checkout: Checkout, since: Anchor): Promise<Changes> {
  const { tree, seen, differences, leftAlone, unseen } = await compare(checkout, since, "untracked");
  const ofPerson = await personFilesAmong(checkout.root, since, differences);
  const isSame = differences.length === 0;
  const diff = isSame ? "" : await patchOf(checkout.root, { from: since.tree, to: seen }, leftAlone);
  return {
    files: differences.map(({ path, change }) => ({ path: toText(path), change })),
    diff,
    ...(diff.length > longestShownDiff ? { diffFile: await inFile(checkout, `${since.tree}-${seen}`, diff) } : {}),
    tree,
    personFiles: differences.filter(({ path }) => ofPerson.has(path)).map(asPersonFile),
    leftAlone: unseen.map(toText),
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

/** What was in the anchor's tree cannot have been added since. */
function asPersonFile({ path, change }: Difference): PersonFile {
  return { path: toText(path), change: change === "deleted" ? "deleted" : "modified" };
}
