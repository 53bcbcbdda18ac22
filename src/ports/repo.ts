import type {
  Anchor,
  AroundPutBack,
  Changes,
  CommitOutcome,
  CurrentHead,
  Head,
  ReaderTraces,
  RestoreOutcome,
  State,
  UncommittedWork,
  UndoOutcome,
  WriterTraces,
} from "../core/flow/repository.ts";

export interface CommitOrder {
  readonly message: string;
  /** Value of the trailer `Superteam-Run`. */
  readonly run: string;
  /** Value of the trailer `Superteam-Task`, for a task's commit. */
  readonly task?: string;
  /** Value of the trailer `Superteam-Request`, `<run>/<seq of the begin record>`: how an interrupted commit is recognised. */
  readonly request: string;
  readonly since: Anchor;
  /** T6: for a task's commit, the tree that was judged, as `tree` gives it. When it is another one now, nothing is committed. */
  readonly tree?: string;
  /** Files of the person's: changes in them stay in the tree, uncommitted. */
  readonly leaveOut?: readonly string[];
  /**
   * Commit just these paths; otherwise everything since the anchor but the run's documents, superteam's own files, what is
   * left out, and the files that were untracked at the anchor, which are the person's.
   */
  readonly documents?: readonly string[];
}

/** A writer that has ended. */
export interface EndedWriter {
  readonly given: Anchor;
  /** Files of the work that it continued. What else was not committed when it began is the person's. */
  readonly ours: readonly string[];
}

/** Bytes, mode and where it leads if it is a link; null where there is no such file. By path in git's folder. */
export type GitFiles = Readonly<Record<string, GitFile | null>>;

export interface GitFile {
  readonly text?: string;
  readonly mode?: number;
  readonly link?: string;
  /** Instead of a text that is too long to be kept: what identifies it. */
  readonly large?: string;
}

/** A tree that was there before something in it was put back. */
export interface TakenBack {
  readonly ref: string;
  readonly tree: string;
}

