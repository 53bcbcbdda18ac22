// Whose change is whose (E3b). What a writer changed while it ran is its work, unless it was the person's before. What
// changed while no writer ran is the person's. A file that both changed is mixed, and nobody takes it apart.

/** A file that a writer changed, and what it was when the writer began. */
export interface WriterChange {
  readonly path: string;
  /** `committed`: as in HEAD. `edited`: tracked, with changes that no commit has. `untracked`: in no commit. */
  readonly was: "committed" | "edited" | "untracked";
  /** It is as in HEAD now, so that no work is in it. */
  readonly isAsCommitted: boolean;
}

export interface SortedChanges {
  /** The writer's work. */
  readonly work: readonly string[];
  /** The person's, to be put back: files that git does not track, and edits that the writer dropped. */
  readonly giveBack: readonly string[];
  /** Of the work, files in which the person had changes already. */
  readonly dirty: readonly string[];
}

/** `ours`: files of the work that the writer continued. What else was not committed when it began is the person's. */
export function sortChanges(changes: readonly WriterChange[], ours: ReadonlySet<string>): SortedChanges {
  const isTheirs = ({ path, was }: WriterChange): boolean => was !== "committed" && !ours.has(path);
  const isGivenBack = (change: WriterChange): boolean =>
    isTheirs(change) && (change.was === "untracked" || change.isAsCommitted);
  const work = changes.filter((change) => !isGivenBack(change));
  const pathsOf = (some: readonly WriterChange[]): readonly string[] => some.map(({ path }) => path);
  return {
    work: pathsOf(work),
    giveBack: pathsOf(changes.filter(isGivenBack)),
    dirty: pathsOf(work.filter(isTheirs)),
  };
}

/** Files by who changed them. */
export interface Owners {
  readonly ours: ReadonlySet<string>;
  readonly theirs: ReadonlySet<string>;
}

/** Files that both changed: for the person to decide about. */
export const mixedIn = ({ ours, theirs }: Owners): readonly string[] => [...ours.intersection(theirs)].sort();

/** Files that enter no commit, and that no rollback touches. */
export const personsIn = ({ ours, theirs }: Owners): readonly string[] => [...theirs.difference(ours)].sort();

/** What the person decides about files that both changed: from then on they are only one's. */
export function withMixedAs(owner: "ours" | "theirs", owners: Owners): Owners {
  const mixed = new Set(mixedIn(owners));
  return owner === "ours"
    ? { ours: owners.ours, theirs: owners.theirs.difference(mixed) }
    : { ours: owners.ours.difference(mixed), theirs: owners.theirs };
}
