/** The run's documents and the texts of the tree, by path relative to the tree's root. */
export interface Documents {
  /** null when there is no such file. */
  read(path: string): Promise<string | null>;
  /** Atomic: the old text or the new one, never half of it. */
  write(path: string, text: string): Promise<void>;
  /** One that is not there is fine. */
  remove(path: string): Promise<void>;
}

/** Writes the latest of many values without writing each: at most once per interval, and the last one always. */
export interface Latest<T> {
  /** Has the value written soon, unless a later one comes first. */
  update(value: T): void;
  /** Writes the value now; it is on disk when this resolves. */
  write(value: T): Promise<void>;
}

/** `.superteam-workflow.json`: what the active run looks like, for people and other tools. Made when it is written. */
export interface SnapshotFile extends Latest<() => unknown> {
  /** Removes the file, after whatever is being written; what is pending is dropped. */
  remove(): Promise<void>;
}

/** Told of an update that could not be written, and of a damaged file that was moved aside: no reason to stop a run. */
export type Warn = (message: string) => void;

/** Files that others read during a run. */
export interface ProjectionFiles {
  readonly documents: Documents;
  snapshot(trouble: Warn): SnapshotFile;
  /** Has `put` write the latest of many values; it gives how many bytes that were. */
  latest<T>(put: (value: T) => Promise<number>, trouble: Warn): Latest<T>;
}
