import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../../test/rig/until.ts";
import { birthOf } from "../../../process/table.ts";
import { limitOf, onSlowGit, withLimit } from "./patience.ts";
import { GitFailed, git } from "./run.ts";

test("git runs without a temporary folder too", async (t) => {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = join(import.meta.dirname, "missing");
  t.after(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  });
  assert.match(await git(import.meta.dirname, ["--version"]), /^git version /);
  assert.equal((await git("/", ["hash-object", "--stdin"], { input: "" })).length, 41);
});

/** A git command that never ends, with a process of its own whose number is in the file. */
const hanging = (file: string) => ["-c", `alias.hang=!echo $$ > ${file}; sleep 600`, "hang"];

for (const as of [undefined, "person"] as const) {
  test(`W2: a git command that never returns is ended with all that came from it (${as ?? "ours"})`, {
    timeout: 60_000,
  }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "superteam-git-"));
    t.after(() => rm(folder, { recursive: true }));
    process.env["SUPERTEAM_GIT_MINUTES"] = "0.01";
    t.after(() => delete process.env["SUPERTEAM_GIT_MINUTES"]);
    const pid = join(folder, "pid");
    const failure = await git(folder, hanging(pid), as && { as }).catch((error: unknown) => error);
    assert.ok(failure instanceof GitFailed, String(failure));
    assert.match(failure.message, /did not end within 0\.6 seconds and was ended, with the hooks it ran\. See what/);
    // A process that was killed is in the table until its parent has looked.
    await until(async () => (await birthOf(Number(readFileSync(pid, "utf8")))) === "");
    delete process.env["SUPERTEAM_GIT_MINUTES"];
    assert.match(await git(folder, ["--version"], as && { as }), /^git version /, "the next one works");
  });
}

test("W2: a git command that takes long gives signs of life until it is done", async (t) => {
  const heard: string[] = [];
  t.after(onSlowGit((text) => heard.push(text)));
  const isHeard = (): Promise<void> => until(() => heard.length >= 2);
  await withLimit("commit", 600_000, isHeard, { firstMs: 1, nextMs: 1 });
  assert.match(
    heard[0] ?? "",
    /^git commit has been running for \d+ s, with its hooks\. After 10 minutes it is stopped\.$/,
  );
  const count = heard.length;
  await git(import.meta.dirname, ["--version"]);
  assert.equal(heard.length, count);
});

test("W2: git alone may take 10 minutes and with hooks 60; the person may say otherwise", (t) => {
  assert.deepEqual([limitOf(false), limitOf(true)], [600_000, 3_600_000]);
  t.after(() => delete process.env["SUPERTEAM_GIT_MINUTES"]);
  process.env["SUPERTEAM_GIT_MINUTES"] = "2";
  assert.deepEqual([limitOf(false), limitOf(true)], [120_000, 120_000]);
  process.env["SUPERTEAM_GIT_MINUTES"] = "none";
  assert.equal(limitOf(false), 600_000);
});

test("a configuration that has git check signatures neither runs a program nor changes what is read", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "superteam-git-"));
  t.after(() => rm(folder, { recursive: true }));
  await git(folder, ["init", "--quiet"]);
  for (const [key, value] of Object.entries({ "log.showSignature": "true", "gpg.program": join(folder, "check") }))
    await git(folder, ["config", key, value]);
  writeFileSync(join(folder, "check"), "#!/bin/sh\ntouch checked; echo Good >&2; exit 1\n", { mode: 0o755 });
  const tree = (await git(folder, ["write-tree"])).trim();
  const who = "A <a@example.org> 1700000000 +0000";
  const text = `tree ${tree}\nauthor ${who}\ncommitter ${who}\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\nSigned\n`;
  const signed = await git(folder, ["hash-object", "-t", "commit", "-w", "--stdin"], { input: text });
  assert.equal(await git(folder, ["log", "-1", "--format=%H", signed.trim(), "--"]), signed);
  assert.equal(existsSync(join(folder, "checked")), false);
});
