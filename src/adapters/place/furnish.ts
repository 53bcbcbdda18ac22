// What a build needs and no tree has: dependencies, and files that git ignores. Nothing is linked: a link would let an install in
// the place empty the person's folder, and what is tested there would be the person's packages.

import { cp, lstat, mkdir, readdir, readFile, realpath, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { OutsideFailure } from "../../ports/failure.ts";
import { ifPresent } from "../files/present.ts";
import { isIn } from "./is-in.ts";
import type { Move, RunIn } from "./move.ts";
import { pythonOf, refusePackagesBack } from "./python-packages.ts";

export interface Furnishing {
  /** Ignored files to copy, such as `.env`. */
  readonly copy: readonly string[];
  /** A command that prepares the place, instead of what is done otherwise; empty for none. */
  readonly setup: string;
  /** How large folders of packages may be together to be copied, in MB. */
  readonly copyLimitMb: number;
  /** What runs the tests there. */
  readonly testCommand: string;
  readonly run: RunIn;
}

export async function furnish(move: Move, furnishing: Furnishing): Promise<void> {
  const { copy, setup, testCommand, run } = furnishing;
  for (const path of copy) await copyFile(move, path);
  if (setup !== "") await mustPass(run, move.to, setup);
  else await bringModules(move, furnishing);
  await refuseLinksBack(move);
  const python = pythonOf(testCommand);
  if (python !== undefined) await refusePackagesBack(move, python, run);
}

/** With its mode. What a link leads to is copied in its place: writing through the link would change the person's file. */
async function copyFile({ from, to }: Move, path: string): Promise<void> {
  const [source, target] = [join(from, path), join(to, path)];
  if (!isIn(source, from))
    throw new OutsideFailure("configuration", `worktree.copy: ${path} is not in the repository.`);
  const real = await ifPresent(realpath(source));
  if (real === undefined) return;
  await mkdir(dirname(target), { recursive: true });
  // Links in a folder stay as they are written; otherwise Node makes them lead into the person's tree.
  await cp(real, target, { recursive: true, force: false, preserveTimestamps: true, verbatimSymlinks: true });
}

async function mustPass(run: RunIn, folder: string, command: string): Promise<void> {
  const { passed, output } = await run(folder, command);
  if (passed) return;
  throw new OutsideFailure(
    "configuration",
    `\`${command}\` failed in ${folder}, where the tests of a task run:\n${output.slice(-1000)}\nSet worktree.setup to a command that prepares such a folder.`,
  );
}

/** Node's packages: copied while the lock file is the same and they are small enough, else installed. */
async function bringModules(move: Move, { run, copyLimitMb }: Furnishing): Promise<void> {
  const found = await modulesIn(move.from, "", 0);
  const isPlugged = await isPlugAndPlay(move);
  if (found.length === 0 && !isPlugged) return;
  const install = (await installFor(move, isPlugged)) ?? (await insteadOfCopy(move, found, { run, copyLimitMb }));
  if (install !== undefined) return await mustPass(run, move.to, install);
  for (const path of found) await copyModules(move, path, run);
}

const mostDepth = 3;

/** Every `node_modules` that is not in another one, by its path from the root. */
async function modulesIn(root: string, folder: string, depth: number): Promise<readonly string[]> {
  const entries = (await ifPresent(readdir(join(root, folder), { withFileTypes: true }))) ?? [];
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name === "node_modules") found.push(path);
    else if (entry.isDirectory() && !entry.name.startsWith(".") && depth < mostDepth)
      found.push(...(await modulesIn(root, path, depth + 1)));
  }
  return found;
}

/** What installs the packages that a lock file names. */
const locks: readonly (readonly [name: string, installFrom: (lock: string) => string])[] = [
  ["pnpm-lock.yaml", () => "pnpm install --offline --frozen-lockfile"],
  ["package-lock.json", () => "npm ci --prefer-offline"],
  // The yarn of today refuses the option of the classic one.
  ["yarn.lock", (lock) => `yarn install ${/^# yarn lockfile v1$/m.test(lock) ? "--frozen-lockfile" : "--immutable"}`],
  ["bun.lock", () => "bun install --frozen-lockfile"],
  ["bun.lockb", () => "bun install --frozen-lockfile"],
];

