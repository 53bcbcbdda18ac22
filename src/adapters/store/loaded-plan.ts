// Which plan was loaded in a working tree. Only its path is kept: what it says is read from the tree each time, and what
// was done of it is in the journals.

import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { TreePath } from "../../core/plan/plan.ts";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import type { LoadedPlanMemory } from "../../ports/repo.ts";
import { writeAtomically } from "../files/atomic.ts";
import { readIfPresent } from "../files/present.ts";
import type { GitFolders } from "./run-folders.ts";

const File = z.object({ v: z.literal(1), path: TreePath });

export function loadedPlanFile({ gitDir }: Pick<GitFolders, "gitDir">): LoadedPlanMemory {
  const file = join(gitDir, "superteam", "plan.json");
  return {
    async read() {
      try {
        const text = await readIfPresent(file);
        return text === undefined ? undefined : File.parse(JSON.parse(text)).path;
      } catch (cause) {
        const why = cause instanceof z.ZodError ? z.prettifyError(cause) : reasonOf(cause);
        const message = `Which plan was loaded stands in ${file}, which cannot be read: ${why}\nLoad the plan again.`;
        throw new OutsideFailure("unreadable", message, { cause });
      }
    },
    async write(path) {
      await mkdir(dirname(file), { recursive: true });
      await writeAtomically(file, `${JSON.stringify({ v: 1, path })}\n`);
    },
  };
}
