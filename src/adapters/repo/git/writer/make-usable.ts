// Makes git's own files ones that git can work with, at the end of an agent that broke them (E11). Without HEAD git finds no repository, with
// an index or a list of refs that it cannot read each of its commands fails, and it waits for a pipe in the place of a file until
// its time limit. So this looks before git is asked anything.

import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, rmSync, statSync } from "node:fs";
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { State } from "../../../../core/flow/repository.ts";
import { OutsideFailure } from "../../../../ports/failure.ts";
import { refuseReplaced } from "../../../files/git-identity.ts";
import { codeOf } from "../../../files/present.ts";
import { firstBytes } from "../../../files/small-file.ts";
import { type Checkout, packedRef, readText } from "../place/checkout.ts";
import { linkAt, moveAway } from "../place/git-files.ts";
import { toBytes, toText } from "../process/paths.ts";
import { git, tryGit } from "../process/run.ts";
import { missingAmong } from "../tree/trees.ts";
import { entriesIn } from "./around.ts";

/** All but the index: see `makeIndex`. Gives the names of the files that it recreated or removed, as git's own files are named. */
export async function makeUsable(checkout: Checkout, given: State): Promise<readonly string[]> {
  await refuseReplaced(checkout.identity);
  const { commonDir } = checkout;
  const pipes = removePipes(checkout);
  mkdirSync(join(commonDir, "refs/heads"), { recursive: true });
  const made = [
    ...(await makeLinked(checkout)),
    ...(await makePackedRefs(commonDir)),
    ...(await makeHead(checkout, given)),
  ];
  return [...new Set([...pipes, ...made])].sort();
}

/** Without what the agent was given nothing can be compared with it, nor put back. */
export async function refuseForgotten({ root }: Checkout, { tree }: State): Promise<void> {
  if ((await missingAmong(root, [tree])).size === 0) return;
  const what = `What superteam had saved of the files in ${root} is gone: the refs below refs/superteam/ were removed and git cleaned up, while the run was at work.`;
  const left = "The files are as they are, with all that the agent did. This run cannot be continued.";
  throw new OutsideFailure("disturbed", `${what}\n${left}\nLook at them (git status), then: superteam abort`);
}

/** In one go, as git's own files are read: there are few folders, and a thread that reads one takes longer to wake. */
function removePipes({ gitDir, commonDir }: Checkout): readonly string[] {
  const linked = gitDir === commonDir ? [] : pipesIn(commonDir, "");
  return [...pipesIn(gitDir, ""), ...linked, ...foldersRead.flatMap((folder) => pipesIn(commonDir, folder))];
}

/** Where git opens files by themselves. The other folders of objects are not looked through: there are too many. */
const foldersRead = ["refs", "logs", "info", "hooks", "objects/info", "objects/pack"];

/** Of git's own folder, given as an empty path, only what is directly in it. What lies behind a link is not git's. */
function pipesIn(gitDir: string, folder: string): readonly string[] {
  if (folder !== "" && isLink(join(gitDir, folder))) return [];
  return entriesIn(join(gitDir, folder)).flatMap((entry): readonly string[] => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return folder === "" ? [] : pipesIn(gitDir, path);
    const file = join(gitDir, path);
    if (!entry.isFIFO() && !(entry.isSymbolicLink() && leadsAstray(file, path))) return [];
    rmSync(file, { force: true });
    return [path];
  });
}

const isLink = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** To a pipe, a device or itself; below a kind of refs also to a folder, whose files git would all read. One that leads nowhere is a file that is missing. */
function leadsAstray(link: string, path: string): boolean {
  try {
    const seen = statSync(link);
    return seen.isDirectory() ? /^refs\/[^/]+\//.test(path) : !seen.isFile();
  } catch (cause) {
    return codeOf(cause) === "ELOOP";
  }
}

/** Says where the other folder of a linked worktree is. No other repository has one. */
async function makeLinked({ gitDir, commonDir }: Checkout): Promise<readonly string[]> {
  if (gitDir === commonDir) {
    const file = join(gitDir, "commondir");
    if ((await lstat(file).catch(() => undefined)) === undefined) return [];
    await moveAway(file);
    return ["commondir"];
  }
  if (readText(join(gitDir, "commondir")) !== "") return [];
  return await makeAnew(gitDir, "commondir", `${toBytes(commonDir)}\n`);
}

