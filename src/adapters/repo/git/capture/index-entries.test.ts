import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { readIndexEntries } from "./index-entries.ts";

const names = [
  "a",
  "a.b",
  "a/b",
  "deep/er/and/deeper/file.txt",
  `${"y/".repeat(200)}x`,
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => "n".repeat(n)),
];

function made(t: TestContext, format = "sha1") {
  const root = mkdtempSync(join(tmpdir(), "superteam-index-"));
  t.after(() => rmSync(root, { recursive: true }));
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-C", root, ...args], { encoding: "latin1" });
  git("init", "-q", `--object-format=${format}`);
  for (const name of names.filter((each) => each !== "a")) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), name, { mode: name.length === 3 ? 0o755 : 0o644 });
  }
  git("add", "-A");
  const hashBytes = format === "sha1" ? 20 : 32;
  const read = () => readIndexEntries(readFileSync(join(root, ".git/index")), hashBytes);
  const listed = () => git("ls-files", "-s", "-z").split("\0").filter(Boolean);
  return { root, git, read, listed };
}

const lines = (entries: ReturnType<typeof readIndexEntries>) =>
  entries && [...entries].map(([path, { mode, hash }]) => `${mode} ${hash} 0\t${path}`);

for (const version of [2, 3, 4])
  for (const format of ["sha1", "sha256"])
    test(`an index of version ${version} with ${format} is read as git reads it`, (t) => {
      const { git, read, listed } = made(t, format);
      git("update-index", `--index-version=${version}`);
      // Version 3 is written where an entry has a flag of its own, and version 2 where none has.
      if (version === 3) git("update-index", "--skip-worktree", "n");
      const found = lines(read());
      if (version === 3) assert.equal(found, undefined);
      else assert.deepEqual(found, listed());
      assert.equal(listed().length, names.length - 1);
    });

for (const [what, how] of Object.entries({
  "an entry that is taken for unchanged": ["update-index", "--assume-unchanged", "n"],
  "an entry that is skipped": ["update-index", "--skip-worktree", "n"],
  "an index in two files": ["update-index", "--split-index"],
  "a conflict": ["update-index", "--index-info"],
} satisfies Record<string, readonly string[]>))
  test(`${what} is left to git`, (t) => {
    const { root, git, read } = made(t);
    assert.notEqual(read(), undefined);
    const hash = git("hash-object", "a.b").trim();
    const input = `0 ${"0".repeat(40)}\tn\n100644 ${hash} 1\tn\n100644 ${hash} 2\tn\n`;
    // One that does not read its input would break the pipe.
    execFileSync("git", ["-C", root, ...how], how.includes("--index-info") ? { input } : {});
    assert.equal(read(), undefined);
  });

test("an entry that is only meant to be added, and a submodule, are left to git", (t) => {
  const { root, git, read } = made(t);
  writeFileSync(join(root, "new"), "");
  git("add", "-N", "new");
  assert.equal(read(), undefined);
  git("reset", "-q", "--", ".");
  assert.deepEqual(read(), new Map());
  git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`);
  assert.equal(read(), undefined);
});

test("what is no index, or only a part of one, is left to git", (t) => {
  const { root, read } = made(t);
  const file = join(root, ".git/index");
  const whole = readFileSync(file);
  assert.deepEqual(readIndexEntries(Buffer.alloc(0), 20), new Map());
  for (const bytes of [Buffer.from("no index at all"), whole.subarray(0, 100), whole.subarray(0, 12)]) {
    writeFileSync(file, bytes);
    assert.equal(read(), undefined);
  }
});
