import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileRuns } from "../../../src/adapters/store/file-runs.ts";
import { runsContract } from "../../contracts/runs.ts";

runsContract("files", async (t) => {
  const commonDir = await mkdtemp(join(tmpdir(), "superteam-runs-"));
  t.after(() => rm(commonDir, { recursive: true, force: true, maxRetries: 5 }));
  const linked = join(commonDir, "worktrees", "w");
  await mkdir(linked, { recursive: true });
  const tree = { gitDir: commonDir, commonDir };
  const lock = join(commonDir, "superteam", "lock");
  return {
    runs: fileRuns(tree),
    again: fileRuns(tree),
    elsewhere: fileRuns({ gitDir: linked, commonDir }),
    removeLease: () => rm(lock),
    replaceLease: (owner) => writeFile(lock, JSON.stringify(owner)),
  };
});
