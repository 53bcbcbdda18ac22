// What is on record is neither done again (E2) nor mixed with the steps of another version of the program (E5).

import type { Entry } from "../../../src/ports/journal.ts";
import type { Machine } from "../machine/machine.ts";
import { renamings } from "../versions.ts";

/** Where nobody moved HEAD, a commit that was interrupted after git had made it is found, and not made again. */
export function commitsMadeTwice({ entries, clone: { repository } }: Machine): readonly string[] {
  const keys = new Map<string, string>();
  for (const entry of entries)
    if (entry.type === "begin" && entry.request.do === "commit") keys.set(`${entry.seq}`, entry.key);
  const made = [...repository.objects.commits.values()].flatMap(({ message }) => {
    const [, seq = ""] = /^Superteam-Request: .*\/(\d+)$/m.exec(message) ?? [];
    return keys.get(seq) ?? [];
  });
  const twice = made.filter((key, index) => made.indexOf(key) !== index);
  return twice.map((key) => `${key} was made twice`);
}

/** A scope has the steps of one version only: where the program has changed, it is run again at its next epoch. */
export function mixedVersions(entries: readonly Entry[]): readonly string[] {
  const steps = new Set(entries.flatMap((entry) => (entry.type === "begin" ? [entry.key.replace(/#\d+$/, "")] : [])));
  return [...steps].flatMap((step) => {
    const other = renamings.find(({ kind, from }) => step.endsWith(`/${kind}:${from}`));
    if (other === undefined) return [];
    const renamed = `${step.slice(0, -other.from.length)}${other.to}`;
    return steps.has(renamed) ? [`${step} and ${renamed} are of two versions, in one scope`] : [];
  });
}
