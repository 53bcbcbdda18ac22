import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as passes } from "node:timers/promises";
import type { Anchor } from "../../../src/core/flow/repository.ts";
import { committed, order } from "../../contracts/repo/order.ts";
import { until } from "../../rig/until.ts";
import { everything, killAll, logGit, makeFolder, makeRig, type Rig, rigIn, startChild } from "./rig.ts";

test("everything since the anchor becomes one commit with its trailers, and nothing else does", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1", "gone.txt": "1", "docs/plan.md": "1" });
  const repo = await rig.open("docs/plan.md", "docs/progress.md");
  await rig.write("notes.txt", "the person's");
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  await rig.remove("gone.txt");
  await rig.write("-new file\n.txt", "2");
  await rig.write("docs/plan.md", "2");
  await rig.write("docs/progress.md", "2");
  await rig.write(".superteam-workflow.json", "{}");
  const outcome = committed(await repo.commit(order(anchor, { message: "Add the thing\n\n# not a comment\n" })));
  assert.deepEqual(outcome.files, ["-new file\n.txt", "a.txt", "gone.txt"]);
  assert.equal(outcome.changedByHook, false);
  assert.equal(outcome.tree, await repo.tree());
  assert.equal(await rig.git("log", "--format=%H %P", "-1"), `${outcome.sha} ${anchor.sha}\n`);
  assert.equal(
    await rig.git("log", "-1", "--format=%an <%ae>%n%B"),
    "Ada <ada@example.com>\nAdd the thing\n\n# not a comment\n\nSuperteam-Run: run-1\nSuperteam-Task: task-1\nSuperteam-Request: run-1/7\n\n",
  );
  const left = "?? .superteam-workflow.json\n?? docs/progress.md\n?? notes.txt\n";
  assert.equal(await rig.git("status", "--porcelain", "-uall"), ` M docs/plan.md\n${left}`);
});

test("git looks whether to tidy up with the documents' commit, and not with each task's", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1", "plan.md": "1" });
  const repo = await rig.open("plan.md");
  // git counts the objects of one of its folders, and more than one is too many by this.
  await rig.git("config", "gc.auto", "1");
  for (const text of textsNamed("17", 2)) {
    await rig.write("object", text);
    await rig.git("hash-object", "-w", "object");
  }
  await rig.remove("object");
  const signs = await makeFolder(t);
  await rig.hook("pre-auto-gc", `touch ${signs}/looked`, "exit 1");
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  await rig.write("plan.md", "2");
  committed(await repo.commit(order(anchor)));
  assert.equal(await rigIn(signs).exists("looked"), false);
  committed(await repo.commit(order(anchor, { documents: ["plan.md"] })));
  assert.equal(await rigIn(signs).exists("looked"), true);
});

/** So many texts whose objects' names begin like this. */
function textsNamed(start: string, count: number): readonly string[] {
  const texts: string[] = [];
  for (let number = 0; texts.length < count; number++) {
    const text = `text ${number}`;
    const name = createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex");
    if (name.startsWith(start)) texts.push(text);
  }
  return texts;
}

for (const hasHook of [false, true])
  test(`in a large tree a commit looks at all files just before it${hasHook ? " and just after its hook" : ""}, and leaves the index in order`, async (t) => {
    const folder = "a-folder-with-a-long-name/".repeat(8);
    const many = Array.from({ length: 2100 }, (_, at) => [`${folder}${at}.txt`, "1"]);
    const rig = await makeRig(t, { ...Object.fromEntries(many), "a.txt": "1", "gone.txt": "1", "staged.txt": "1" });
    const repo = await rig.open();
    await rig.write("staged.txt", "the person's");
    await rig.git("add", "staged.txt");
    await rig.git("update-index", "--refresh");
    const anchor = await repo.snapshot("s");
    await rig.write("a.txt", "2");
    await rig.write("new.txt", "2");
    await rig.remove("gone.txt");
    if (hasHook) await rig.hook("post-commit", "true");
    await passes(30);
    const log = await logGit(t);
    const outcome = committed(await repo.commit(order(anchor)));
    assert.deepEqual(outcome.files, ["a.txt", "gone.txt", "new.txt"]);
    const commands = (await log()).split("\n");
    const verbs = commands.flatMap((line) => / (diff-files|update-index|reset|add) /.exec(line)?.[1] ?? []);
    assert.deepEqual(
      verbs.filter((verb) => verb !== "diff-files"),
      ["update-index"],
    );
    assert.equal(verbs.filter((verb) => verb === "diff-files").length, hasHook ? 2 : 1);
    assert.equal(await rig.git("diff-files", "--name-only"), "", "their times are known");
    assert.equal(await rig.git("diff", "--cached", "--name-only"), "staged.txt\n");
  });

