// Restores single refs (E3b). New ones are removed first, because a branch `a` cannot be made while there is `a/b`. Anything else that blocks a
// ref is moved aside. A ref that cannot be restored does not stop the others.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type Checkout, readText } from "../place/checkout.ts";
import { putAside } from "../place/put-aside.ts";
import { foldersAbove, toText } from "../process/paths.ts";
import { tryGit } from "../process/run.ts";
import { isRefText, isSymbolic } from "./around.ts";

export interface MovedRef {
  readonly ref: string;
  /** undefined where there was none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** `missing`: objects that the repository does not have. Gives the refs that are not as they were. */
export async function putRefsBack(
  checkout: Checkout,
  refs: readonly MovedRef[],
  { missing, name }: { readonly missing: ReadonlySet<string>; readonly name: string },
): Promise<ReadonlySet<string>> {
  const gone = refs.filter(({ to }) => to === undefined);
  const back = refs.filter(({ to }) => to !== undefined && !missing.has(to));
  const lost = refs.filter(({ to }) => to !== undefined && missing.has(to)).map(({ ref }) => ref);
  const left = await updateAll(checkout.root, gone.map(deletion));
  for (const { ref } of back) await clearTheWay(checkout, ref, name);
  const notMade = await updateAll(
    checkout.root,
    back.map(({ ref, to }) => [ref, `update ${ref} ${to}`]),
  );
  return new Set([...lost, ...left, ...notMade]);
}

const deletion = ({ ref, from }: MovedRef): Order => [ref, `delete ${ref}${isSymbolic(from) ? "" : ` ${from}`}`];

type Order = readonly [ref: string, line: string];

/** Together, or where that fails each by itself. Gives the refs of those that failed. */
async function updateAll(root: string, orders: readonly Order[]): Promise<readonly string[]> {
  if (orders.length === 0) return [];
  // The ref itself, where an agent made it another name for one.
  const input = orders.map(([, line]) => `option no-deref\n${line}\n`).join("");
  const { code } = await tryGit(root, ["update-ref", "--stdin"], { input });
  if (code === 0) return [];
  if (orders.length === 1) return orders.map(([ref]) => ref);
  const failed: string[] = [];
  for (const order of orders) failed.push(...(await updateAll(root, [order])));
  return failed;
}

/** Where refs are in another format than files, nothing is. */
async function clearTheWay(checkout: Checkout, ref: string, name: string): Promise<void> {
  for (const path of [...foldersAbove(ref), ref].map(toText)) {
    const file = join(checkout.commonDir, path);
    const seen = await lstat(file).catch(() => undefined);
    const isFolder = seen?.isDirectory() ?? false;
    const isInTheWay = path === toText(ref) ? isFolder || !isRefText(readText(file)) : !isFolder;
    if (seen !== undefined && isInTheWay) await putAside(checkout, file, join(name, path));
  }
}
