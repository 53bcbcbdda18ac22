// What git lists of a working tree: every entry of an index, and each path that differs from it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Checkout } from "../place/checkout.ts";
import type { BytePath } from "../process/paths.ts";
import { git } from "../process/run.ts";
import type { IndexEntries, IndexEntry } from "./index-entries.ts";
import type { Unread } from "./last-capture.ts";

/** What git says of an index and the files below it. */
export interface TreeScan {
  /** What is in the index, and what differs from it. */
  readonly listing: string;
  /** What is in the index. */
  readonly entries: string;
  /** Modified, deleted, unmerged or untracked. */
  readonly changed: readonly BytePath[];
  /** Tracked, and not to be seen. */
  readonly hidden: readonly BytePath[];
  readonly nested: readonly BytePath[];
  readonly tracked: readonly BytePath[];
  readonly flagged: readonly string[];
  readonly unread: Unread;
  readonly hasSubmodules: boolean;
}

/** Submodules with changes inside: git's list of changed files has only those whose commit is another one. */
export async function changedInside({ root }: Checkout, { hasSubmodules }: TreeScan): Promise<readonly BytePath[]> {
  if (!hasSubmodules) return [];
  const args = ["diff-files", "-z", "--raw", "--ignore-submodules=none"];
  const fields = (await git(root, args)).split("\0");
  return fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.startsWith(":160000"));
}

/**
 * `indexHash`: of the bytes of the index. While they are the same, only what differs from them is listed: of a large tree, reading
 * the whole list takes longer than making it. Without it nothing is known.
 */
export async function scanTree(checkout: Checkout, index: string, indexHash?: string): Promise<TreeScan> {
  const { root, gitDir } = checkout;
  const known = listed.get(checkout);
  if (known !== undefined && known.indexHash === indexHash) {
    const args = ["ls-files", "-z", "-v", "-m", "-d", "-o", "--exclude-standard"];
    const differing = (await git(root, args, { index })).split("\0").filter((line) => line !== "");
    return scanOf(checkout, known, differing);
  }
  const args = ["ls-files", "-z", "-v", "-s", "-m", "-d", "-o", "--exclude-standard"];
  const lines = (await git(root, args, { index })).split("\0").filter((line) => line !== "");
  const entries = readEntries(checkout, lines.filter(isEntry));
  // In a sparse checkout it depends on the files whether git passes over an entry.
  const isStable = indexHash !== undefined && !existsSync(join(gitDir, "info", "sparse-checkout"));
  if (isStable) listed.set(checkout, { ...entries, indexHash });
  const differing = lines.filter((line) => !isEntry(line));
  return scanOf(checkout, entries, differing.map(withoutEntry));
}

const listed = new WeakMap<Checkout, Entries & { readonly indexHash: string }>();

/** What the index alone says. */
interface Entries extends Pick<TreeScan, "entries" | "tracked" | "flagged" | "hidden"> {
  /** Those that git compares with their files, by path. */
  readonly compared: IndexEntries;
  readonly unmerged: readonly BytePath[];
  readonly submodules: ReadonlySet<BytePath>;
}

/** `<tag> <mode> <hash> <stage>\t<path>`; a small letter says that git is to take it for unchanged. Others are `? <path>` or have the tag of a difference. */
const isEntry = (line: string): boolean => /^[HSM] /i.test(line);
const withoutEntry = (line: string): string =>
  line.startsWith("?") ? line : `${line[0]} ${line.slice(line.indexOf("\t") + 1)}`;

function readEntries(checkout: Checkout, lines: readonly string[]): Entries {
  const tracked: BytePath[] = [];
  const flagged: string[] = [];
  const unmerged: BytePath[] = [];
  const submodules = new Set<BytePath>();
  const compared = new Map<BytePath, IndexEntry>();
  for (const line of lines) {
    const path = line.slice(line.indexOf("\t") + 1);
    tracked.push(path);
    if (/^[hSs]/.test(line)) flagged.push(`${line[0]} ${path}`);
    if (/^M/i.test(line)) unmerged.push(path);
    if (line.startsWith("160000", 2)) submodules.add(path);
    else if (line.startsWith("H "))
      compared.set(path, { mode: line.slice(2, 8), hash: line.slice(9, line.indexOf(" ", 9)) });
  }
  const hidden = [...new Set(tracked.filter(checkout.isHidden))];
  return { entries: lines.join("\0"), tracked, flagged, hidden, compared, unmerged, submodules };
}

/** `differing`: `<tag> <path>`, with a slash at the end of a repository that is not tracked. */
function scanOf(checkout: Checkout, index: Entries, differing: readonly string[]): TreeScan {
  const { entries, tracked, flagged, hidden, compared, unmerged, submodules } = index;
  const changed = new Set<BytePath>();
  const nested = new Set<BytePath>();
  for (const path of [...unmerged, ...differing.map((line) => line.slice(2))]) {
    const isNested = path.endsWith("/");
    const name = isNested ? path.slice(0, -1) : path;
    if (checkout.isHidden(name)) continue;
    (isNested || submodules.has(name) ? nested : changed).add(name);
  }
  const differs = new Set(differing.map((line) => line.slice(2)));
  return {
    listing: [...differing, "", entries].join("\0"),
    entries,
    changed: [...changed],
    hidden,
    nested: [...nested],
    tracked,
    flagged,
    unread: { entries: compared, read: differs },
    hasSubmodules: [...submodules].some((path) => !checkout.isHidden(path)),
  };
}
