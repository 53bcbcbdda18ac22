// Nobody is kept out of a folder who is root, so root tries it as somebody else.

import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder } from "./rig.ts";

const program = join(import.meta.dirname, "closed-folders.ts");
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

test("E3, E3b, E11: folders that an agent closes keep no run from going on, and no file in them counts as deleted", {
  skip,
}, async (t) => {
  // The folder of the tests may be root's alone.
  const folder = isRoot ? await mkdtemp("/tmp/superteam-closed-") : await makeFolder(t);
  t.after(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o777);
  execFileSync(process.execPath, [program, folder], {
    ...nobody,
    cwd: folder,
    env: { ...process.env, HOME: folder, TMPDIR: folder },
    stdio: "pipe",
  });
});
