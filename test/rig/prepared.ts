// Repositories that many tests begin with, made once in a process and copied for each: to make one takes git four processes.

import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface FirstCommit {
  readonly files: Readonly<Record<string, string>>;
  readonly subject: string;
  readonly person: { readonly name: string; readonly email: string };
}

/** Makes this folder a repository with one commit on the branch `main`. */
export function repositoryWith(root: string, first: FirstCommit): void {
  copyPrepared(root, JSON.stringify(first), (folder) => makeRepository(folder, first));
}

/** Makes the folder a copy of what `make` makes, once for each name. */
export function copyPrepared(to: string, name: string, make: (folder: string) => void): void {
  const from = prepared.get(name) ?? prepare(make);
  prepared.set(name, from);
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

const prepared = new Map<string, string>();

function prepare(make: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "superteam-prepared-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  make(folder);
  return folder;
}

function makeRepository(root: string, { files, subject, person }: FirstCommit): void {
  const git = (...args: readonly string[]): void => void execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  // Examples that nobody reads, and every copy would take along.
  const hooks = join(root, ".git/hooks");
  for (const name of readdirSync(hooks).filter((each) => each.endsWith(".sample"))) rmSync(join(hooks, name));
  appendFileSync(join(root, ".git/config"), `[user]\n\tname = ${person.name}\n\temail = ${person.email}\n`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  git("add", "-A");
  git("commit", "-q", "--allow-empty", "-m", subject);
}