test("in a large tree what somebody changes after the commit is not staged with it", async (t) => {
  const many = Array.from({ length: 4000 }, (_, at) => [`${"a-folder-with-a-long-name/".repeat(5)}${at}.txt`, "1"]);
  const rig = await makeRig(t, { ...Object.fromEntries(many), "a.txt": "1" });
  const repo = await rig.open();
  await rig.git("update-index", "--refresh");
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  await rig.hook("post-commit", "echo 3 >a.txt");
  await passes(30);
  const outcome = committed(await repo.commit(order(anchor)));
  assert.deepEqual([outcome.files, outcome.changedByHook], [["a.txt"], true]);
  assert.equal(await rig.git("diff", "--cached", "--name-only"), "");
  assert.equal(await rig.git("diff", "--name-only"), "a.txt\n");
});

test("git is not given the path of each of very many files, which takes minutes, and the index is in order", async (t) => {
  const names = Array.from({ length: 600 }, (_, at) => `${at}.txt`);
  const old = Object.fromEntries(names.map((name) => [`old/${name}`, "1"]));
  const rig = await makeRig(t, { ...old, "a.txt": "1", "folder/b.txt": "1", "staged.txt": "1" });
  const repo = await rig.open();
  await rig.write("staged.txt", "the person's");
  await rig.git("add", "staged.txt");
  const anchor = await repo.snapshot("s");
  await rig.remove("old");
  await rig.remove("folder");
  await rig.write("folder", "a file now");
  for (const name of names) await rig.write(`new/${name}`, "2");
  const log = await logGit(t);
  const outcome = committed(await repo.commit(order(anchor)));
  assert.equal(outcome.files.length, 1202);
  assert.doesNotMatch(await log(), /pathspec-from-file/);
  assert.equal(await rig.git("diff-files", "--name-only"), "", "their times are known");
  assert.equal(await rig.git("status", "--porcelain"), "M  staged.txt\n");
});

test("a slow hook is waited for", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  const signs = await makeFolder(t);
  await rig.hook("pre-commit", `touch ${signs}/reached`, `while [ ! -e ${signs}/go ]; do sleep 0.02; done`);
  await rig.write("a.txt", "2");
  const commit = repo.commit(order(anchor));
  await until(() => rigIn(signs).exists("reached"));
  await writeFile(join(signs, "go"), "");
  assert.equal(committed(await commit).changedByHook, false);
});

test("a hook that refuses leaves HEAD, index and files as they were, whatever it did before", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1\n", "src/b.txt": "1\n" });
  const repo = await rig.open();
  await rig.write("notes.txt", "the person's");
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2\n");
  await rig.write("staged.txt", "2\n");
  await rig.git("add", "staged.txt");
  await rig.write("src/b.txt", "2\n");
  await rig.hook(
    "pre-commit",
    "echo formatted >> a.txt; rm src/b.txt notes.txt",
    "git add -A",
    "echo 'lint: a.txt is ugly'; exit 3",
  );
  const before = await everything(rig);
  const outcome = await repo.commit(order(anchor));
  assert.equal(outcome.status, "refused");
  assert.match(outcome.detail, /lint: a\.txt is ugly[\s\S]*try again/);
  assert.equal(await everything(rig), before);
  assert.equal(await rig.read("notes.txt"), "the person's");

  await rig.hook("pre-commit", "exit 0");
  const second = committed(await repo.commit(order(anchor)));
  assert.deepEqual(second.files, ["a.txt", "src/b.txt", "staged.txt"]);
});

test("a hook that changes what is committed is noticed, and so is one that changes only the files", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const first = await repo.snapshot("s1");
  await rig.hook("pre-commit", "echo formatted >> a.txt; git add a.txt");
  await rig.write("a.txt", "2\n");
  const formatted = committed(await repo.commit(order(first)));
  assert.equal(formatted.changedByHook, true);
  assert.equal(formatted.tree, await repo.tree());
  assert.equal(await rig.git("show", "HEAD:a.txt"), "2\nformatted\n");
  assert.equal(await rig.git("status", "--porcelain"), "");

  const second = await repo.snapshot("s2");
  await rig.hook("pre-commit", "echo again >> a.txt");
  await rig.write("b.txt", "2\n");
  assert.equal(committed(await repo.commit(order(second, { request: "run-1/9" }))).changedByHook, true);
});

