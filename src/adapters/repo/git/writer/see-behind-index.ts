// What an agent can hide from git by the index (E3b): a flag, or a time. git does not read a file whose size and times are those in the
// index, and an agent that adds a file through a filter of its own can write any content there. So each file that has changed since
// the agent was given the tree is read once more, whatever the index says of it. What the agent closed is opened first.

import { lstatSync } from "node:fs";
import { setImmediate as others } from "node:timers/promises";
import type { Anchor, AroundPutBack, Unsaved } from "../../../../core/flow/repository.ts";
import { forgetAnnounced } from "../capture/announced.ts";
import { forgetCapture } from "../capture/capture.ts";
import type { CapturedTree, Unread } from "../capture/last-capture.ts";
import type { Checkout } from "../place/checkout.ts";
import { settingsOf } from "../place/settings.ts";
import { onDisk, toText } from "../process/paths.ts";
import { git, tryGit } from "../process/run.ts";
import { lookOpened } from "../restore/open-folders.ts";
import { diffTrees } from "../tree/trees.ts";
import { unsavedSince } from "../tree/unsaved.ts";
import { type Before, identityOfIndex, savedNs } from "./around.ts";
import { putFlagsBack } from "./index-flags.ts";

type Seen = Pick<CapturedTree, "tree" | "flagged" | "unread" | "indexHash" | "leftAlone">;

export interface SeenAll<T> {
  readonly found: T;
  /** Words for what was hidden. */
  readonly hidden: readonly string[];
  /** Folders and files that were closed, and are open again. */
  readonly opened: readonly string[];
  /** What no tree held, and is another now. */
  readonly unsaved: Unsaved | undefined;
}

/** In the form of an outcome. */
export const damageOf = ({ opened, unsaved }: Pick<SeenAll<unknown>, "opened" | "unsaved">): Damage => ({
  ...(opened.length === 0 ? {} : { opened }),
  ...(unsaved === undefined ? {} : { unsaved }),
});

type Damage = Pick<AroundPutBack, "opened" | "unsaved">;

/** Looks until nothing is hidden. */
export async function seeBehindIndex<T extends Seen>(
  checkout: Checkout,
  { given, before }: { readonly given: Anchor; readonly before: Before },
  look: () => Promise<T>,
): Promise<SeenAll<T>> {
  const isTouched = before.index?.identity !== identityOfIndex(checkout);
  // What the index says of a file is then the agent's word: git is asked, and what it believes is looked at below.
  if (isTouched) forgetCapture(checkout);
  const announced = isTouched ? await forgetAnnounced(checkout, given, before.announced) : [];
  const { unsaved, opened: reopened } = await unsavedSince(checkout, before.unsaved);
  const opened = new Set(reopened);
  const see = async (): Promise<T> => {
    const seen = await lookOpened(checkout, given, look);
    for (const path of seen.opened) opened.add(toText(path));
    return seen.found;
  };
  const { found, hidden } = await lookBehind(checkout, { given, before }, isTouched, see);
  return { found, hidden: [...announced, ...hidden], opened: [...opened].sort(), unsaved };
}

async function lookBehind<T extends Seen>(
  checkout: Checkout,
  { given, before }: { readonly given: Anchor; readonly before: Before },
  isTouched: boolean,
  look: () => Promise<T>,
): Promise<{ readonly found: T; readonly hidden: readonly string[] }> {
  const first = await look();
  const isSame = !isTouched && before.index?.hash === first.indexHash;
  if (isSame && (await trustsTimes(checkout))) return { found: first, hidden: [] };
  const flags = await putFlagsBack(checkout, before.flagged, first.flagged);
  const second = flags.length === 0 ? first : await look();
  const changed = await changedSince(checkout, second.unread, (await savedNs(checkout, given)) - coarsestNs);
  const doubtful = await notAsIndexed(checkout, changed);
  if (doubtful.length === 0) return { found: second, hidden: flags };
  await forgetTimes(checkout, doubtful);
  const found = await look();
  const behind = found.tree === second.tree ? [] : await diffTrees(checkout.root, second.tree, found.tree);
  return { found, hidden: [...flags, ...behind.map(({ path }) => `index (hides ${toText(path)})`)] };
}

/** An index that nobody touched has the times of before. A file that was changed since has another one, which nobody can set. */
async function trustsTimes(checkout: Checkout): Promise<boolean> {
  const settings = await settingsOf(checkout);
  return (
    settings !== undefined && !settings.values.some((value) => /^core\.(?:trustctime|checkstat)(?:$|\n)/i.test(value))
  );
}

/** Some disks count two seconds. A file that is read for nothing does no harm. */
const coarsestNs = 2_100_000_000n;
/** So many at once: all else waits that long. */
const batch = 1000;

/** `<mode> <hash> 0\t<path>` of each, by the time that nobody can set. */
async function changedSince(
  { root }: Checkout,
  { entries, read }: Unread,
  sinceNs: bigint,
): Promise<readonly string[]> {
  const changed: string[] = [];
  let count = 0;
  for (const [path, { mode, hash }] of entries) {
    if (read.has(path)) continue;
    const seen = lstatSync(onDisk(root, path), { bigint: true, throwIfNoEntry: false });
    if (seen !== undefined && seen.ctimeNs >= sinceNs) changed.push(`${mode} ${hash} 0\t${path}`);
    if (++count % batch === 0) await others();
  }
  return changed;
}

/** Those that are not, for sure, what the index says: git hashes their files, and changes nothing. */
async function notAsIndexed({ root }: Checkout, entries: readonly string[]): Promise<readonly string[]> {
  const plain = entries.filter((entry) => plainFile.test(entry));
  if (plain.length === 0) return entries;
  const input = plain.map((entry) => `${pathOf(entry)}\n`).join("");
  const { code, out } = await tryGit(root, ["hash-object", "--stdin-paths"], { input });
  if (code !== 0) return entries;
  const hashes = out.split("\n");
  const same = new Set(plain.filter((entry, at) => entry.split(" ", 2)[1] === hashes[at]));
  return entries.filter((entry) => !same.has(entry));
}

/** A file, not a link, whose path is one line. */
const plainFile = /^100\d{3} [0-9a-f]+ 0\t(?!")[^\n]+$/;

const pathOf = (entry: string): string => entry.slice(entry.indexOf("\t") + 1);

/** The entries stay what they are, and git reads their files to see whether they are equal. */
async function forgetTimes(checkout: Checkout, entries: readonly string[]): Promise<void> {
  const { root } = checkout;
  forgetCapture(checkout);
  await git(root, ["update-index", "-z", "--index-info"], { input: entries.map((entry) => `${entry}\0`).join("") });
  // Exit code 1 says that a file differs from its entry: the next look finds it.
  await tryGit(root, ["update-index", "-q", "--refresh"]);
}
