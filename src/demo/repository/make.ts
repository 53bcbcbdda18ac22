// Makes the demo's repository in a folder: real files, real commits, and one file that is the person's own.

import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Draft, drafts, personsFile } from "./files.ts";

/** The folder is made if need be, and has to be empty. */
export async function makeRepository(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const git = gitIn(folder);
  await git("init", "--quiet", "--initial-branch=main");
  await git("config", "user.name", "Demo Person");
  await git("config", "user.email", "person@demo.invalid");
  await git("config", "commit.gpgsign", "false");
  for (const draft of drafts) await commit(folder, draft);
  await writeFile(join(folder, personsFile.path), personsFile.text);
}

async function commit(folder: string, { message, files }: Draft): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const git = gitIn(folder);
  await git("add", "--all");
  await git("commit", "--quiet", "--message", message);
}

/** Without the variables that would point git at another repository, such as inside a hook. */
function gitIn(folder: string) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  return (...args: readonly string[]) => promisify(execFile)("git", [...args], { cwd: folder, env });
}
