// Trees and commits as objects: comparing them, and making one from another.

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { FileLines } from "../../../../core/flow/repository.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, toText, toWords } from "../process/paths.ts";
import { GitFailed, git, tryGit } from "../process/run.ts";
import { askStanding } from "../process/standing.ts";
import { editTree } from "./edit-tree.ts";
import { withIndexOf } from "./index-file.ts";

/** One path that differs between two trees. */
export interface Difference {
  readonly path: BytePath;
  readonly change: "added" | "modified" | "deleted";
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldHash: string;
  readonly newHash: string;
}

export const repositoryMode = "160000";

/** A renamed file is one deleted and one added. */
export async function diffTrees(root: string, from: string, to: string): Promise<readonly Difference[]> {
  if (from === to) return [];
  const fields = (await ofObjects([root, "paths"], [from, to], () => difference(root, from, to, "--raw"))).split("\0");
  const found: Difference[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", oldHash = "", newHash = "", letter = ""] = (fields[at] ?? "")
      .slice(1)
      .split(" ");
    const change = letter === "A" ? "added" : letter === "D" ? "deleted" : "modified";
    found.push({ path: fields[at + 1] ?? "", change, oldMode, newMode, oldHash, newHash });
  }
  return found;
}

/** Lines by file. Git counts none in what it takes for binary. */
export async function countLines(root: string, from: string, to: string): Promise<readonly FileLines[]> {
  if (from === to) return [];
  const records = (await ofObjects([root, "lines"], [from, to], () => difference(root, from, to, "--numstat"))).split(
    "\0",
  );
  return records.flatMap((record) => {
    const [, added, removed, path = ""] = /^(\d+)\t(\d+)\t([\s\S]+)$/.exec(record) ?? [];
    return path === "" ? [] : [{ file: toText(path), added: Number(added), removed: Number(removed) }];
  });
}

/** What differs, as git has it: which paths, or how many lines of each. */
async function difference(root: string, from: string, to: string, what: "--raw" | "--numstat"): Promise<string> {
  const how = ["diff-tree", "-r", "-z", what, "--no-renames"];
  const pair = await Promise.all([treeOf(root, from), treeOf(root, to)]);
  // Of two trees it first says which they are; what is no hash it says again.
  const [head, end] = [`${pair.join(" ")}\n`, "superteam-end\n"];
  const answer = await askStanding(root, { args: [...how, "--stdin"], input: `${head}${end}`, end });
  return answer?.startsWith(head) ? answer.slice(head.length) : await git(root, [...how, from, to]);
}

/** Whether lines differ in their spaces alone. An end without a line break is no other line. */
export async function isOnlySpace(root: string, from: string, to: string): Promise<boolean> {
  const how = ["--numstat", "-w", "--no-renames", "--no-ext-diff", "--no-textconv"];
  return (await git(root, ["diff-tree", "-r", ...how, from, to])) === "";
}

const longestPatch = 200 * 1024;
/** More than this is read from a git of its own, which is ended when it has said too much. */
const mostLines = 2000;

/**
 * The difference as a patch for people and agents; what is too long is cut at a line, and the last line says so. It is made away from
 * the tree and its index: what attributes call binary would be hidden from reviewers, and agents can write such files. A newer git would
 * read those of the last commit (GIT_ATTR_SOURCE).
 */
