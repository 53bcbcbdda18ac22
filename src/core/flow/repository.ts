// What a flow knows of the repository: positions, changes and what happened to a commit or a restore.

export interface Head {
  readonly sha: string;
  /** null when HEAD is detached. */
  readonly branch: string | null;
}

/** Where HEAD is now. */
export interface CurrentHead extends Head {
  /** A merge, rebase or similar of the person's, in words that say how to finish it. */
  readonly inProgress?: string;
}

/** A state of the place: HEAD, files and index, without ignored files and the run's documents. */
export interface State extends Head {
  readonly tree: string;
  /** The index as a tree: what is staged. Not there when it has conflicts, or nobody knows. */
  readonly index?: string;
  /** What an index with conflicts holds, as a tree: the versions of a file beside each other. Only there instead of `index`. */
  readonly conflicts?: string;
  /** A tree of uncommitted files that git's filters change, as they are byte for byte. Not there when they change none. */
  readonly bytes?: string;
  /** The modes of uncommitted files that others cannot read, by path. Not there when there are none. */
  readonly closed?: Readonly<Record<string, number>>;
  /** Nested repositories and files over 10 MB: left alone. */
  readonly leftAlone: readonly string[];
  /** Ignore rules of this clone alone, as lines. */
  readonly excludes?: readonly string[];
}

/** Whether HEAD, files and what is staged are the same, and files as closed. What no tree can hold is another matter. */
export const isSameState = (now: State, before: State): boolean =>
  now.sha === before.sha &&
  now.branch === before.branch &&
  now.tree === before.tree &&
  stagedIn(now) === stagedIn(before) &&
  isAsClosed(now, before);

/** Whether nobody can read more than before. */
const isAsClosed = ({ closed = {} }: State, before: State): boolean =>
  Object.entries(before.closed ?? {}).every(([path, mode]) => ((closed[path] ?? 0o777) & 0o077 & ~mode) === 0);

/** All that is staged, as a tree to be compared and kept. undefined when nobody knows. */
export const stagedIn = ({ index, conflicts }: Pick<State, "index" | "conflicts">): string | undefined =>
  index ?? conflicts;

/** A state to go back to: kept under a ref. */
export interface Anchor extends State {
  readonly ref: string;
  /** Other branches, stashes, git's configuration and hooks, by the name under which they are kept. */
  readonly around?: string;
}

/** Work in the tree that no commit holds yet: the state before it, and the files it is in. */
export interface UncommittedWork {
  readonly start: Anchor;
  readonly files: readonly string[];
  /** A commit of ours that holds the work and is to go with it, if HEAD is still there. */
  readonly commit?: string;
}

/** What a writer did, when everything that is not its work has been put back. */
export interface WriterTraces {
  /** The state that it left. HEAD, branch and staging are as they were when it began. */
  readonly left: Anchor;
  /** The files that it changed. */
  readonly changed: readonly string[];
  /** Of these, tracked files in which the person had uncommitted changes; and files of theirs that git ignored, and sees now, or that were copied. */
  readonly dirty: readonly string[];
  /** What it made or changed and no commit can hold: checks that pass may need it. */
  readonly unheld?: readonly string[];
  readonly putBack: PutBack;
}

/** What an agent did around HEAD and files. All of it was put back, but for `pushed` and `outside`. */
export interface AroundPutBack {
  /** Branches, tags (`tags/v1`) and similar that it made, moved or deleted, and `stash`. */
  readonly refs: readonly string[];
  /** Of such, those that cannot be put back: what they led to is gone, or something is in their way. */
  readonly refsLost?: readonly string[];
  /** Files of git's own folder: the configuration, hooks and what is in `info/`. Hooks that git has elsewhere, by their whole path. */
  readonly settings: readonly string[];
  /** The folder with these files as it left them. */
  readonly settingsKept?: string;
  /** Settings of git's outside the repository, as `<key> (<file>)`: they stay as it left them. */
  readonly outside?: readonly string[];
  /** A merge, rebase or similar that it left open. */
  readonly operation?: string;
  /** Branches of other repositories: nobody can take a push back. */
  readonly pushed: readonly string[];
  /** Where what was put back is kept. */
  readonly refsKept: readonly string[];
  /** Paths that were staged otherwise, beside those of the work. */
  readonly staged?: readonly string[];
  /** The folder with what stood in the place of the person's files and is in no tree. */
  readonly filesKept?: string;
  /** What it made that stays: no tree can hold it. */
  readonly leftAlone?: readonly string[];
  /** Files of the person's that could not be put back, and where they are kept. */
  readonly filesLost?: FilesLost;
  /** Folders and files that it had closed to everybody, open again. */
  readonly opened?: readonly string[];
  /** Files of the person's that it let others read. They are closed again. */
  readonly exposed?: readonly string[];
  /** What no tree held before it, such as a file over 10 MB, and it changed: nobody has a copy. */
  readonly unsaved?: Unsaved;
  readonly meanwhile?: Meanwhile;
}

