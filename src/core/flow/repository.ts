// What a flow knows of the repository: positions, changes and what became of a commit or a restore.

export interface Head {
  readonly sha: string;
  /** null when HEAD is detached. */
  readonly branch: string | null;
}

/** A state of the working tree to go back to: kept under a ref, without ignored files and the run's documents. */
export interface Anchor extends Head {
  readonly tree: string;
  readonly ref: string;
  /** Nested repositories and files over 10 MB: left alone. */
  readonly leftAlone: readonly string[];
}

/** Work in the tree that no commit holds yet: the state before it, and the files it is in. */
export interface UncommittedWork {
  readonly start: Anchor;
  readonly files: readonly string[];
}

export interface ChangedFile {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
}

/** A diff beyond this many characters is not shown to an agent but kept in a file for it to read. */
export const longestShownDiff = 20_000;

/** Committed, staged, unstaged and untracked alike, against an anchor. */
export interface Changes {
  readonly files: readonly ChangedFile[];
  /** Bounded; says so in its last line when it was cut. */
  readonly diff: string;
  /** Where the diff can be read, when it is too long to be shown. */
  readonly diffFile?: string;
  readonly tree: string;
  /** Of these files, those that were untracked at the anchor: the person's. They enter no commit. */
  readonly personFiles: readonly PersonFile[];
  /** Nested repositories and files over 10 MB that are there now, and in no tree: also those that were there at the anchor. */
  readonly leftAlone: readonly string[];
}

export interface PersonFile {
  readonly path: string;
  readonly change: "modified" | "deleted";
}

export type CommitOutcome =
  | {
      readonly status: "committed";
      readonly sha: string;
      readonly tree: string;
      /** A hook changed what was judged: the checks have to run again. */
      readonly changedByHook: boolean;
      readonly files: readonly string[];
    }
  | { readonly status: "nothing" }
  /** The tree is not the one that was judged: nothing was touched, and it has to be judged again. */
  | { readonly status: "moved"; readonly detail: string }
  | { readonly status: "refused"; readonly detail: string };

export interface RestoreOutcome {
  readonly restored: readonly string[];
  /** Where the tree that was given up is kept. */
  readonly backupRef: string;
  /** HEAD was on another commit or branch. */
  readonly moved: boolean;
  readonly leftAlone: readonly string[];
}
