// The model of a repository: ports/repo.ts in memory, without files, processes, time or chance of its own. It passes the suite of
// test/contracts/repo.ts, and like-git.test.ts compares it with git.
//
// Not modelled, and left to real git: filters, links, modes, submodules, nested repositories, files over 10 MB, merges,
// rebases, stashes, fetches, `info/exclude`, who committed, locks; of hooks only `pre-commit`, as a function. Patches name the files and hold their texts, but are not git's.

import type { Repo } from "../../../src/ports/repo.ts";
import { afterReader, afterWriter, changedAround, undoAround } from "./after-writer.ts";
import { anchorWithout, changesSince, forgetStates, look, snapshot, takenBack } from "./anchors.ts";
import { commit, findCommit } from "./commit.ts";
import { capture } from "./compare.ts";
import { handsOn, type Instant } from "./hands.ts";
import { personAtWork } from "./person-at-work.ts";
import { type Checkout, type Clone, emptyRepository, headOf, treeNamed } from "./repository.ts";
import { restore, restoreFiles, undoWork } from "./restore.ts";
import { differencesOf } from "./trees.ts";

/** A repository with one commit of these files on the branch `main`. */
export function makeClone(files: Readonly<Record<string, string>>, clock: () => number): Clone {
  const clone: Clone = { repository: emptyRepository(), clock };
  const hands = handsOn(clone);
  for (const [path, text] of Object.entries(files)) hands.write(path, text);
  hands.commit("start");
  return clone;
}

/** For who has no time to wait, such as a flow that is played. */
export type InstantRepo = Instant<Repo>;

export function instantRepo(checkout: Checkout): InstantRepo {
  const { clone } = checkout;
  const treeAt = (hash: string) => treeNamed(clone.repository, hash);
  return {
    head: () => headOf(clone.repository),
    tree: () => capture(checkout).hash,
    look: () => look(checkout),
    snapshot: (name) => snapshot(checkout, name),
    afterWriter: (writer, name) => afterWriter(checkout, writer, name),
    afterReader: (given, name) => afterReader(checkout, given, name),
    gitFiles: () => ({}),
    restoreGitFiles: () => ({ settings: [] }),
    undoAround: (since, goneAt, name) => undoAround(checkout, since, goneAt, name),
    changedAround: (since) => changedAround(checkout, since),
    undoWork: (work, name) => undoWork(checkout, work, name),
    anchorWithout: (at, work, name) => anchorWithout(checkout, at, work, name),
    changes: (since, without) => changesSince(checkout, since, without),
    difference: (from, to) => differencesOf(treeAt(from), treeAt(to)).map(({ path }) => path),
    commit: (order) => commit(checkout, order),
    findCommit: (since, request) => findCommit(checkout, since, request),
    restore: (to, name) => restore(checkout, to, name),
    restoreFiles: (since, paths, name) => restoreFiles(checkout, since, paths, name),
    takenBack: (name) => takenBack(checkout, name),
    forgetStates: () => forgetStates(checkout),
    personAtWork: (anchor, goneAt) => personAtWork(checkout, anchor, goneAt),
  };
}

export function modelRepo(checkout: Checkout): Repo {
  const repo = instantRepo(checkout);
  return {
    head: async () => repo.head(),
    tree: async () => repo.tree(),
    look: async () => repo.look(),
    snapshot: async (name) => repo.snapshot(name),
    afterWriter: async (writer, name) => repo.afterWriter(writer, name),
    afterReader: async (given, name) => repo.afterReader(given, name),
    gitFiles: async () => repo.gitFiles(),
    restoreGitFiles: async (since, files, name) => repo.restoreGitFiles(since, files, name),
    undoAround: async (since, goneAt, name) => repo.undoAround(since, goneAt, name),
    changedAround: async (since) => repo.changedAround(since),
    undoWork: async (work, name) => repo.undoWork(work, name),
    anchorWithout: async (at, work, name) => repo.anchorWithout(at, work, name),
    changes: async (since, without) => repo.changes(since, without),
    difference: async (from, to) => repo.difference(from, to),
    commit: async (order) => repo.commit(order),
    findCommit: async (since, request) => repo.findCommit(since, request),
    restore: async (to, name) => repo.restore(to, name),
    restoreFiles: async (since, paths, name) => repo.restoreFiles(since, paths, name),
    takenBack: async (name) => repo.takenBack(name),
    forgetStates: async () => repo.forgetStates(),
    personAtWork: async (anchor, goneAt) => repo.personAtWork(anchor, goneAt),
  };
}