export async function patchOf(
  { root, gitDir }: Checkout,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string> {
  const how = ["-r", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
  const names = ["--src-prefix=a/", "--dst-prefix=b/"];
  const command = ["-c", "core.attributesFile=/dev/null", "--bare", "diff-tree", ...how, ...names];
  const environment = { GIT_ATTR_SOURCE: emptyTree(to) };
  return ofObjects([root, "patch"], [from, to], async () => {
    const lines = await countLines(root, from, to);
    const isShort = lines.reduce((sum, { added, removed }) => sum + added + removed, 0) <= mostLines;
    const known = isShort ? await askPatch(root, command, { from, to, environment }) : undefined;
    if (known !== undefined) return shortened(known, known.length > longestPatch);
    // Nobody can have put an index in its place before.
    const index = join(gitDir, "superteam", `no-index-${randomUUID()}`);
    const away = { environment: { ...environment, GIT_DIR: gitDir }, index, limit: longestPatch };
    const answer = await tryGit("/", [...command, from, to], away);
    // A reviewer would be shown too little, and would not know.
    if (answer.code !== 0 && !answer.cut) throw new GitFailed([...command.slice(command.indexOf("diff-tree"))], answer);
    return shortened(answer.out, answer.cut);
  });
}

/** A place where nobody can ever put one. */
const noIndex = process.platform === "linux" ? "/proc/superteam-has-no-index" : undefined;

async function askPatch(
  root: string,
  command: readonly string[],
  {
    from,
    to,
    environment,
  }: { readonly from: string; readonly to: string; readonly environment: Record<string, string> },
): Promise<string | undefined> {
  if (noIndex === undefined) return undefined;
  // Each line of a patch begins with a sign of its own; what is no hash it says again.
  const [head, end] = [`${from} ${to}\n`, "superteam-end\n"];
  const question = { args: [...command, "--stdin"], input: `${head}${end}`, end: `\n${end}` };
  const answer = await askStanding(root, { ...question, surroundings: { index: noIndex, environment } });
  return answer !== undefined && `${answer}\n`.startsWith(head) ? `${answer}\n`.slice(head.length) : undefined;
}

function shortened(patch: string, isCut: boolean): string {
  if (!isCut) return toWords(patch);
  const whole = patch.slice(0, longestPatch);
  const lines = whole.slice(0, whole.lastIndexOf("\n") + 1);
  return `${toWords(lines)}[cut here: the diff is longer than ${longestPatch / 1024} KB]\n`;
}

/** The one without entries, among trees whose names are as long. */
export const emptyTree = ({ length }: string): string =>
  length === 40
    ? "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    : "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

/** The tree of `base` with these differences applied to it. */
export async function applyDifferences(
  checkout: Checkout,
  base: string,
  differences: readonly Difference[],
): Promise<string> {
  const edits = differences.map(({ path, change, newMode, newHash }) => ({
    path,
    entry: change === "deleted" ? null : { mode: newMode, hash: newHash },
  }));
  const edited = await editTree(checkout.root, await treeOf(checkout.root, base), edits);
  return edited ?? (await applyInIndex(checkout, base, differences));
}

function applyInIndex(checkout: Checkout, base: string, differences: readonly Difference[]): Promise<string> {
  return withIndexOf(checkout, base, async (index) => {
    await putEntries(checkout.root, index, differences);
    return (await git(checkout.root, ["write-tree"], { index })).trim();
  });
}

/** Makes entries of an index what these differences lead to. */
export async function putEntries(
  root: string,
  index: string | undefined,
  differences: readonly Difference[],
): Promise<void> {
  if (differences.length === 0) return;
  // Deletions first: a folder may have become a file, or the other way round.
  const ordered = [...differences].sort((a, b) => Number(b.change === "deleted") - Number(a.change === "deleted"));
  const input = ordered.map(({ path, newMode, newHash }) => `${Number(newMode)} ${newHash}\t${path}\0`).join("");
  const options = index === undefined ? { input } : { input, index };
  await git(root, ["update-index", "--replace", "-z", "--index-info"], options);
}

/** Of a commit or a tree. */
export async function treeOf(root: string, object: string): Promise<string> {
  return ofObjects([root, "tree"], [object], async () => {
    const question = { args: whatIs, input: `${object}^{tree}\n`, end: "\n" };
    const [, tree] = /^([0-9a-f]{40,64}) tree$/.exec((await askStanding(root, question)) ?? "") ?? [];
    return tree ?? (await git(root, ["rev-parse", "--verify", `${object}^{tree}`])).trim();
  });
}

/** Of these objects, those that the repository does not have. */
export async function missingAmong(root: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const lines = names.length > few ? await askTogether(root, names) : await askEach(root, names);
  return new Set(names.filter((_, at) => lines[at]?.endsWith(" missing") ?? true));
}

/** More than these a git of their own answers faster. */
const few = 8;
const whatIs = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];

async function askTogether(root: string, names: readonly string[]): Promise<readonly string[]> {
  return (await git(root, whatIs, { input: names.map((name) => `${name}\n`).join("") })).split("\n");
}

async function askEach(root: string, names: readonly string[]): Promise<readonly string[]> {
  const ask = async (name: string): Promise<string> => {
    const answer = await askStanding(root, { args: whatIs, input: `${name}\n`, end: "\n" });
    return answer ?? (await askTogether(root, [name]))[0] ?? "";
  };
  return await Promise.all(names.map(ask));
}

const answers = new Map<string, string>();
const mostAnswers = 64;
const longestAnswer = 64 * 1024;

/** What is said of objects that are named by their hashes stays so: the last answers are kept. */
async function ofObjects(
  about: readonly string[],
  named: readonly string[],
  ask: () => Promise<string>,
): Promise<string> {
  const question = [...about, ...named].join("\0");
  const known = answers.get(question);
  if (known !== undefined) return known;
  const answer = await ask();
  if (!named.every((name) => /^[0-9a-f]{40,64}$/.test(name)) || answer.length > longestAnswer) return answer;
  const [oldest] = answers.keys();
  if (answers.size >= mostAnswers && oldest !== undefined) answers.delete(oldest);
  answers.set(question, answer);
  return answer;
}
