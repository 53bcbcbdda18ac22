// git's settings as they hold for a checkout. git is asked again when a file that they are in is another one.

import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { diskNow, identity, settledNs } from "../capture/file-identity.ts";
import { quietGit } from "../process/environment.ts";
import { toText } from "../process/paths.ts";
import { tryGit } from "../process/run.ts";
import type { WorkingTree } from "./locate.ts";

export interface GitSettings {
  /** `<key>\n<value>` of each; the value may be missing. */
  readonly values: readonly string[];
  /** Where they are, and where some could be. */
  readonly files: readonly string[];
  /** Those from files outside git's own folder: `<file>\n<key>\n<value>` of each. */
  readonly outside: readonly string[];
}

interface Known extends GitSettings {
  readonly identity: string;
}

const known = new WeakMap<WorkingTree, Known>();

/** Undefined when git does not say. */
export async function settingsOf(place: WorkingTree): Promise<GitSettings | undefined> {
  const before = known.get(place);
  if (before !== undefined && identityOf(before.files).content === before.identity) return before;
  known.delete(place);
  const settings = await ask(place);
  if (settings === undefined) return undefined;
  const { content, settledNs: settled } = identityOf(settings.files);
  // A condition may depend on the branch.
  const isConditional = settings.values.some((value) => /^include/i.test(value));
  if (!isConditional && diskNow(place) > settled) known.set(place, { ...settings, identity: content });
  return settings;
}

function identityOf(files: readonly string[]): { readonly content: string; readonly settledNs: bigint } {
  const seen = files.map((file) => lstatSync(file, { bigint: true, throwIfNoEntry: false }));
  const times = seen.map(settledNs);
  return {
    content: seen.map(identity).join("\0"),
    settledNs: times.reduce((max, time) => (time > max ? time : max), 0n),
  };
}

async function ask({ root, commonDir, gitDir }: WorkingTree): Promise<GitSettings | undefined> {
  const { code, out } = await tryGit(root, ["config", "-z", "--list", "--show-origin", "--includes"]);
  if (code !== 0) return undefined;
  const fields = toText(out).split("\0");
  const origins = fields.flatMap((field) => (field.startsWith("file:") ? [resolve(root, field.slice(5))] : []));
  const own = [join(commonDir, "config"), join(gitDir, "config.worktree")];
  const chosen = [process.env["GIT_CONFIG_GLOBAL"], process.env["GIT_CONFIG_SYSTEM"]];
  const usual = [...usualFiles("config"), join(home(), ".gitconfig"), ...chosen.filter((file) => file !== undefined)];
  const values = fields.filter((value, at) => at % 2 === 1 && !(fields[at - 1] === said && ours.has(value)));
  const outside = fields.flatMap((field, at) => {
    const file = field.startsWith("file:") ? resolve(root, field.slice(5)) : undefined;
    return at % 2 === 1 || file === undefined || own.includes(file) ? [] : [`${file}\n${fields[at + 1]}`];
  });
  return { values, files: [...new Set([...origins, ...own, ...usual])].sort(), outside };
}

/** Where a setting comes from that was given with the command, or in the environment. */
const said = "command line:";
const ours = new Set(quietGit.map((word) => word.replace(/^[^=]+/, (key) => key.toLowerCase()).replace("=", "\n")));

const home = (): string => process.env["HOME"] ?? homedir();

/** Where git looks outside the repository, whether there is one or not. */
export function usualFiles(what: "attributes" | "config" | "ignore"): readonly string[] {
  const own = join(process.env["XDG_CONFIG_HOME"] || join(home(), ".config"), "git", what);
  return what === "ignore" ? [own] : [own, `/etc/git${what}`];
}

/** Files that the settings name. */
export function namedFiles(
  { root }: WorkingTree,
  { values }: GitSettings,
  what: "attributes" | "excludes",
): readonly string[] {
  const setting = new RegExp(`^core\\.${what}file\\n(.+)$`, "is");
  const files = values.flatMap((value) => setting.exec(value)?.[1] ?? []);
  return files.map((file) => resolve(root, file.replace(/^~(?=\/)/, home())));
}
