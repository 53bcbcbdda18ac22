// What a mistyped word was probably meant to be.

/** The most similar of the names: about one letter in three may differ. Undefined when none is close. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const guesses = names
    .map((name) => ({ name, changes: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, changes }) => changes <= Math.max(1, Math.floor(name.length / 3)));
  return guesses.toSorted((left, right) => left.changes - right.changes)[0]?.name;
}

/** How many single-letter changes lie between two words; two letters in each other's place count as one. */
function distance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change, swap));
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
