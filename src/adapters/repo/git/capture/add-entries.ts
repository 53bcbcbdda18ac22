// Makes entries of an index equal to the files on disk. Rules in `.gitattributes` may have git refuse a file, such as one that is not in the
// encoding they name: then it stores none of them. Such a file is stored as it is, so that nothing is lost (E3) and no rule of an agent's
// stops a run (E11). It enters no commit.

import { lstat } from "node:fs/promises";
import { type BytePath, onDisk } from "../process/paths.ts";
import { type GitAnswer, GitFailed, git, tryGit } from "../process/run.ts";

export interface Added {
  /** git took all of them, without a word. */
  readonly isComplete: boolean;
  /** Files that git refuses to store by its rules. */
  readonly refused: readonly BytePath[];
}

export async function addEntries(root: string, index: string | undefined, paths: readonly BytePath[]): Promise<Added> {
  const adding = new Adding(root, index);
  await adding.add(paths);
  if (adding.refused.length > 0) await storeAsTheyAre(root, index, adding.refused);
  return { isComplete: adding.isComplete, refused: adding.refused };
}

/** Takes entries out of an index, whatever is on disk. */
export async function removeEntries(
  root: string,
  index: string | undefined,
  paths: readonly BytePath[],
): Promise<void> {
  const answer = await updateIndex(root, index, { how: removing, paths });
  if (answer.code !== 0) throw new GitFailed(["update-index"], answer);
}

/** To find the refused ones among many. Those not found by then are stored as they are with them. */
const mostTries = 200;

class Adding {
  readonly refused: BytePath[] = [];
  isComplete = true;
  readonly #root: string;
  readonly #index: string | undefined;
  #tries = 0;

  constructor(root: string, index: string | undefined) {
    this.#root = root;
    this.#index = index;
  }

  /** git stops at the first that it refuses, and has changed nothing then. */
  async add(paths: readonly BytePath[]): Promise<void> {
    if (this.#tries++ >= mostTries) return void this.refused.push(...paths);
    const answer = await updateIndex(this.#root, this.#index, { how: adding, paths });
    if (answer.code === 0) {
      this.isComplete &&= answer.said === "";
      return;
    }
    if (!isByRules(answer)) throw new GitFailed(["update-index"], answer);
    const half = Math.ceil(paths.length / 2);
    if (paths.length === 1) this.refused.push(...paths);
    else for (const some of [paths.slice(0, half), paths.slice(half)]) await this.add(some);
  }
}

const adding = ["--add", "--remove", "--replace"];
const removing = ["--force-remove"];

async function updateIndex(
  root: string,
  index: string | undefined,
  { how, paths }: { readonly how: readonly string[]; readonly paths: readonly BytePath[] },
): Promise<GitAnswer> {
  if (paths.length === 0) return { code: 0, out: "", said: "", cut: false };
  const options = { input: paths.map((path) => `${path}\0`).join(""), ...inIndex(index) };
  return await tryGit(root, ["update-index", ...how, "-z", "--stdin"], options);
}

const inIndex = (index: string | undefined) => (index === undefined ? {} : { index });

/** An encoding or a filter. Whatever else goes wrong is not about the file. */
const isByRules = ({ said }: GitAnswer): boolean =>
  /failed to encode '|BOM is (?:prohibited|required) in '|clean filter '[^\n]*' failed/.test(said);

async function storeAsTheyAre(root: string, index: string | undefined, paths: readonly BytePath[]): Promise<void> {
  const seen = await Promise.all(paths.map((path) => lstat(onDisk(root, path)).catch(() => undefined)));
  const files = paths.flatMap((path, at) => (seen[at]?.isFile() ? [{ path, mode: modeOf(seen[at].mode) }] : []));
  const input = files.map(({ path }) => `${inQuotes(path)}\n`).join("");
  const hashes = (await git(root, ["hash-object", "-w", "--no-filters", "--stdin-paths"], { input })).split("\n");
  const entries = files.map(({ path, mode }, at) => `${mode} ${hashes[at]} 0\t${path}\0`).join("");
  await git(root, ["update-index", "--replace", "-z", "--index-info"], { input: entries, ...inIndex(index) });
}

const modeOf = (mode: number): string => ((mode & 0o100) === 0 ? "100644" : "100755");

/** As git has names in a list with a line for each. */
const inQuotes = (path: BytePath): string =>
  /^"|\n/.test(path) ? `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"` : path;
