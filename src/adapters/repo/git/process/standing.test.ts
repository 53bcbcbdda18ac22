import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pidIn, until } from "../../../../../test/rig/until.ts";
import { birthOf } from "../../../process/table.ts";
import { askStanding } from "./standing.ts";

/** A folder, and a `git` before the real one on the PATH that does this first. */
function withGit(t: TestContext, script: string): string {
  const folder = mkdtempSync(join(tmpdir(), "superteam-standing-"));
  const path = process.env["PATH"];
  t.after(() => {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true, force: true });
  });
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  execFileSync(git, ["init", "-q", folder]);
  writeFileSync(join(folder, "git"), `#!/bin/sh\necho $$ >> '${folder}/pids'\n${script}\nexec '${git}' "$@"\n`);
  chmodSync(join(folder, "git"), 0o755);
  process.env["PATH"] = `${folder}:${path}`;
  return folder;
}

const missing = { args: ["cat-file", "--batch-check"], input: "HEAD\n", end: " missing\n" };
const pids = (folder: string): number => readFileSync(join(folder, "pids"), "utf8").trim().split("\n").length;

test("many questions at once are answered one by one by one git", async (t) => {
  const folder = withGit(t, "");
  const answers = await Promise.all(Array.from({ length: 20 }, () => askStanding(folder, missing)));
  assert.deepEqual([...new Set(answers)], ["HEAD"]);
  assert.equal(pids(folder), 1);
});

test("one that does not answer in time is ended, and the next question has another", async (t) => {
  const folder = withGit(t, 'test -e "$(dirname "$0")/well" || exec sleep 300');
  // On a busy machine it may be ended before it has begun.
  do assert.equal(await askStanding(folder, missing, 50), undefined);
  while (!existsSync(join(folder, "pids")));
  const pid = await pidIn(join(folder, "pids"));
  await until(async () => (await birthOf(pid)) === "");
  writeFileSync(join(folder, "well"), "");
  assert.equal(await askStanding(folder, missing), "HEAD");
});

test("one that ends is no answer", async (t) => {
  const folder = withGit(t, "exit 1");
  assert.equal(await askStanding(folder, missing), undefined);
});
