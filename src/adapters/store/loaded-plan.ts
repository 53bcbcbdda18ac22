// Which plan was loaded in a working tree. Only its path is kept: what it says is read from the tree each time, and what
// was done of it is in the journals.

import { join } from "node:path";
import { z } from "zod";
import { TreePath } from "../../core/plan/plan.ts";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import type { LoadedPlanMemory } from "../../ports/repo.ts";
import { writeAtomically } from "../files/atomic.ts";
import { parseChecked } from "../files/checked-json.ts";
import type { GitFolders } from "../files/git-folders.ts";
import { readIfPresent } from "../files/present.ts";

const File = z.object({ v: z.literal(1), path: TreePath });

export function loadedPlanFile({ gitDir }: Pick<GitFolders, "gitDir">): LoadedPlanMemory {
  const file = join(gitDir, "superteam", "plan.json");
  return {
    async read() {
      try {
        const text = await readIfPresent(file);
        return text === undefined ? undefined : parseChecked(File, text).path;
      } catch (cause) {
        const message = `${file}, which names the loaded plan, cannot be read: ${reasonOf(cause)}\nLoad the plan again.`;
        throw new OutsideFailure("unreadable", message, { cause });
      }
    },
    write: (path) => writeAtomically(file, `${JSON.stringify({ v: 1, path })}\n`),
  };
}
