import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { committed, order } from "../../contracts/repo/order.ts";
import { until } from "../../rig/until.ts";
import { everything, killAll, makeFolder, makeRig, rigIn, startChild } from "./rig.ts";

test("a file that a killed commit's hook had half rewritten is not committed as if it were judged", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "judged\n");
  const tree = await repo.tree();
  const signs = await makeFolder(t);
  await rig.hook("pre-commit", "echo HALF > a.txt", `touch ${signs}/reached`, "sleep 600");
  const child = startChild(rig, "commit", anchor);
  await until(() => rigIn(signs).exists("reached"));
  await killAll(child);
  await rig.hook("pre-commit", "exit 0");
  const outcome = await repo.commit(order(anchor, { tree, request: "run-1/12" }));
  assert.equal(outcome.status, "moved");
  assert.match(outcome.detail, /differ: a\.txt\./);
});

test("W2: a hook that never returns is ended, and the commit is refused with what to do", {
  timeout: 60_000,
}, async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "judged\n");
  const before = await everything(rig);
  await rig.hook("pre-commit", "sleep 600");
  process.env["SUPERTEAM_GIT_MINUTES"] = "0.02";
  t.after(() => delete process.env["SUPERTEAM_GIT_MINUTES"]);
  const outcome = await repo.commit(order(anchor));
  delete process.env["SUPERTEAM_GIT_MINUTES"];
  assert.equal(outcome.status, "refused");
  assert.match(outcome.detail, /did not end within 1\.2 seconds and was ended, with the hooks it ran/);
  assert.equal(await everything(rig), before, "all is as it was");
  await rig.hook("pre-commit", "exit 0");
  assert.deepEqual(committed(await repo.commit(order(anchor))).files, ["a.txt"]);
});

test("the person's commits stay below the task's; on top of it the advice to go on with or without them works", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  const leaveOut = ["mine.js"];
  await rig.write("a.txt", "2\n");
  const first = committed(await repo.commit(order(anchor)));
  await rig.write("mine.js", "my own separate work\n");
  await rig.git("add", "mine.js");
  await rig.git("commit", "-qm", "My own commit", "--author=Me Myself <me@example.com>");
  const mine = (await repo.head()).sha;
  await rig.write("b.txt", "2\n");

  const before = await everything(rig);
  const outcome = await repo.commit(order(anchor, { leaveOut, request: "run-1/8" }));
  assert.equal(outcome.status, "refused");
  assert.match(outcome.detail, new RegExp(`${mine.slice(0, 10)} "My own commit" by Me Myself`));
  assert.doesNotMatch(outcome.detail, new RegExp(`${first.sha.slice(0, 10)} "`));
  assert.equal(await everything(rig), before);

  const apart = /git (branch mine) && git (reset --keep \w+)/.exec(outcome.detail);
  for (const command of apart?.slice(1) ?? []) await rig.git(...command.split(" "));
  const kept = committed(await repo.commit(order(anchor, { leaveOut, request: "run-1/8" })));
  assert.deepEqual(kept.files, ["a.txt", "b.txt"]);
  assert.equal((await rig.git("rev-parse", "mine")).trim(), mine);

  await rig.git("reset", "-q", "--hard", "mine");
  const together = /git (reset --soft \w+)/.exec(outcome.detail)?.[1] ?? "";
  await rig.git(...together.split(" "));
  assert.deepEqual(committed(await repo.commit(order(anchor, { request: "run-1/9" }))).files, ["a.txt", "mine.js"]);
});

test("files of the task in a commit of the person's: the advice to make them part of the task works", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2\n");
  await rig.write("b.txt", "2\n");
  await rig.git("commit", "-qam", "I take this");
  const outcome = await repo.commit(order(anchor));
  assert.equal(outcome.status, "refused");
  await rig.git(...(/git (reset --soft \w+)/.exec(outcome.detail)?.[1] ?? "").split(" "));
  assert.deepEqual(committed(await repo.commit(order(anchor))).files, ["a.txt", "b.txt"]);
});

