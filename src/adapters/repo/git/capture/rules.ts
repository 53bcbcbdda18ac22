// What decides which files git ignores and what it makes of their bytes, as git itself says.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { withoutWaiting } from "../../../files/present.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, onDisk, toText } from "../process/paths.ts";
import { tryGit } from "../process/run.ts";

export interface Rules {
  /** Folders that are ignored, without what is in them. */
  readonly ignored: ReadonlySet<BytePath>;
  /** The files that decide it, but for those in the tree. */
  readonly files: readonly string[];
  /** Those of them that say what git makes of a file's bytes. */
  readonly attributes: readonly string[];
  /** `<key>\n<value>` of each setting. */
  readonly settings: readonly string[];
}

/** Undefined when git does not say. */
export async function askRules(checkout: Checkout): Promise<Rules | undefined> {
  const [ignored, known] = await Promise.all([askIgnored(checkout), askFiles(checkout)]);
  return ignored && known && { ignored: new Set(ignored), ...known };
}

export async function askIgnored({ root }: Checkout): Promise<readonly BytePath[] | undefined> {
  const args = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"];
  const { code, out } = await tryGit(root, args);
  return code === 0 ? out.split("\0").flatMap((path) => (path.endsWith("/") ? [path.slice(0, -1)] : [])) : undefined;
}

async function askFiles({ root, commonDir, gitDir }: Checkout): Promise<Omit<Rules, "ignored"> | undefined> {
  const { code, out } = await tryGit(root, ["config", "-z", "--list", "--show-origin", "--includes"]);
  if (code !== 0) return undefined;
  const fields = toText(out).split("\0");
  const origins = fields.flatMap((field) => (field.startsWith("file:") ? [resolve(root, field.slice(5))] : []));
  const attributes = [join(commonDir, "info/attributes"), ...usual("attributes"), ...named(root, fields, "attributes")];
  const inside = ["info/exclude", "info/sparse-checkout", "config"].map((name) => join(commonDir, name));
  const linked = ["info/sparse-checkout", "config.worktree"].map((name) => join(gitDir, name));
  const ignoring = [...usual("ignore"), ...named(root, fields, "excludes")];
  const files = new Set([...inside, ...linked, ...attributes, ...ignoring, ...usual("config"), ...origins]);
  return { files: [...files].sort(), attributes, settings: fields.filter((_, at) => at % 2 === 1) };
}

/** Files that the configuration names. */
function named(root: string, fields: readonly string[], what: "attributes" | "excludes"): readonly string[] {
  const setting = new RegExp(`^core\\.${what}file\\n(.+)$`, "is");
  const files = fields.flatMap((field) => setting.exec(field)?.[1] ?? []);
  return files.map((file) => resolve(root, file.replace(/^~(?=\/)/, homedir())));
}

/** Where git looks for them outside the repository, whether they are there or not. */
function usual(what: "attributes" | "config" | "ignore"): readonly string[] {
  const home = process.env["HOME"] ?? homedir();
  const own = join(process.env["XDG_CONFIG_HOME"] || join(home, ".config"), "git", what);
  if (what === "ignore") return [own];
  const ofAll = `/etc/git${what}`;
  if (what === "attributes") return [own, ofAll];
  const chosen = [process.env["GIT_CONFIG_GLOBAL"], process.env["GIT_CONFIG_SYSTEM"]];
  return [own, ofAll, join(home, ".gitconfig"), ...chosen.filter((file) => file !== undefined)];
}

export const isAttributes = (path: string): boolean => /(?:^|\/)\.gitattributes$/.test(path);

/** Whether git keeps what is in a file as it is, but for the ends of its lines. `inTree`: the attributes that the tree has. */
export function keepsBytes({ root }: Checkout, { attributes, settings }: Rules, inTree: readonly BytePath[]): boolean {
  if (settings.some((setting) => odd.test(setting))) return false;
  const texts = [...attributes, ...inTree.map((path) => onDisk(root, path))].map(textOf);
  return !texts.some((text) => /filter|ident|encoding|\[attr/.test(text));
}

/** With these the disk does not say what git makes of a file, or not all files are there. */
const odd =
  /^core\.(?:worktree\n|(?:filemode|symlinks)\n(?!true$|yes$|on$|1$)|(?:ignorecase|precomposeunicode|sparsecheckout)(?:$|\n(?!false$|no$|off$|0$)))/i;

function textOf(file: string | Buffer): string {
  try {
    return readFileSync(file, { encoding: "latin1", flag: withoutWaiting });
  } catch {
    // A file of rules that is not there has none.
    return "";
  }
}