export interface Unsaved {
  readonly changed: readonly string[];
  /** Not there any more, or nobody may look. */
  readonly gone: readonly string[];
}

/** For good, as they were before the agent. */
export interface FilesLost {
  readonly files: readonly string[];
  readonly ref: string;
}

/** What a writer did beside its work. */
export interface PutBack extends AroundPutBack {
  /** Files of the person's that git does not track, and uncommitted changes of theirs that it had dropped. */
  readonly files: readonly string[];
  /** Files of the person's that git ignored before, and sees now. */
  readonly uncovered?: readonly string[];
  /** New files with the content of untracked files of the person's: moved or copied. */
  readonly copied?: readonly string[];
  /** HEAD was on another commit. The work stays in the tree. */
  readonly moved: boolean;
  /** Subjects of the commits that it made or rewrote. */
  readonly commits: readonly string[];
  /** The branch it had switched to. */
  readonly branch?: string;
  /** Files that were only changed by a switch, a reset or a stash, whoever did that: they are as they were. */
  readonly switched?: readonly string[];
}

/** What a reader did that could write. */
export interface ReaderTraces {
  /** Files that it changed, and `HEAD` when it moved that. They are as they were. */
  readonly touched: readonly string[];
  readonly around: AroundPutBack;
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
  /** Nested repositories and files over 10 MB that are there now, and in no tree: also those that were there at the anchor. */
  readonly leftAlone: readonly string[];
}

/** How many lines of a file a commit adds and removes, as `git diff --stat` counts them. */
export interface FileLines {
  readonly file: string;
  readonly added: number;
  readonly removed: number;
}

/** What the checks saw, and the commit does not contain. */
export interface LeftOut {
  /** Tracked files with changes of the person's. */
  readonly files: readonly string[];
  /** What agents made or changed and no commit can hold. */
  readonly unheld?: readonly string[];
  /** What was judged, without them: for checks of the commit itself (E3b). */
  readonly alone: Anchor;
}

/** What a commit has beyond what was judged: a hook put it there. */
export interface HooksChanges {
  readonly files: readonly string[];
  /** Nothing but spaces within lines of files of the work. */
  readonly isOnlySpace: boolean;
}

export type CommitOutcome =
  | {
      readonly status: "committed";
      readonly sha: string;
      readonly tree: string;
      /** A hook changed what was judged: the checks have to run again. */
      readonly changedByHook: boolean;
      /** Of that, what is in the commit. */
      readonly byHook?: HooksChanges;
      readonly files: readonly string[];
      /** Of its text files. Not there where nobody counted. */
      readonly lines?: readonly FileLines[];
      readonly leftOut?: LeftOut;
      /** Committed files of which something else was staged, in no commit and in no file: the ref has it. */
      readonly staged?: { readonly files: readonly string[]; readonly ref: string };
    }
  | { readonly status: "nothing" }
  /** The tree is not the one that was judged: nothing was touched, and it has to be judged again. */
  | { readonly status: "moved"; readonly detail: string }
  | { readonly status: "refused"; readonly detail: string };

/** A commit that has been made. */
export type Committed = Extract<CommitOutcome, { status: "committed" }>;

export interface RestoreOutcome {
  readonly restored: readonly string[];
  /** Where the tree that was given up is kept. */
  readonly backupRef: string;
  /** HEAD was on another commit or branch. */
  readonly moved: boolean;
  readonly leftAlone: readonly string[];
  /** The folder to which what stood in the way, and no tree can hold, was moved. */
  readonly asideIn?: string;
  /** What could not be restored, although it was saved. */
  readonly filesLost?: FilesLost;
  /** Folders and files that were closed to everybody since, open again. */
  readonly opened?: readonly string[];
  readonly meanwhile?: Meanwhile;
}

/** What changed while it was restored, was kept, and then restored too. */
export interface Meanwhile {
  /** Files, and `HEAD` when somebody committed. */
  readonly files: readonly string[];
  /** Where it is kept as it was changed to. */
  readonly refs: readonly string[];
}

export interface UndoOutcome extends RestoreOutcome {
  /** The tree from which the work was taken. */
  readonly found: string;
}
