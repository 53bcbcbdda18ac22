// Flags of the index that have git take a file for unchanged, whatever is in it (E3b). With one of them an agent could hide a change from
// the reviewer and the commit while the checks see it; without one of the person's, a change that they hide would count as work.

import type { Checkout } from "../place/checkout.ts";
import { type BytePath, toText } from "../process/paths.ts";
import { tryGit } from "../process/run.ts";

/** Both as `capture` gives them. Gives words for what differed. An entry that left the index has no flag to put back. */
export async function putFlagsBack(
  { root }: Checkout,
  before: readonly string[] | undefined,
  now: readonly string[],
): Promise<readonly string[]> {
  if (before === undefined) return [];
  const [was, is] = [new Set(before), new Set(now)];
  const differing = [...before.filter((each) => !is.has(each)), ...now.filter((each) => !was.has(each))];
  const paths = [...new Set(differing.map((each) => each.slice(2)))];
  if (paths.length === 0) return [];
  const had = (tags: string) => (path: BytePath) => [...tags].some((tag) => was.has(`${tag} ${path}`));
  for (const [option, tags] of options) {
    await mark(root, `--${option}`, paths.filter(had(tags)));
    await mark(
      root,
      `--no-${option}`,
      paths.filter((path) => !had(tags)(path)),
    );
  }
  return paths.map((path) => `index (hides ${toText(path)})`);
}

const options = [
  ["assume-unchanged", "hs"],
  ["skip-worktree", "Ss"],
] as const;

async function mark(root: string, option: string, paths: readonly BytePath[]): Promise<void> {
  if (paths.length === 0) return;
  await tryGit(root, ["update-index", option, "-z", "--stdin"], { input: paths.map((path) => `${path}\0`).join("") });
}
