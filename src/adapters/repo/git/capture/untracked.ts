// The files of a large tree that git neither tracks nor ignores. git reads every folder to find them; here one is read again only where its
// times say so (file-identity.ts), for no name comes or goes without another time. A git that stays says which names are ignored.
// Where a disk may not keep such times, or anything else is unusual, git lists them.

import { type BigIntStats, type Dirent, readdirSync, statfsSync } from "node:fs";
import { setImmediate as others } from "node:timers/promises";
import type { Checkout } from "../place/checkout.ts";
import type { GitSettings } from "../place/settings.ts";
import { type BytePath, onDisk } from "../process/paths.ts";
import { diskNow, settledIdentity, statIfOpen } from "./file-identity.ts";
import type { LargeIndex } from "./large-index.ts";
import { ignoredAmong, ruleFiles } from "./rules.ts";

interface Folders {
  /** Times of the rules outside the tree. */
  readonly rules: string;
  /** Names the git that stays and has read the rules. */
  readonly reader: string;
  /** What was tracked then. */
  readonly entries: LargeIndex;
  readonly byPath: ReadonlyMap<BytePath, SeenFolder>;
}

interface SeenFolder {
  readonly path: BytePath;
  /** As file-identity.ts has it; `young` where that says nothing. */
  readonly times: string;
  /** The same of the .gitignore in it; empty where there is none. */
  readonly rules: string;
  /** Those in it that git does not ignore. */
  readonly folders: readonly BytePath[];
  /** Neither ignored nor tracked. */
  readonly files: readonly BytePath[];
}

const young = "young";
const known = new WeakMap<Checkout, Folders>();
const failures = new WeakMap<Checkout, number>();
/** One after another: what was in the way may have been there for a moment. */
const mostFailures = 3;
let readers = 0;

/** What git would list, with what is in the index; undefined where it has to be asked. */
export async function listUntracked(
  checkout: Checkout,
  settings: GitSettings,
  reading: Promise<LargeIndex | undefined>,
): Promise<readonly BytePath[] | undefined> {
  const failed = failures.get(checkout) ?? 0;
  if (failed === mostFailures || !isUsualDisk(checkout)) return undefined;
  const entries = await reading;
  if (entries === undefined) return undefined;
  const [last, now] = [known.get(checkout), diskNow(checkout)];
  const times = ruleFiles(checkout, settings).map((file) => timesOf(statIfOpen(Buffer.from(file)), now));
  const rules = times.includes(young) ? young : times.join("\0");
  const isKnown = last?.rules === rules && rules !== young;
  const again = isKnown ? await new Walk(checkout, last, { entries, now }).folders() : undefined;
  const first = { rules, reader: `${++readers}`, entries, byPath: new Map<BytePath, SeenFolder>() };
  const found = again ?? (await new Walk(checkout, first, { entries, now }).folders());
  failures.set(checkout, found === undefined ? failed + 1 : 0);
  if (found === undefined) return undefined;
  known.set(checkout, found);
  return [...found.byPath.values()].flatMap(({ files }) => files.filter((path) => !entries.has(path)));
}

/** On disks of this machine, which have its clock: ext, xfs, btrfs, tmpfs, overlayfs, f2fs, zfs and bcachefs. */
const usualDisks = [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e];

const isUsualDisk = ({ root, gitDir }: Checkout): boolean =>
  process.platform === "linux" && [root, gitDir].every((folder) => usualDisks.includes(statfsSync(folder).type));

const timesOf = (file: BigIntStats | undefined | "closed", now: bigint): string =>
  file === "closed" ? young : (settledIdentity(file, now) ?? young);

interface Present {
  readonly entries: LargeIndex;
  /** The disk's time, before anything is looked at. */
  readonly now: bigint;
}

/** More untracked files than this are another matter: see write-file.ts. */
const mostFiles = 2000;
/** So many folders at once: all else waits that long. */
const batch = 1000;

class Walk {
  readonly #checkout: Checkout;
  readonly #before: Folders;
  readonly #present: Present;
  /** Folders of files that are tracked no more. */
  readonly #left: ReadonlySet<BytePath>;
  readonly #tracked: Pick<ReadonlySet<BytePath>, "has">;
  #device: bigint | undefined;