/** HEAD leads to a commit, if need be to the one it was at. A branch without commits, as after `git checkout --orphan`, has none. */
async function makeHead(checkout: Checkout, { sha, branch }: State): Promise<readonly string[]> {
  const { gitDir, commonDir } = checkout;
  // git follows no other link there, and finds no repository.
  const isOdd = linkAt(join(gitDir, "HEAD"))?.startsWith("refs/") === false;
  if (!isOdd && leadsToCommit(checkout, readText(join(gitDir, "HEAD")))) return [];
  const ref = branch === null ? undefined : `refs/heads/${toBytes(branch)}`;
  const head = await makeAnew(gitDir, "HEAD", ref === undefined ? `${sha}\n` : `ref: ${ref}\n`);
  if (ref === undefined || leadsToCommit(checkout, `ref: ${ref}\n`)) return head;
  await rm(join(commonDir, toText(ref)), { recursive: true, force: true });
  await mkdir(dirname(join(commonDir, toText(ref))), { recursive: true });
  return [...head, ...(await makeAnew(commonDir, toText(ref), `${sha}\n`))];
}

/** What HEAD or a ref holds. Where refs are in another format than files, nobody can tell. */
function leadsToCommit(checkout: Checkout, text: string, steps = 5): boolean {
  if (/^[0-9a-f]{40,64}\n/.test(text) || text.includes("refs/heads/.invalid")) return true;
  const [, ref] = /^ref: (refs\/.+)\n/.exec(text) ?? [];
  if (ref === undefined || steps === 0) return false;
  const loose = readText(join(checkout.commonDir, toText(ref)));
  if (loose === "") return packedRef(checkout, ref) !== undefined;
  return leadsToCommit(checkout, loose, steps - 1);
}

/** Lines that git understands stay; refs that are missing then are put back like any other. */
async function makePackedRefs(commonDir: string): Promise<readonly string[]> {
  const file = join(commonDir, "packed-refs");
  const [text, seen] = [readText(file), statSync(file, { throwIfNoEntry: false })];
  const lines = text.split("\n");
  const kept = lines.filter(
    (line) => line === "" || /^(?:# pack-refs|\^[0-9a-f]{40}|[0-9a-f]{40,64} refs\/)/.test(line),
  );
  // A folder, or more than can be read, has no text.
  const isRead = text !== "" || seen === undefined || (seen.isFile() && seen.size === 0);
  return isRead && kept.length === lines.length ? [] : await makeAnew(commonDir, "packed-refs", kept.join("\n"));
}

/** By git itself, which needs its configuration. `made`: what `makeUsable` gave. */
export async function makeIndex(
  { root, gitDir }: Checkout,
  { index }: State,
  made: readonly string[],
): Promise<readonly string[]> {
  const file = join(gitDir, "index");
  if (!made.includes("index") && (await isIndex(root, file))) return [];
  await moveAway(file);
  if (index !== undefined) await git(root, ["read-tree", index]);
  return made.includes("index") ? [] : ["index"];
}

/** An index that is not there is an empty one. git itself reads one that was cut, and takes what is missing for something else. */
async function isIndex(root: string, file: string): Promise<boolean> {
  const bytes = indexBytes(file);
  if (bytes === undefined) return false;
  if (bytes.length === 0) return true;
  const isWhole = bytes.toString("latin1", 0, 4) === "DIRC" && endsWithHash(bytes);
  // It may be half of one: git knows where the other is.
  return isWhole && (!bytes.includes("link") || (await tryGit(root, ["ls-files", "-s", "--", ".git"])).code === 0);
}

/** None where there is no file; undefined where there is something else. */
function indexBytes(file: string): Buffer | undefined {
  try {
    return statSync(file).size === 0 ? undefined : firstBytes(file, Number.POSITIVE_INFINITY);
  } catch (cause) {
    return codeOf(cause) === "ENOENT" ? Buffer.alloc(0) : undefined;
  }
}

/** Of all that is before it, in the repository's own format, or nothing but zeros where git is not to compute it. */
function endsWithHash(bytes: Buffer): boolean {
  const kinds = [["sha1", 20] as const, ["sha256", 32] as const];
  return kinds.some(([kind, length]) => {
    const end = bytes.subarray(-length);
    return end.equals(createHash(kind).update(bytes.subarray(0, -length)).digest()) || end.equals(Buffer.alloc(length));
  });
}

async function makeAnew(folder: string, name: string, bytes: string): Promise<readonly string[]> {
  await moveAway(join(folder, name));
  await writeFile(join(folder, name), bytes, "latin1");
  return [name];
}
