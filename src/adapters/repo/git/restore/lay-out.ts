// Files of a tree as git writes them, with its filters and modes, in a folder of superteam's own that nobody else can look into. From there
// each is moved to its place as a whole (E3).

import { randomUUID } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFiles } from "../../../files/atomic.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, onDisk, toText } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { isClosed, modeAt } from "../tree/closed.ts";
import { withIndexOf } from "../tree/index-file.ts";
import { type KeptFiles, putBytes } from "./bytes.ts";

/** Lends the folder, with the files at their paths in it, for as long as `use` runs. */
export async function withLaidOut<T>(
  checkout: Checkout,
  state: KeptFiles,
  paths: readonly BytePath[],
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = folderFor(checkout);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    if (paths.length > 0) await layOut(checkout, state, paths, folder);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function layOut(checkout: Checkout, state: KeptFiles, paths: readonly BytePath[], folder: string): Promise<void> {
  const input = paths.map((path) => `${path}\0`).join("");
  await withIndexOf(checkout, state.tree, (index) =>
    git(checkout.root, ["checkout-index", `--prefix=${folder}/`, "-z", "--stdin"], { index, input }),
  );
  await putBytes(checkout.root, state, paths, folder);
  for (const path of paths) close(checkout.root, path, { state, folder });
}

/** On the disk of the tree: git's own folder may be on another one. */
function folderFor({ root, gitDir }: Checkout): string {
  const id = randomUUID();
  if (statSync(root).dev === statSync(gitDir).dev) return join(gitDir, "superteam", `restore-${id}`);
  return join(root, temporaryFiles.replace("*", id));
}

/** git makes files readable for all. One that others could not read is closed before it comes to its place. */
function close(
  root: string,
  path: BytePath,
  { state, folder }: { readonly state: KeptFiles; readonly folder: string },
): void {
  const file = onDisk(folder, path);
  const made = lstatSync(file);
  if (!made.isFile()) return;
  const now = modeAt(root, path);
  const asNow = now !== undefined && isClosed(now) ? (made.mode & 0o700) | (now & 0o077) : undefined;
  const mode = state.closed?.[toText(path)] ?? asNow;
  if (mode !== undefined) chmodSync(file, mode);
}
