// A merge, rebase or similar in progress (E3b), on real git: the person's stays as it is, an agent's is ended.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { copyPrepared, repositoryWith } from "../../rig/prepared.ts";
import { isLongForm } from "../../rig/property.ts";
import { beginning, makeFolder, rigIn } from "./rig.ts";

/** Each is in the middle, with a conflict in both.txt where there can be one. */
const operations = {
  "a merge": { begin: ["merge", "other"], end: ["merge", "--abort"], head: "MERGE_HEAD" },
  "a merge without a conflict": {
    begin: ["merge", "--no-commit", "easy"],
    end: ["merge", "--abort"],
    head: "MERGE_HEAD",
  },
  "a cherry-pick": { begin: ["cherry-pick", "other"], end: ["cherry-pick", "--abort"], head: "CHERRY_PICK_HEAD" },
  "a revert": { begin: ["revert", "--no-edit", "HEAD~1"], end: ["revert", "--abort"], head: "REVERT_HEAD" },
  "a rebase": { begin: ["rebase", "other"], end: ["rebase", "--abort"], head: "rebase-merge/onto" },
  "a bisect": { begin: ["bisect", "start", "HEAD", "HEAD~2"], end: ["bisect", "reset"], head: "BISECT_LOG" },
} as const;
type Name = keyof typeof operations;
const names = Object.keys(operations) as readonly Name[];

/** All branches that the operations need, made once. */
function prepare(root: string): void {
  repositoryWith(root, { ...beginning, files: { "both.txt": "1\n", "a.txt": "1\n", "easy.txt": "1\n" } });
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  const change = (file: string, text: string): void => {
    writeFileSync(join(root, file), text);
    git("commit", "-qam", `${file} ${text}`);
  };
  git("checkout", "-qb", "other");
  change("both.txt", "other\n");
  git("checkout", "-qb", "easy", "main");
  change("easy.txt", "easy\n");
  git("checkout", "-q", "main");
  change("both.txt", "ours\n");
  change("both.txt", "ours again\n");
}

async function made(t: TestContext) {
  const rig = rigIn(join(await makeFolder(t), "tree"));
  copyPrepared(rig.root, "operations", prepare);
  const repo = await rig.open();
  /** All that the person would miss. */
  const state = async () => ({
    head: await repo.head(),
    // How HEAD came to where it is, git guesses from its log.
    status: (await rig.git("status", "--untracked-files=no")).replace(/^HEAD detached .*\n/, ""),
    staged: await rig.git("ls-files", "-s"),
    both: await rig.read("both.txt"),
    easy: await rig.read("easy.txt"),
  });
  return { rig, repo, state };
}

const deeds = ["ends it", "continues it", "leaves it"] as const;

/** One for each operation, in turn; npm run test:slow tries every deed with every operation. */
const deedsOf = (name: Name) =>
  deeds.filter((_deed, place) => isLongForm || names.indexOf(name) % deeds.length === place);

/** A writer was at work while the person was in the middle of it. */
async function meddled(t: TestContext, name: Name, deed: (typeof deeds)[number]) {
  const { rig, repo, state } = await made(t);
  const { begin, end } = operations[name];
  await rig.git(...begin).catch(() => undefined);
  const before = await state();
  const given = await repo.snapshot("s");
  if (deed === "ends it") await rig.git(...end);
  if (deed === "continues it") {
    await rig.git("add", "-A");
    await rig.git("commit", "-q", "--allow-empty", "-m", "by the agent");
  }
  await rig.write("a.txt", "by the writer\n");
  return { repo, state, before, given };
}

for (const name of names) {
  const { begin, end, head } = operations[name];
  test(`E3b: ${name} that the person is in the middle of stays when an agent's work is taken back`, async (t) => {
    const { rig, repo, state } = await made(t);
    const start = await repo.snapshot("start");
    await rig.write("a.txt", "by the writer\n");
    await rig.write("new.txt", "by the writer\n");
    await rig.git("add", "new.txt");
    const { changed } = await repo.afterWriter({ given: start, ours: [] }, "w");
    await rig.git("restore", "--staged", "new.txt");
    await rig.write("a.txt", "1\n");
    await rig.git(...begin).catch(() => undefined);
    const before = await state();
    await rig.write("a.txt", "by the writer\n");
    await rig.git("add", "a.txt", "new.txt");
    assert.equal(await rig.exists(`.git/${head}`), true);
    const { moved } = await repo.undoWork({ start, files: changed }, "skip");
    assert.deepEqual([moved, await state(), await rig.exists("new.txt")], [false, before, false]);
    await rig.git(...end);
    assert.equal(await rig.git("status", "--porcelain"), "");
  });

  // These two are kept like a merge.
  for (const deed of ["a cherry-pick", "a revert"].includes(name) ? [] : deedsOf(name)) {
    test(`E3b: ${name} that the person had begun is as it was after a writer that ${deed} and fails`, async (t) => {
      const { repo, state, before, given } = await meddled(t, name, deed);
      const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
      assert.equal(putBack.operation, undefined, "it is not the writer's");
      await repo.undoWork({ start: given, files: changed }, "failed");
      assert.deepEqual(await state(), before);
    });

    test(`E3b: ${name} that the person had begun is as it was when a writer that ${deed} is interrupted`, async (t) => {
      const { repo, state, before, given } = await meddled(t, name, deed);
      await repo.restore(given, "undo");
      assert.deepEqual(await state(), before);
    });
  }

  test(`E3b: ${name} that an agent left in the middle is over when it ends, and when it is interrupted`, async (t) => {
    for (const way of ["ended", "interrupted"] as const) {
      const { rig, repo, state } = await made(t);
      const before = await state();
      const given = await repo.snapshot("s");
      await rig.git(...begin).catch(() => undefined);
      if (way === "interrupted") await repo.restore(given, "undo");
      else {
        const { putBack, changed } = await repo.afterWriter({ given, ours: [] }, "w");
        assert.equal(putBack.operation, begin[0]);
        await repo.undoWork({ start: given, files: changed }, "failed");
      }
      assert.deepEqual(await state(), before);
      assert.equal(await rig.git("status", "--porcelain"), "");
    }
  });

  test(`E3: ${name} that was begun after the agent was gone is a sign of the person`, async (t) => {
    const { rig, repo } = await made(t);
    const anchor = await repo.snapshot("s");
    const goneAt = Date.now() - 60_000;
    await rig.git(...begin).catch(() => undefined);
    assert.match((await repo.personAtWork(anchor, goneAt)) ?? "", /was started at|HEAD was on main/);
    assert.equal(await repo.personAtWork(await repo.snapshot("t"), Date.now() + 60_000), undefined);
  });
}

test("E3b: changes that git has put aside for the person's merge come back with it, also after a writer ended it", async (t) => {
  const { rig, repo } = await made(t);
  await rig.write("a.txt", "mine\n");
  await rig.git("merge", "--autostash", "other").catch(() => undefined);
  const given = await repo.snapshot("s");
  assert.equal(await rig.read("a.txt"), "1\n");
  await rig.git("merge", "--abort");
  await repo.restore(given, "undo");
  assert.equal(await rig.read("a.txt"), "1\n");
  await rig.git("merge", "--abort");
  assert.equal(await rig.read("a.txt"), "mine\n");
});
