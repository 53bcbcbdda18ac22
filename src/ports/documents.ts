/** The run's documents and the texts of the tree, by path relative to the tree's root. */
export interface Documents {
  /** null when there is no such file. */
  read(path: string): Promise<string | null>;
  /** Atomic: the old text or the new one, never half of it. */
  write(path: string, text: string): Promise<void>;
}
