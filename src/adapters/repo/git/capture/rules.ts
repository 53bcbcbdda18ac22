// What decides which files git ignores and what it makes of their bytes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withoutWaiting } from "../../../files/present.ts";
import type { Checkout } from "../place/checkout.ts";
import { type GitSettings, namedFiles, settingsOf, usualFiles } from "../place/settings.ts";
import { type BytePath, onDisk } from "../process/paths.ts";
import { tryGit } from "../process/run.ts";
import { askStanding } from "../process/standing.ts";

export interface Rules {
  /** Folders that are ignored, without what is in them. */
  readonly ignored: ReadonlySet<BytePath>;
  /** As `ruleFiles` has them. */
  readonly files: readonly string[];
  readonly settings: GitSettings;
}

/** Undefined when git does not say. */
export async function askRules(checkout: Checkout): Promise<Rules | undefined> {
  const [ignored, settings] = await Promise.all([askIgnored(checkout), settingsOf(checkout)]);
  if (ignored === undefined || settings === undefined) return undefined;
  return { ignored: new Set(ignored), files: ruleFiles(checkout, settings), settings };
}

/** The files that decide what git ignores and what it makes of bytes, but for those in the tree. */
export function ruleFiles(checkout: Checkout, settings: GitSettings): readonly string[] {
  const { commonDir, gitDir } = checkout;
  const sparse = [commonDir, gitDir].map((folder) => join(folder, "info/sparse-checkout"));
  const inside = [join(commonDir, "info/exclude"), ...sparse];
  const ignoring = [...inside, ...usualFiles("ignore"), ...namedFiles(checkout, settings, "excludes")];
  const files = new Set([...settings.files, ...attributeFiles(checkout, settings), ...ignoring]);
  return [...files].sort();
}

/** Folders that a rule ignores. git lists as well those whose files are ignored one by one: a new file in such a folder need not be. */
export async function askIgnored({ root }: Checkout): Promise<readonly BytePath[] | undefined> {
  const listed = await tryGit(root, ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"]);
  if (listed.code !== 0) return undefined;
  const folders = listed.out.split("\0").filter((path) => path.endsWith("/"));
  if (folders.length === 0) return [];
  const input = folders.map((path) => `${path}\0`).join("");
  const { code, out } = await tryGit(root, ["check-ignore", "--no-index", "-z", "--stdin"], { input });
  return code === 0 || code === 1
    ? out.split("\0").flatMap((path) => (path === "" ? [] : [path.slice(0, -1)]))
    : undefined;
}

/**
 * By rules alone: of what is in the index as well. A git that stays reads rules once, so where they are other ones, `rules` names another git.
 * Undefined when it does not say.
 */
export async function ignoredAmong(
  { root }: Checkout,
  rules: string,
  paths: readonly BytePath[],
): Promise<ReadonlySet<BytePath> | undefined> {
  const place = [`--work-tree=${root}`, "-c", `superteam.rules=${rules}`];
  const args = [...place, "check-ignore", "--no-index", "--verbose", "--non-matching", "--stdin", "-z"];
  const ignored = new Set<BytePath>();
  for (let at = 0; at < paths.length; at += batch) {
    const some = paths.slice(at, at + batch);
    // More than a name.
    if (some.some((path) => path.startsWith(":"))) return undefined;
    const input = [...some, lastAsked].map((path) => `${path}\0`).join("");
    const answer = await askStanding(root, { args, input, end: `\0${lastAsked}\0` });
    // Which file says it, where, in which words, and of what.
    const fields = answer?.split("\0");
    if (fields?.length !== some.length * 4 + 3) return undefined;
    for (const [nth, path] of some.entries()) {
      const [pattern = "", about] = fields.slice(nth * 4 + 2);
      if (about !== path) return undefined;
      if (pattern !== "" && !pattern.startsWith("!")) ignored.add(path);
    }
  }
  return ignored;
}

const batch = 1000;
/** No file's name, and no rule. */
const lastAsked = "superteam/was/asked/no/more";

const attributeFiles = (checkout: Checkout, settings: GitSettings): readonly string[] => [
  join(checkout.commonDir, "info/attributes"),
  ...usualFiles("attributes"),
  ...namedFiles(checkout, settings, "attributes"),
];

export const isAttributes = (path: string): boolean => /(?:^|\/)\.gitattributes$/.test(path);

/** How git stores a file: every byte of it, all but the ends of its lines, or maybe in another form. */
export type StoredForm = "raw" | "lines" | "other";

/** `inTree`: the attributes that the tree has. */
export function storedForm(checkout: Checkout, settings: GitSettings, inTree: readonly BytePath[]): StoredForm {
  if (settings.values.some((value) => odd.test(value))) return "other";
  const files = [...attributeFiles(checkout, settings), ...inTree.map((path) => onDisk(checkout.root, path))];
  const texts = files.map(textOf);
  if (texts.some((text) => /filter|ident|encoding|\[attr/.test(text))) return "other";
  const mayBeOthers =
    texts.some((text) => /text|eol|crlf/.test(text)) || settings.values.some((value) => converting.test(value));
  return mayBeOthers ? "lines" : "raw";
}

/** With these the disk does not say what git makes of a file, or not all files are there. */
const odd =
  /^core\.(?:worktree\n|(?:filemode|symlinks)\n(?!(?:true|yes|on|1)$)|(?:ignorecase|precomposeunicode|sparsecheckout)(?:$|\n(?!(?:false|no|off|0)$)))/i;

const converting = /^core\.autocrlf(?:$|\n(?!(?:false|no|off|0)$))/i;

function textOf(file: string | Buffer): string {
  try {
    return readFileSync(file, { encoding: "latin1", flag: withoutWaiting });
  } catch {
    // A file of rules that is not there has none.
    return "";
  }
}
