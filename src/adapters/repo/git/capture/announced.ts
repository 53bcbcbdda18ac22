// Files that the index only announces (`git add -N`). Agents announce new files to see them in a diff, often with all others that are
// there. A later `git commit -a` of yours would commit these too, so the agent's announcements are removed at its end (E3b, R6).

import { join } from "node:path";
import type { Anchor } from "../../../../core/flow/repository.ts";
import { firstBytes } from "../../../files/small-file.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, toText } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { diffTrees } from "../tree/trees.ts";
import { removeEntries } from "./add-entries.ts";

/** Undefined where it would take too long to know: such an index is one of very many files. */
export async function announcedIn({ root, gitDir }: Checkout): Promise<readonly BytePath[] | undefined> {
  const version = versionOf(join(gitDir, "index"));
  // Only an index with such flags has the third.
  if (version !== 3) return version === 4 ? undefined : [];
  const listed = await git(root, ["ls-files", "-z", "--debug"]);
  const entries = [...listed.matchAll(/([^\0]+)\0(?: {2}.*\n){4} {2}size: \d+\tflags: ([0-9a-f]+)\n/g)];
  return entries.flatMap(([, path = "", flags = "0"]) => (Number.parseInt(flags, 16) & announced ? [path] : []));
}

const announced = 0x2000_0000;

function versionOf(index: string): number {
  try {
    return firstBytes(index, 8).readUInt32BE(4);
  } catch {
    // There is none, or it is not one.
    return 0;
  }
}

/** `before`: as `announcedIn` gave it. Gives words for files of the person's. */
export async function forgetAnnounced(
  checkout: Checkout,
  given: Anchor,
  before: readonly BytePath[] | undefined,
): Promise<readonly string[]> {
  const now = before === undefined ? undefined : await announcedIn(checkout);
  const fresh = now?.filter((path) => !before?.includes(path)) ?? [];
  if (fresh.length === 0) return [];
  await removeEntries(checkout.root, undefined, fresh);
  const theirs = new Set((await diffTrees(checkout.root, given.sha, given.tree)).map(({ path }) => path));
  return fresh.filter((path) => theirs.has(path)).map((path) => `index (announces ${toText(path)})`);
}