  constructor(checkout: Checkout, before: Folders, present: Present) {
    this.#checkout = checkout;
    this.#before = before;
    this.#present = present;
    const lost = before.entries === present.entries ? [] : lostPaths(before.entries.keys(), present.entries.keys());
    this.#left = new Set(lost.map((path) => path.slice(0, Math.max(path.lastIndexOf("/"), 0))));
    this.#tracked = before.byPath.size === 0 ? new Set(present.entries.keys()) : present.entries;
  }

  /** Undefined where other rules are found than before, or what only git can judge. */
  async folders(): Promise<Folders | undefined> {
    const byPath = new Map<BytePath, SeenFolder>();
    let count = 0;
    for (let level: readonly BytePath[] = [""]; level.length > 0; ) {
      const found: SeenFolder[] = [];
      for (const path of level) {
        const folder = this.#look(path);
        if (folder === undefined) return undefined;
        found.push(folder);
        if (++count % batch === 0) await others();
      }
      const sorted = await this.#withoutIgnored(found);
      if (sorted === undefined) return undefined;
      for (const folder of sorted) byPath.set(folder.path, folder);
      level = sorted.flatMap(({ folders }) => folders);
    }
    const files = [...byPath.values()].reduce((sum, folder) => sum + folder.files.length, 0);
    return files > mostFiles ? undefined : { ...this.#before, entries: this.#present.entries, byPath };
  }

  /** As it was seen before, or with all that is in it now. */
  #look(path: BytePath): SeenFolder | undefined {
    const { root } = this.#checkout;
    const file = statIfOpen(onDisk(root, path));
    if (file === undefined || file === "closed" || !file.isDirectory()) return undefined;
    this.#device ??= file.dev;
    if (file.dev !== this.#device) return undefined;
    const before = this.#before.byPath.get(path);
    const times = timesOf(file, this.#present.now);
    const isSame = before?.times === times && times !== young && !this.#left.has(path);
    if (isSame && before.rules === "") return before;
    const rules = timesOf(statIfOpen(onDisk(root, inFolder(path, ".gitignore"))), this.#present.now);
    const areOther = rules === young || rules !== (before?.rules ?? "");
    if (areOther && this.#before.byPath.size > 0) return undefined;
    return isSame ? before : this.#read(path, { times, rules });
  }

  #read(path: BytePath, seen: Pick<SeenFolder, "times" | "rules">): SeenFolder | undefined {
    const names = namesIn(this.#checkout.root, path)?.filter(({ name }) => name !== ".git" || path !== "");
    // A repository in the repository, or something on the way to one.
    if (names === undefined || names.some(({ name }) => name === ".git")) return undefined;
    const pathsOf = (some: readonly Dirent[]): readonly BytePath[] => some.map(({ name }) => inFolder(path, name));
    const files = pathsOf(names.filter((name) => name.isFile() || name.isSymbolicLink()));
    return {
      path,
      ...seen,
      folders: pathsOf(names.filter((name) => name.isDirectory())),
      files: files.filter((file) => !this.#tracked.has(file)),
    };
  }

  async #withoutIgnored(folders: readonly SeenFolder[]): Promise<readonly SeenFolder[] | undefined> {
    const { byPath, reader } = this.#before;
    const read = new Set(folders.filter((folder) => byPath.get(folder.path) !== folder));
    const unknown = [...read].flatMap(({ folders, files }) => [
      ...folders.filter((each) => !byPath.has(each)),
      ...files,
    ]);
    const ignored = await ignoredAmong(this.#checkout, reader, unknown);
    if (ignored === undefined) return undefined;
    const isSeen = (path: BytePath): boolean => !ignored.has(path);
    return folders.map((each) =>
      read.has(each) ? { ...each, folders: each.folders.filter(isSeen), files: each.files.filter(isSeen) } : each,
    );
  }
}

/** Both are in one order. */
function lostPaths(before: readonly BytePath[], now: readonly BytePath[]): readonly BytePath[] {
  let at = 0;
  return before.filter((path) => {
    while ((now[at] ?? path) < path) at++;
    return now[at] !== path;
  });
}

const inFolder = (folder: BytePath, name: BytePath): BytePath => (folder === "" ? name : `${folder}/${name}`);

function namesIn(root: string, folder: BytePath): readonly Dirent[] | undefined {
  try {
    return readdirSync(onDisk(root, folder), { withFileTypes: true, encoding: "latin1" });
  } catch {
    // It is gone meanwhile, or may not be read: git says which.
    return undefined;
  }
}
