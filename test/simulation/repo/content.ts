// Texts and trees, named by what they hold: equal content has the same hash, in every process and every run. The hash is
// cheap and good enough to tell the trees of a simulation apart; it protects against nobody.

/** The text of a file at its path. The two marks are the hash of both. */
export interface Content {
  readonly text: string;
  readonly first: number;
  readonly second: number;
}

export function contentAt(path: string, text: string): Content {
  const name = mark(path, seeds);
  // The length keeps `a` + `b/c` apart from `ab` + `/c`.
  const { first, second } = mark(text, { first: name.first ^ path.length, second: name.second });
  return { text, first, second };
}

export const isSame = (one: Content | undefined, other: Content | undefined): boolean =>
  one === other || (one !== undefined && one.text === other?.text);

export type Entries = ReadonlyMap<string, Content>;

/** Whole paths with their texts: there are no folders in it. */
export interface Tree {
  readonly hash: string;
  readonly entries: Entries;
}

/** The marks are added up, so that the order of the entries does not matter. */
export function treeOf(entries: Entries): Tree {
  let first = 0;
  let second = 0;
  for (const content of entries.values()) {
    first = (first + content.first) | 0;
    second = (second + content.second) | 0;
  }
  return { hash: asHash(first, second), entries };
}

export function hashOf(text: string): string {
  const { first, second } = mark(text, seeds);
  return asHash(first, second);
}

interface Marks {
  readonly first: number;
  readonly second: number;
}

const seeds: Marks = { first: 0x2d358dcc, second: 0x41c6ce57 };

/** Two multiplications for each character, and one more round in which each half meets the other. */
function mark(text: string, start: Marks): Marks {
  let first = start.first;
  let second = start.second;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 0x9e3779b1);
    second = Math.imul(second ^ code, 0x5f356495);
  }
  const mixed = Math.imul(first ^ (first >>> 16), 0x85ebca6b) ^ Math.imul(second ^ (second >>> 13), 0xc2b2ae35);
  const again = Math.imul(second ^ (second >>> 16), 0x85ebca6b) ^ Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return { first: mixed, second: again };
}

/** As long as one of git's. */
function asHash(first: number, second: number): string {
  return `${asDigits(first)}${asDigits(second)}`.padEnd(40, "0");
}

const asDigits = (half: number): string => (half >>> 0).toString(16).padStart(8, "0");
