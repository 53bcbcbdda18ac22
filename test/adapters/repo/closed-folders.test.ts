// Nobody is kept out of a folder who is root, so root tries it as somebody else.

import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeFolder } from "./rig.ts";

const program = join(import.meta.dirname, "closed-folders.ts");
const taken = join(import.meta.dirname, "taken-folder.ts");
const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

function isReadable(): boolean {
  try {
    execFileSync(process.execPath, ["-e", `require("fs").accessSync(${JSON.stringify(program)})`], {
      ...nobody,
      cwd: "/",
    });
    return true;
  } catch {
    return false;
  }
}

const skip = isReadable() ? false : "run by root, in a folder that nobody else may read";

test("E3, E3b, E11: folders that an agent closes keep no run from going on, and no file in them is lost", {
  skip,
}, async (t) => {
  const folder = await makeOpen(t);
  run(program, folder);
});

test("E3: what nobody can open any more is reported as lost, and kept for good", {
  skip: isRoot ? skip : "only root can give a folder to somebody else",
}, async (t) => {
  for (const end of ["writer", "reader", "interrupted"]) {
    const folder = await makeOpen(t);
    run(taken, folder, "begin");
    const deed = "echo clobbered > src/mine.txt; chown 0 src; chmod 700 src";
    execFileSync("sh", ["-c", deed], { cwd: join(folder, "tree") });
    run(taken, folder, end);
  }
});

/** The folder of the tests may be root's alone. */
async function makeOpen(t: TestContext): Promise<string> {
  const folder = isRoot ? await mkdtemp("/tmp/superteam-closed-") : await makeFolder(t);
  t.after(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o777);
  return folder;
}

function run(file: string, folder: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [file, folder, ...args], {
    ...nobody,
    cwd: folder,
    env: { ...process.env, HOME: folder, TMPDIR: folder },
    stdio: "pipe",
  });
}
