// What every repository promises (ports/repo.ts), whatever it is made of. Hooks, links, filters, submodules, file modes and
// the exact shape of refs belong to git, and are tested with that adapter.

import { describe, type TestContext } from "node:test";
import type { Repo } from "../../src/ports/repo.ts";
import { changesContract } from "./repo/changes.ts";
import { commitContract } from "./repo/commit.ts";
import { personContract } from "./repo/person.ts";
import { propertyContract } from "./repo/property.ts";
import { readerContract } from "./repo/reader.ts";
import { restoreContract } from "./repo/restore.ts";
import { treeContract } from "./repo/tree.ts";
import { writerContract } from "./repo/writer.ts";

/** A repository and the hands that work in it: an agent's or the person's. They type what one types at a shell. */
export interface RepoRig {
  readonly repo: Repo;
  write(path: string, text: string): Promise<void>;
  /** undefined when there is no such file. */
  read(path: string): Promise<string | undefined>;
  /** A file, or a folder with all in it. */
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Every file of the working tree with its text, ignored ones too. */
  files(): Promise<ReadonlyMap<string, string>>;
  /** By force, so that an ignored file can be tracked; a file that is gone leaves the index. */
  stage(path: string): Promise<void>;
  unstage(path: string): Promise<void>;
  /** Stages everything, or these paths, and commits what is staged, also when that changes nothing. Gives the hash. */
  commit(subject: string, paths?: readonly string[]): Promise<string>;
  amend(subject: string): Promise<void>;
  /** Takes the last commit from the branch; what it changed stays staged. */
  uncommit(): Promise<void>;
  /** Goes to a branch with the files as they are; makes it where there is none. */
  checkout(branch: string): Promise<void>;
  /** Goes to a commit, or that of a branch, without a branch, with the files as they are. */
  detach(commit: string): Promise<void>;
  /** Makes HEAD's branch, index and tracked files those of a commit or a branch, whatever is lost by it. */
  reset(commit: string): Promise<void>;
  /** Moves HEAD's branch on to a branch that it is part of, with the files as they are. */
  forward(branch: string): Promise<void>;
  /** Every commit that can be reached from HEAD or a ref, the newest first. */
  log(from?: string): Promise<readonly { readonly sha: string; readonly message: string }[]>;
  /** A file of a commit or a ref; undefined when it is not in there. */
  show(commit: string, path: string): Promise<string | undefined>;
  /** A hook that writes these files before each commit, and stages them. */
  hook(files: Readonly<Record<string, string>>): Promise<void>;
}

/** A repository with one commit of these files on the branch `main`, opened for the run `run-1` with these documents. */
export type MakeRepo = (
  t: TestContext,
  files: Readonly<Record<string, string>>,
  documents?: readonly string[],
) => Promise<RepoRig>;

export function repoContract(name: string, make: MakeRepo): void {
  describe(`repo: ${name}`, () => {
    treeContract(make);
    changesContract(make);
    restoreContract(make);
    commitContract(make);
    personContract(make);
    writerContract(make);
    readerContract(make);
    propertyContract(make);
  });
}
