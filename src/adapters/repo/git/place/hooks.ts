// Where git looks for hooks, if not in its own folder, and the hooks there. git ignores them, as husky's, or they are outside the tree, so
// no tree has them: they are compared and restored as git's own files are (E3b). Hooks that a tree has are files like any.

import { readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { toBytes, toText } from "../process/paths.ts";
import { tryGit } from "../process/run.ts";
import { isMovedAway, readFiles, type SavedFiles } from "./git-files.ts";
import type { WorkingTree } from "./locate.ts";
import { settingsOf } from "./settings.ts";

/** As they are now; or, to be compared with `before`, what is in the folder that they were in then. */
export async function readHooks(place: WorkingTree, before?: SavedFiles): Promise<SavedFiles> {
  const known = Object.keys(before ?? {}).filter(isAbsolute);
  // The folder has the shortest name of all. It is there so that one without a hook is known, too.
  const [folder] =
    before === undefined ? await hooksFolder(place) : known.toSorted((one, other) => one.length - other.length);
  if (folder === undefined) return {};
  const found = hooksIn(folder).filter((path) => !known.includes(path));
  const untracked = await notOfTree(place, folder, found);
  const ofTree = before === undefined ? found.filter((path) => !untracked.has(path)) : known.filter(isOfTree(before));
  const own = [folder, ...known, ...untracked].filter((path) => !ofTree.includes(path));
  return { ...readFiles(place.commonDir, [...new Set(own)]), ...Object.fromEntries(ofTree.map((path) => [path, {}])) };
}

/** Such a file is known only by its name. */
const isOfTree =
  (files: SavedFiles) =>
  (path: string): boolean =>
    JSON.stringify(files[path]) === "{}";

/** Undefined where git uses its own. What is a link is followed once: hooks are put back where they were. */
async function hooksFolder(place: WorkingTree): Promise<readonly string[]> {
  const path = await hooksPath(place);
  if (path === undefined) return [];
  const said = resolve(place.root, path.replace(/^~(?=\/|$)/, process.env["HOME"] ?? homedir()));
  const folder = realPath(said);
  return folder === realPath(join(place.commonDir, "hooks")) ? [] : [folder];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is not there yet.
    return path;
  }
}

/** More are no folder of hooks: then only those count that git itself runs. */
const mostFiles = 100;
const runByGit =
  /^(?:(?:pre|post|commit|prepare|applypatch|sendemail|fsmonitor|push|reference|proc|p4)-[a-z-]+|update)$/;

function hooksIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    const used = names.filter((name) => !name.endsWith(".sample") && !isMovedAway(name)).sort();
    const some = used.length > mostFiles ? used.filter((name) => runByGit.test(name)) : used;
    return some.map((name) => join(folder, name));
  } catch {
    // No folder, no hook. One that may not be read git sees no more of.
    return [];
  }
}

async function notOfTree(
  { root, commonDir }: WorkingTree,
  folder: string,
  files: readonly string[],
): Promise<ReadonlySet<string>> {
  if (files.length === 0 || !isBelow(folder, root) || isBelow(folder, commonDir)) return new Set(files);
  const input = files.map((file) => `${toBytes(relative(root, file))}\0`).join("");
  const { out } = await tryGit(root, ["check-ignore", "-z", "--stdin"], { input });
  return new Set(
    toText(out)
      .split("\0")
      .filter(Boolean)
      .map((path) => join(root, path)),
  );
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split("/")[0] !== "..";
}

/** As it is configured. */
async function hooksPath(place: WorkingTree): Promise<string | undefined> {
  const path = await configuredPath(place);
  const held = heldBack.get(place.commonDir);
  return held !== undefined && held.set === path ? held.use : path;
}

async function configuredPath(place: WorkingTree): Promise<string | undefined> {
  return pathIn((await settingsOf(place))?.values.filter(isHooksPath).at(-1));
}

interface HeldBack {
  /** What an agent or a check has set, outside the repository; undefined where it removed what was set. */
  readonly set: string | undefined;
  /** What is used as long as that is set. */
  readonly use: string | undefined;
}

/** By git's common folder. Until superteam is started again: then the person has read of it. */
const heldBack = new Map<string, HeldBack>();

/** What to tell git, if the folder that is configured is not to be used. */
export async function insteadOfConfigured(place: WorkingTree): Promise<readonly string[] | undefined> {
  const held = heldBack.get(place.commonDir);
  if (held === undefined || held.set !== (await configuredPath(place))) return undefined;
  return ["-c", `core.hooksPath=${held.use ?? join(place.commonDir, "hooks")}`];
}

/** Settings outside the repository. They are the person's, for all that they do: nothing is put back there. */
export async function readOutside(place: WorkingTree): Promise<readonly string[] | undefined> {
  return (await settingsOf(place))?.outside;
}

/** Which of them differ, as `<key> (<file>)`. Of another folder of hooks there this process makes no use from now on. */
export async function changedOutside(
  place: WorkingTree,
  before: readonly string[] | undefined,
): Promise<readonly string[]> {
  const settings = await settingsOf(place);
  if (before === undefined || settings === undefined) return [];
  const now = settings.outside;
  const changed = [...before.filter((each) => !now.includes(each)), ...now.filter((each) => !before.includes(each))];
  const isOverridden = settings.values.filter(isHooksPath).length > now.filter(isHooksPath).length;
  if (!isOverridden) holdBack(place, before.filter(isHooksPath).at(-1), now.filter(isHooksPath).at(-1));
  return [...new Set(changed.map(nameOf))];
}

function holdBack({ commonDir }: WorkingTree, before: string | undefined, now: string | undefined): void {
  const [was, set] = [pathIn(before), pathIn(now)];
  if (was === set) return;
  const held = heldBack.get(commonDir);
  heldBack.set(commonDir, { set, use: held !== undefined && held.set === was ? held.use : was });
}

const isHooksPath = (setting: string): boolean => /^(?:.*\n)?core\.hookspath\n./i.test(setting);
const pathIn = (setting: string | undefined): string | undefined => setting?.slice(setting.lastIndexOf("\n") + 1);

function nameOf(setting: string): string {
  const [file, key] = setting.split("\n");
  return `${key} (${file})`;
}