test("without a configured identity the commit is refused with what to type", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  await rig.git("config", "--unset", "user.email");
  const before = await everything(rig);
  const outcome = await repo.commit(order(anchor));
  assert.equal(outcome.status, "refused");
  assert.match(outcome.detail, /git config --global user\.email/);
  assert.equal(await everything(rig), before);
});

test("a commit that cannot be signed is told as one", async (t) => {
  const rig = await makeRig(t);
  const anchor = await (await rig.open()).snapshot("s");
  await rig.write("a.txt", "2");
  await rig.git("config", "commit.gpgsign", "true");
  await rig.git("config", "gpg.program", "/bin/false");
  await refusedWith(
    rig,
    anchor,
    /^(?![\s\S]*hook refused)[\s\S]*could not be signed: unlock your key/,
    async () => undefined,
  );
});

test("during a merge and on another branch the commit is refused and nothing moves", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.git("branch", "other");
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  await refusedWith(rig, anchor, /A merge is in progress.*git merge --abort/, async () => {
    await writeFile(join(rig.root, ".git/MERGE_HEAD"), `${anchor.sha}\n`);
  });
  await rig.remove(".git/MERGE_HEAD");
  await refusedWith(rig, anchor, /started on main, and HEAD is on other.*git switch main/, () =>
    rig.git("checkout", "other"),
  );
});

test("a lock that another git process holds is named, and the commit is found once it is gone", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  await writeFile(join(rig.root, ".git/index.lock"), "");
  const atWork = spawn("git", ["cat-file", "--batch"], { cwd: rig.root, stdio: ["pipe", "ignore", "ignore"] });
  t.after(() => atWork.kill());
  await once(atWork, "spawn");
  await assert.rejects(repo.commit(order(anchor)), /remove .*index\.lock/);
  await rig.remove(".git/index.lock");
  assert.deepEqual((await repo.findCommit(anchor, "run-1/7"))?.status, "committed");
  assert.equal(await rig.git("status", "--porcelain"), "");
});

test("a hook that refuses the documents leaves them as they were", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open("plan.md");
  const anchor = await repo.snapshot("s");
  await rig.write("plan.md", "text\n");
  await rig.hook("pre-commit", "echo formatted >> plan.md; exit 1");
  const before = await everything(rig);
  const outcome = await repo.commit(order(anchor, { documents: ["plan.md"] }));
  assert.equal(outcome.status, "refused");
  assert.equal(await everything(rig), before);
  const backupRef = /kept at (\S+)\. /.exec(outcome.detail)?.[1];
  assert.equal(await rig.git("show", `${backupRef}:plan.md`), "text\nformatted\n");
  assert.equal(await rig.read("plan.md"), "text\n");
});

test("E2: a commit that a hook changed is found as it was made", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.hook("pre-commit", "echo formatted >> a.txt; git add a.txt");
  await rig.write("b.txt", "2");
  const changed = committed(await repo.commit(order(anchor, { request: "run-1/9" })));
  assert.equal(changed.changedByHook, true);
  assert.deepEqual(await repo.findCommit(anchor, "run-1/9"), changed);
});

test("a commit that is killed in its hook loses nothing, and committing again makes exactly one", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("notes.txt", "the person's");
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  await rig.write("b.txt", "2");
  const signs = await makeFolder(t);
  await rig.hook("pre-commit", `touch ${signs}/reached`, `while [ ! -e ${signs}/go ]; do sleep 0.02; done`);
  const tree = await repo.tree();
  const child = startChild(rig, "commit", anchor);
  await until(() => rigIn(signs).exists("reached"));
  await killAll(child);
  assert.equal(await repo.findCommit(anchor, "run-1/7"), undefined);
  assert.equal(await repo.tree(), tree);
  await writeFile(join(signs, "go"), "");
  const outcome = committed(await repo.commit(order(anchor)));
  assert.deepEqual([outcome.files, outcome.changedByHook], [["a.txt", "b.txt"], false]);
  assert.equal((await rig.git("rev-list", "--count", `${anchor.sha}..HEAD`)).trim(), "1");
  assert.equal(await rig.git("status", "--porcelain"), "?? notes.txt\n");
});

async function refusedWith(rig: Rig, since: Anchor, detail: RegExp, arrange: () => Promise<unknown>): Promise<void> {
  await arrange();
  const before = await everything(rig);
  const index = await readFile(join(rig.root, ".git/index"));
  const outcome = await (await rig.open()).commit(order(since));
  assert.equal(outcome.status, "refused");
  assert.match(outcome.detail, detail);
  assert.equal(await everything(rig), before);
  assert.deepEqual(await readFile(join(rig.root, ".git/index")), index);
}
