// The model with the hands of the contract suite.

import type { RepoRig } from "../../contracts/repo.ts";
import { handsOn } from "./hands.ts";
import { makeClone, modelRepo } from "./open.ts";
import { checkoutOf } from "./repository.ts";

export interface ModelRigOptions {
  readonly files: Readonly<Record<string, string>>;
  readonly documents: readonly string[];
  readonly clock: () => number;
}

export function modelRig({ files, documents, clock }: ModelRigOptions): RepoRig {
  const clone = makeClone(files, clock);
  const hands = handsOn(clone);
  return {
    repo: modelRepo(checkoutOf(clone, "run-1", documents)),
    write: async (path, text) => hands.write(path, text),
    read: async (path) => hands.read(path),
    remove: async (path) => hands.remove(path),
    rename: async (from, to) => hands.rename(from, to),
    files: async () => hands.files(),
    stage: async (path) => hands.stage(path),
    unstage: async (path) => hands.unstage(path),
    commit: async (subject, paths) => hands.commit(subject, paths),
    amend: async (subject) => hands.amend(subject),
    uncommit: async () => hands.uncommit(),
    checkout: async (branch) => hands.checkout(branch),
    detach: async (commit) => hands.detach(commit),
    reset: async (commit) => hands.reset(commit),
    forward: async (branch) => hands.forward(branch),
    log: async (from) => hands.log(from),
    show: async (commit, path) => hands.show(commit, path),
    hook: async (files) => hands.hook(files),
  };
}
