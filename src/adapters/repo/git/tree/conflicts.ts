// What an index with conflicts holds, as a tree: git itself makes none of it. So it can be compared, and kept under a ref. Of a file in
// conflict, ours has its own name, and the others stand beside it.

import type { Checkout } from "../place/checkout.ts";
import type { BytePath } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { applyDifferences, type Difference, emptyTree, missingAmong } from "./trees.ts";

/** Without entries whose object was removed. */
export async function conflictsIn(checkout: Checkout, { sha }: { readonly sha: string }): Promise<string> {
  const lines = (await git(checkout.root, ["ls-files", "-z", "-s"])).split("\0");
  const entries = lines.flatMap((line) => entryOf(line));
  const missing = await missingAmong(checkout.root, [...new Set(entries.map(({ newHash }) => newHash))]);
  const kept = entries.filter(({ newHash, newMode }) => newMode === "160000" || !missing.has(newHash));
  return await applyDifferences(checkout, emptyTree(sha), kept);
}

const versions: Readonly<Record<string, string>> = { 0: "", 1: "~base", 2: "", 3: "~theirs" };

function entryOf(line: string): readonly Difference[] {
  const [, newMode = "", newHash = "", stage = "", name] = /^(\d+) (\S+) (\d)\t(.+)$/s.exec(line) ?? [];
  if (name === undefined) return [];
  const path: BytePath = `${name}${versions[stage] ?? ""}`;
  const none = { oldMode: "000000", oldHash: "0".repeat(newHash.length) };
  return [{ path, change: "added", ...none, newMode, newHash }];
}