/** The repository. superteam's own files and the run's documents are invisible to all but a documents commit (S1). */
export interface Repo {
  head(): Promise<CurrentHead>;
  /** The hash of the working tree: tracked and untracked, without ignored files. Does not touch the person's index. */
  tree(): Promise<string>;
  /** HEAD, files and index as they are now. */
  look(): Promise<State>;
  /** Saves HEAD, files and index under `refs/superteam/<run>/<name>`, and what is around them. */
  snapshot(name: string): Promise<Anchor>;
  /**
   * E3b: compares everything with what a writer was given, and puts back what is not its work: HEAD, branches, staging,
   * stashes, git's configuration and hooks, and the person's files. So are files that are as in a commit that was there before, because
   * HEAD was moved to it, or somebody made a stash. What it put back is saved under refs.
   */
  afterWriter(writer: EndedWriter, name: string): Promise<WriterTraces>;
  /** R6: the same for a reader that could write. All that it did is put back, and saved under refs. */
  afterReader(given: Anchor, name: string): Promise<ReaderTraces>;
  /** git's configuration, hooks and rules as they are now, before a check. */
  gitFiles(): Promise<GitFiles>;
  /** E3b, E11: makes them what they were, and HEAD, index and list of refs such that git can work with them. */
  restoreGitFiles(
    since: State,
    files: GitFiles,
    name: string,
  ): Promise<Pick<AroundPutBack, "settings" | "settingsKept" | "outside">>;
  /**
   * E3: puts back what an interrupted agent did to branches, stashes and git's own files until its processes were gone, at `goneAt`
   * (milliseconds since the epoch). HEAD stays. What changed later is the person's, and stays. undefined when it is not known any
   * more what was there.
   */
  undoAround(since: Anchor, goneAt: number, name: string): Promise<AroundPutBack | undefined>;
  /**
   * Names of all of that which is not as it was, whoever changed it; HEAD's branch and the one that it was on are not among them.
   * undefined when it is not known any more what it was.
   */
  changedAround(since: Anchor): Promise<readonly string[] | undefined>;
  /** Takes work back: its files and what is staged of them, and no others. What is there now is saved under a ref first. */
  undoWork(work: UncommittedWork, name: string): Promise<UndoOutcome>;
  /**
   * Saves the state `at` as it would be without this work: its files are what they were before it, or, where somebody has
   * committed them since, what they are in that commit. Does not look at the working tree.
   */
  anchorWithout(at: Anchor, work: UncommittedWork, name: string): Promise<Anchor>;
  /** `without`: paths that are not to be shown. */
  changes(since: Anchor, without?: readonly string[]): Promise<Changes>;
  /** Paths that differ between two trees. */
  difference(from: string, to: string): Promise<readonly string[]>;
  commit(order: CommitOrder): Promise<CommitOutcome>;
  /** E2: the commit with this request trailer between the anchor and HEAD, if an interrupted commit had come that far. */
  findCommit(since: Anchor, request: string): Promise<CommitOutcome | undefined>;
  /**
   * E3: makes HEAD, tree and index equal to the anchor, or a state that was looked at, again. Saves what is there now under a ref first, then touches only paths that
   * differ. Files that were ignored at the anchor, nested repositories, big files and the run's documents are left alone;
   * files that only newer ignore rules hide were made since, and go.
   */
  restore(to: State, name: string): Promise<RestoreOutcome>;
  /**
   * Makes just these files what they were then. What is there now, or in their way, is saved under a ref first. HEAD
   * and index stay.
   */
  restoreFiles(since: State, paths: readonly string[], name: string): Promise<RestoreOutcome>;
  /** What the verbs above have taken or given back under names that begin so, and where it is kept, by name. */
  takenBack(name: string): Promise<readonly TakenBack[]>;
  /** Removes the refs of the run, but for those that hold what was taken back. */
  forgetStates(): Promise<void>;
  /**
   * E3: why the person seems to have been at work since the agents were gone: the branch changed, HEAD no longer descends
   * from the anchor, or a commit was made or a file changed after `goneAt` (milliseconds since the epoch). undefined when
   * there is no such sign.
   */
  personAtWork(since: Anchor, goneAt: number): Promise<string | undefined>;
}

/** The files of the tree, beside what agents do to them. */
export interface WorkingFiles {
  has(path: string): boolean;
  /** What the person has not committed, but for these documents. */
  uncommitted(documents: readonly string[]): Promise<Uncommitted>;
  /** A merge, rebase or similar that is in progress, in words that say what to do: no work starts in the middle of one. */
  inTheWay(): string | undefined;
  /** Keeps superteam's own files out of the person's sight in git. */
  excludeOwnFiles(): Promise<void>;
  /** A path as a person types it in that folder, from the tree's root; undefined when it leads out of the tree. */
  pathOf(folder: string, said: string): Promise<string | undefined>;
  /** Throws `outside` when a document at that path would not be in the tree, such as behind a link that leads out of it. */
  reach(path: string): Promise<unknown>;
}

export interface Uncommitted {
  /** Tracked files with changes, staged or not. */
  readonly tracked: readonly string[];
  readonly untracked: readonly string[];
}

export interface RunCommit {
  readonly sha: string;
  /** The run that made the commit. */
  readonly run: string;
}

export interface Branches {
  /** `wanted`, or that name with a number where it is taken. */
  free(wanted: string): Promise<string>;
  /** The commit of a branch, if it exists. */
  tip(branch: string): Promise<string | undefined>;
  isCommit(sha: string): Promise<boolean>;
  /** Makes the branch, at this commit. */
  make(branch: string, sha: string): Promise<void>;
  /** Makes the tree that of a branch, or of a commit without one. Gives what git said when it could not. */
  switchTo(head: Head): Promise<string | undefined>;
  /** The commit as it is in HEAD's history by now, by whatever name; undefined when it is not there. */
  findInHistory(commit: RunCommit): Promise<string | undefined>;
}

/** Which plan of the person's was loaded last, by its path from the tree's root. */
export interface LoadedPlanMemory {
  read(): Promise<string | undefined>;
  write(path: string): Promise<void>;
}