/** Whether yarn keeps no packages in the tree, only a file that git ignores and that says where they are. */
async function isPlugAndPlay({ from, to }: Move): Promise<boolean> {
  const [theirs, own] = await Promise.all([from, to].map((root) => ifPresent(lstat(join(root, ".pnp.cjs")))));
  return theirs !== undefined && own === undefined;
}

/** pnpm's folder is links into its store and cannot be copied; another lock file wants other packages. */
async function installFor({ from, to }: Move, isPlugged: boolean): Promise<string | undefined> {
  for (const [name, installFrom] of locks) {
    const [theirs, own] = await Promise.all([from, to].map((root) => ifPresent(readFile(join(root, name), "utf8"))));
    const isInstalled = name === "pnpm-lock.yaml" || (name === "yarn.lock" && isPlugged);
    if (own !== undefined && (isInstalled || own !== theirs)) return installFrom(own);
  }
  return undefined;
}

/** What installs packages that are too large to be copied; undefined when they are not. */
async function insteadOfCopy(
  move: Move,
  found: readonly string[],
  { run, copyLimitMb }: Pick<Furnishing, "run" | "copyLimitMb">,
): Promise<string | undefined> {
  const folders = await Promise.all(found.map((path) => realpath(join(move.from, path))));
  const { output } = await run(move.to, `du -sk ${folders.map(quoted).join(" ")}`);
  const kilobytes = [...output.matchAll(/^(\d+)\t/gm)].reduce((sum, [, size]) => sum + Number(size), 0);
  if (kilobytes <= copyLimitMb * 1024 || (await canClone(move, folders, run))) return undefined;
  for (const [name, installFrom] of locks) {
    const lock = await ifPresent(readFile(join(move.to, name), "utf8"));
    if (lock !== undefined) return installFrom(lock);
  }
  throw new OutsideFailure(
    "configuration",
    `${found.join(", ")}: ${Math.ceil(kilobytes / 1024)} MB, more than the ${copyLimitMb} MB that are copied into a worktree. Set worktree.setup to a command that installs what the tests need, or raise worktree.copyLimitMb.`,
  );
}

/** Whether the file system shares the content of copies, so that they cost nothing. */
async function canClone({ to }: Move, folders: readonly string[], run: RunIn): Promise<boolean> {
  const probe = quoted(join(to, ".superteam-probe"));
  const any = `"$(find ${folders.map(quoted).join(" ")} -type f | head -n 1)"`;
  const { passed } = await run(to, `cp --reflink=always ${any} ${probe} || cp -c ${any} ${probe}`);
  await rm(join(to, ".superteam-probe"), { force: true });
  return passed;
}

/** As clones of the files where the file system can, which costs nothing; else as copies. */
async function copyModules({ from, to }: Move, path: string, run: RunIn): Promise<void> {
  const target = join(to, path);
  if ((await ifPresent(lstat(target))) !== undefined) return;
  await mkdir(dirname(target), { recursive: true });
  const [source, into] = [await realpath(join(from, path)), target].map(quoted);
  const { passed, output } = await run(to, `cp -a --reflink=auto ${source} ${into} || cp -Rcp ${source} ${into}`);
  if (passed) return;
  await rm(target, { recursive: true, force: true });
  throw new OutsideFailure("unwritable", `${path} could not be copied to ${target}:\n${output.slice(-500)}`);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The one check that what is tested is the place's: no package may lead back into the person's tree. */
async function refuseLinksBack({ from, to }: Move): Promise<void> {
  for (const modules of await modulesIn(to, "", 0)) {
    for (const path of await packagesIn(join(to, modules))) {
      const target = await ifPresent(realpath(path));
      if (target === undefined || !isIn(target, from) || isIn(target, to)) continue;
      const what = relative(to, path);
      throw new OutsideFailure(
        "configuration",
        `${what} of ${to} leads to ${target} in your own tree, so tests there would test your files. Set worktree.setup to a command that installs the dependencies.`,
      );
    }
  }
}

async function packagesIn(folder: string): Promise<readonly string[]> {
  const names = (await ifPresent(readdir(folder))) ?? [];
  const scoped = await Promise.all(
    names
      .filter((name) => name.startsWith("@"))
      .map(async (scope) => {
        const inside = (await ifPresent(readdir(join(folder, scope)))) ?? [];
        return inside.map((name) => join(folder, scope, name));
      }),
  );
  return [folder, ...names.map((name) => join(folder, name)), ...scoped.flat()];
}
