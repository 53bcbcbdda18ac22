// Writes a commit as `git commit-tree` would, to the byte, by a git that stays. What git does to a text on the way, or who the person is
// where nothing says so, is left to it.

import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Checkout } from "../place/checkout.ts";
import type { GitSettings } from "../place/settings.ts";
import { toBytes } from "../process/paths.ts";
import { tryGit } from "../process/run.ts";
import { askStanding } from "../process/standing.ts";
import { onlyConfigured } from "./refusal.ts";

export interface CommitText {
  readonly tree: string;
  readonly parent: string;
  /** Bytes. */
  readonly message: string;
}

/** Undefined where git has to be asked in another way. */
export async function writeCommit(
  checkout: Checkout,
  settings: GitSettings,
  { tree, parent, message }: CommitText,
): Promise<string | undefined> {
  const who = await whoOf(checkout, settings);
  if (who === undefined || message.includes("\0") || !isUtf8(message)) return undefined;
  const at = dated(new Date());
  const head = `tree ${tree}\nparent ${parent}\nauthor ${who.author} ${at}\ncommitter ${who.committer} ${at}\n`;
  return await store(checkout, Buffer.from(`${head}\n${message}`, "latin1"), tree.length);
}

interface Who {
  /** Bytes. */
  readonly author: string;
  readonly committer: string;
}

/** While the settings are the same ones, so is the person. */
const known = new WeakMap<GitSettings, Promise<Who | undefined>>();

function whoOf({ root }: Checkout, settings: GitSettings): Promise<Who | undefined> {
  const asked = known.get(settings) ?? askWho(root);
  known.set(settings, asked);
  return asked;
}

async function askWho(root: string): Promise<Who | undefined> {
  const [author, committer] = await Promise.all([askIdentity(root, "AUTHOR"), askIdentity(root, "COMMITTER")]);
  return author === undefined || committer === undefined ? undefined : { author, committer };
}

/** `Name <address>`, as git has tidied it. */
async function askIdentity(root: string, which: "AUTHOR" | "COMMITTER"): Promise<string | undefined> {
  const { code, out } = await tryGit(root, [...onlyConfigured, "var", `GIT_${which}_IDENT`]);
  return code === 0 ? /^(.*>) \d+ [+-]\d{4}\n$/.exec(out)?.[1] : undefined;
}

const isUtf8 = (bytes: string): boolean => {
  const text = Buffer.from(bytes, "latin1");
  return Buffer.from(text.toString("utf8"), "utf8").equals(text);
};

/** Seconds, and how far the clock on the wall is ahead, as git has them. */
export function dated(now: Date): string {
  const ahead = -now.getTimezoneOffset();
  const [hours, minutes] = [Math.trunc(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  const zone = [hours, minutes].map((part) => String(part).padStart(2, "0")).join("");
  return `${Math.floor(now.getTime() / 1000)} ${ahead < 0 ? "-" : "+"}${zone}`;
}

/** git reads it from a file, and says what it has stored. */
async function store({ root, gitDir }: Checkout, bytes: Buffer, hashLength: number): Promise<string | undefined> {
  const folder = join(gitDir, "superteam");
  const file = join(folder, `commit-${randomUUID()}`);
  if (file.includes("\n")) return undefined;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, bytes);
    const args = ["hash-object", "-t", "commit", "-w", "--no-filters", "--stdin-paths"];
    const hash = await askStanding(root, { args, input: `${toBytes(file)}\n`, end: "\n" });
    return hash === hashOf(bytes, hashLength) ? hash : undefined;
  } catch {
    // There is no room for it, and git says so itself.
    return undefined;
  } finally {
    rmSync(file, { force: true });
  }
}

function hashOf(bytes: Buffer, length: number): string {
  const hash = createHash(length === 64 ? "sha256" : "sha1");
  return hash.update(`commit ${bytes.length}\0`).update(bytes).digest("hex");
}