test("F3: a commit leaves the person's index as it was: parts of files, files to be added later, and flags", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1\n", "parts.txt": "1\n2\n3\n", "flagged.txt": "1\n" });
  const repo = await rig.open();
  await rig.write("parts.txt", "one\n2\n3\n");
  await rig.git("add", "parts.txt");
  await rig.write("parts.txt", "one\n2\nthree\n");
  await rig.write("later.txt", "later\n");
  await rig.git("add", "-N", "later.txt");
  await rig.git("update-index", "--assume-unchanged", "flagged.txt");
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2\n");
  const before = await rig.git("ls-files", "-s", "-v", "--debug", "parts.txt", "later.txt", "flagged.txt");
  committed(await repo.commit(order(anchor)));
  assert.equal(await rig.git("ls-files", "-s", "-v", "--debug", "parts.txt", "later.txt", "flagged.txt"), before);
  assert.equal(await rig.git("status", "--porcelain"), " A later.txt\nMM parts.txt\n");
});

test("what the person writes while a hook runs is still there when the hook refuses, and all of it is kept", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1\n", "README.md": "1\n", "gone.txt": "1\n" });
  const repo = await rig.open();
  await rig.write("notes.txt", "the person's\n");
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2\n");
  await rig.remove("gone.txt");
  const signs = await makeFolder(t);
  const wait = `touch ${signs}/reached; while [ ! -e ${signs}/go ]; do sleep 0.02; done`;
  await rig.hook("pre-commit", "echo formatted > a.txt; echo back > gone.txt", wait, "exit 1");
  const commit = repo.commit(order(anchor));
  await until(() => rigIn(signs).exists("reached"));
  await rig.write("mine.md", "an hour of my work\n");
  await rig.write("README.md", "my edit\n");
  await rig.write(".gitignore", "notes.txt\n");
  await rig.write("notes.txt", "my newer notes\n");
  await writeFile(join(signs, "go"), "");
  const outcome = await commit;

  assert.equal(outcome.status, "refused");
  assert.equal(await rig.read("mine.md"), "an hour of my work\n");
  assert.equal(await rig.read("README.md"), "my edit\n");
  assert.equal(await rig.read("notes.txt"), "my newer notes\n");
  assert.equal(await rig.read("a.txt"), "2\n");
  assert.equal(await rig.exists("gone.txt"), false);
  const backupRef = /kept at (\S+)\. /.exec(outcome.detail)?.[1] ?? "";
  assert.equal(await rig.git("show", `${backupRef}:a.txt`, `${backupRef}:mine.md`), "formatted\nan hour of my work\n");
  assert.match(outcome.detail, /Restored: a\.txt, gone\.txt\. /);
  assert.match(outcome.detail, /Left as they are: \.gitignore, README\.md, mine\.md, notes\.txt\. /);
});

test("a branch that the person made while a hook ran is not moved when the hook refuses", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2\n");
  const { sha: tip } = committed(await repo.commit(order(anchor)));
  await rig.write("a.txt", "3\n");
  await rig.hook("pre-commit", "git checkout -q -b other; exit 1");
  const outcome = await repo.commit(order(anchor, { request: "run-1/8" }));
  assert.equal(outcome.status, "refused");
  assert.match(outcome.detail, new RegExp(`HEAD was moved in the meantime.*${tip.slice(0, 10)}`));
  assert.deepEqual(await repo.head(), { sha: anchor.sha, branch: "other" });
});

test("F1: a file of the person's whose name is not UTF-8 is told from others, shown to no reviewer and in no commit", async (t) => {
  const rig = await makeRig(t);
  const odd = (byte: number, text: string) =>
    writeFile(Buffer.concat([Buffer.from(`${rig.root}/caf`), Buffer.from([byte])]), text);
  await odd(0xe8, "committed\n");
  await rig.git("add", "-A");
  await rig.git("commit", "-qm", "odd");
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await odd(0xea, "the agent's\n");
  const { left } = await repo.afterWriter({ given, ours: [] }, "w");
  await odd(0xe9, "the person's\n");
  await odd(0xe8, "edited by the person\n");
  const leaveOut = await repo.difference(left.tree, await repo.tree());
  assert.equal(new Set(leaveOut).size, 2);
  const shown = await repo.changes(given, leaveOut);
  assert.equal(shown.files.length, 1);
  assert.doesNotMatch(shown.diff, /person/);
  const made = committed(await repo.commit(order(given, { tree: await repo.tree(), leaveOut })));
  assert.deepEqual(
    made.files,
    shown.files.map(({ path }) => path),
  );
  assert.equal(await rig.git("diff-tree", "-r", "--name-only", "HEAD~1", "HEAD"), '"caf\\352"\n');
});
