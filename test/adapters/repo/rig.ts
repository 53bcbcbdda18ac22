// A real repository in a temporary folder, for the tests of the git adapter. The person's own git configuration stays out.

import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, lstat, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { openRepo } from "../../../src/adapters/repo/git/open.ts";
import type { Anchor } from "../../../src/core/flow/repository.ts";
import type { Repo } from "../../../src/ports/repo.ts";
import { repositoryWith } from "../../rig/prepared.ts";

process.env["GIT_CONFIG_GLOBAL"] = "/dev/null";
process.env["GIT_CONFIG_NOSYSTEM"] = "1";

const run = promisify(execFile);

export interface Rig {
  readonly root: string;
  git(...args: readonly string[]): Promise<string>;
  write(path: string, text: string | Buffer): Promise<void>;
  read(path: string): Promise<string>;
  remove(path: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** Writes a hook that runs these shell lines. */
  hook(name: string, ...lines: readonly string[]): Promise<void>;
  open(...documents: readonly string[]): Promise<Repo>;
}

/** A folder outside any repository, removed after the test. */
export async function makeFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "superteam-repo-")));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** How every repository here begins. */
export const beginning = { subject: "start", person: { name: "Ada", email: "ada@example.com" } };

/** A repository with one commit that holds these files. */
export async function makeRig(
  t: TestContext,
  files: Readonly<Record<string, string>> = { "a.txt": "one\n", "src/b.txt": "two\n" },
): Promise<Rig> {
  const rig = rigIn(join(await makeFolder(t), "tree"));
  repositoryWith(rig.root, { ...beginning, files });
  return rig;
}

export function rigIn(root: string): Rig {
  const at = (path: string): string => join(root, path);
  const write = async (path: string, text: string | Buffer): Promise<void> => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  return {
    root,
    write,
    git: async (...args) => (await run("git", args, { cwd: root, maxBuffer: 1 << 28 })).stdout,
    read: (path) => readFile(at(path), "utf8"),
    remove: (path) => rm(at(path), { recursive: true }),
    exists: (path) =>
      lstat(at(path)).then(
        () => true,
        () => false,
      ),
    hook: async (name, ...lines) => {
      await write(`.git/hooks/${name}`, `#!/bin/sh\n${lines.join("\n")}\n`);
      await chmod(at(`.git/hooks/${name}`), 0o755);
    },
    open: (...documents) => openRepo({ root, runId: "run-1", documents }),
  };
}

/** HEAD, index and files, to compare before and after. */
export async function everything(rig: Rig): Promise<string> {
  const [head, index, status, tree] = await Promise.all([
    rig.git("rev-parse", "HEAD", "--symbolic-full-name", "HEAD"),
    readFile(join(rig.root, ".git/index")),
    rig.git("--no-optional-locks", "status", "--porcelain", "-z", "-uall"),
    (await rig.open()).tree(),
  ]);
  return JSON.stringify({ head, index: index.toString("latin1"), status, tree });
}

/** In a process group of its own, so that git and its hooks can be killed with it. */
export function startChild(rig: Rig, verb: string, anchor: Anchor): ChildProcess {
  const program = join(import.meta.dirname, "child.ts");
  return spawn(process.execPath, [program, rig.root, verb, JSON.stringify(anchor)], {
    detached: true,
    stdio: "inherit",
  });
}

export async function killAll(child: ChildProcess): Promise<void> {
  assert.ok(child.pid);
  process.kill(-child.pid, "SIGKILL");
  await once(child, "exit");
}

/** A repository of its own inside the tree, without a commit. */
export async function makeNested(rig: Rig, path: string): Promise<void> {
  await rig.write(`${path}/file.txt`, "theirs");
  const nested = rigIn(join(rig.root, path));
  await nested.git("init", "-q");
  await nested.git("config", "user.name", "Bob");
  await nested.git("config", "user.email", "bob@example.com");
}

/** Puts a git on the PATH that runs the real one and notes its exit code and arguments. Gives a function that reads the notes. */
export async function logGit(t: TestContext): Promise<() => Promise<string>> {
  const folder = await makeFolder(t);
  const path = process.env["PATH"] ?? "";
  t.after(() => {
    process.env["PATH"] = path;
  });
  const script = `#!/bin/sh\nPATH='${path}' git "$@"\ncode=$?\necho "$code $*" >> '${folder}/log'\nexit $code\n`;
  await writeFile(join(folder, "git"), script);
  await chmod(join(folder, "git"), 0o755);
  process.env["PATH"] = `${folder}:${path}`;
  return () => readFile(join(folder, "log"), "utf8").catch(() => "");
}
