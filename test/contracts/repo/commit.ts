// One commit per task, of what was judged (T1, T6), and how an interrupted one is found again (E2).

import assert from "node:assert/strict";
import { test } from "node:test";
import type { MakeRepo } from "../repo.ts";
import { committed, order } from "./order.ts";

export function commitContract(make: MakeRepo): void {
  test("everything since the anchor becomes one commit with its trailers, and nothing else does", async (t) => {
    const files = { "a.txt": "1", "gone.txt": "1", "docs/plan.md": "1" };
    const rig = await make(t, files, ["docs/plan.md", "docs/progress.md"]);
    await rig.write("notes.txt", "the person's");
    const anchor = await rig.repo.snapshot("s");
    await rig.remove("gone.txt");
    for (const path of ["a.txt", "-new file\n.txt", "docs/plan.md", "docs/progress.md"]) await rig.write(path, "2");
    const before = await rig.files();
    const counted = [
      { file: "-new file\n.txt", added: 1, removed: 0 },
      { file: "a.txt", added: 1, removed: 1 },
      { file: "gone.txt", added: 0, removed: 1 },
    ];
    const outcome = committed(await rig.repo.commit(order(anchor, { message: "Add the thing\n\n# not a comment\n" })));
    assert.deepEqual(outcome.files, ["-new file\n.txt", "a.txt", "gone.txt"]);
    // A repository may count no lines. One that does counts as git does.
    assert.deepEqual(outcome.lines ?? counted, counted);
    assert.deepEqual([outcome.changedByHook, outcome.tree], [false, await rig.repo.tree()]);
    const [last, ...older] = await rig.log();
    assert.deepEqual([last?.sha, older.map(({ sha }) => sha)], [outcome.sha, [anchor.sha]]);
    const trailers = "Superteam-Run: run-1\nSuperteam-Task: task-1\nSuperteam-Request: run-1/7";
    assert.equal(last?.message.trimEnd(), `Add the thing\n\n# not a comment\n\n${trailers}`);
    assert.equal(await rig.show(outcome.sha, "docs/plan.md"), "1");
    assert.deepEqual(await rig.files(), before);
  });

  test("trailers join those that the message has already", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2");
    const message = "Subject\n\nCo-authored-by: Eve <e@x.y>";
    committed(await rig.repo.commit(order(anchor, { message, task: "two\nlines" })));
    const trailers = "Superteam-Run: run-1\nSuperteam-Task: two lines\nSuperteam-Request: run-1/7";
    assert.equal((await rig.log())[0]?.message.trimEnd(), `${message}\n${trailers}`);
  });

  test("nothing changed is no commit", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("notes.txt", "the person's");
    const anchor = await rig.repo.snapshot("s");
    assert.deepEqual(await rig.repo.commit(order(anchor)), { status: "nothing" });
    assert.equal((await rig.repo.head()).sha, anchor.sha);
    assert.equal(await rig.read("notes.txt"), "the person's");
  });

  test("T6: what a hook put into the commit beside what was judged is said, and whether it is more than spaces", async (t) => {
    const rig = await make(t, { "a.txt": "1", "b.txt": "1" });
    const hooked = async (request: string, files: Readonly<Record<string, string>>) => {
      const anchor = await rig.repo.snapshot("s");
      await rig.write("a.txt", `x\n  y ${request}\n`);
      await rig.hook(files);
      const outcome = committed(await rig.repo.commit(order(anchor, { request })));
      assert.deepEqual(await rig.repo.findCommit(anchor, request), outcome);
      return outcome.byHook;
    };
    assert.equal(await hooked("run-1/1", {}), undefined);
    assert.deepEqual(await hooked("run-1/2", { "a.txt": "x\ny\trun-1/2" }), { files: ["a.txt"], isOnlySpace: true });
    assert.deepEqual(await hooked("run-1/3", { "a.txt": "x\ny\nrun-1/3\n" }), { files: ["a.txt"], isOnlySpace: false });
    const others = { "b.txt": " 1", "new.txt": "" };
    assert.deepEqual(await hooked("run-1/4", others), { files: ["b.txt", "new.txt"], isOnlySpace: false });
  });

  test("S1: what is the person's is left out of the commit, tracked or not, and stays as it is", async (t) => {
    const rig = await make(t, { "a.txt": "1", "mine.txt": "1", "gone.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    for (const path of ["a.txt", "mine.txt", ".env.local"]) await rig.write(path, "2");
    await rig.remove("gone.txt");
    const tree = await rig.repo.tree();
    const leaveOut = ["mine.txt", ".env.local", "gone.txt"];
    const outcome = committed(await rig.repo.commit(order(anchor, { tree, leaveOut })));
    assert.deepEqual([outcome.files, outcome.leftOut?.files], [["a.txt"], ["gone.txt", "mine.txt"]]);
    assert.deepEqual([outcome.changedByHook, outcome.tree], [false, tree]);
    assert.equal(await rig.show(outcome.sha, "mine.txt"), "1");
    assert.deepEqual([await rig.read("mine.txt"), await rig.read(".env.local")], ["2", "2"]);
  });

  test("E3b: a commit says what it looks like without changes of the person's that were judged with it", async (t) => {
    const rig = await make(t, { "a.txt": "1", "mine.txt": "1", "gone.txt": "1" });
    // Before the work and meanwhile.
    await rig.write("mine.txt", "2");
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2");
    await rig.remove("gone.txt");
    await rig.write("untracked.txt", "2");
    const leaveOut = ["gone.txt", "untracked.txt"];
    const request = order(anchor, { tree: await rig.repo.tree(), leaveOut });
    const { sha, leftOut } = committed(await rig.repo.commit(request));
    assert.ok(leftOut);
    const { files, alone } = leftOut;
    assert.deepEqual([files, alone.sha, alone.branch], [["gone.txt", "mine.txt"], sha, anchor.branch]);
    const held = ["a.txt", "mine.txt", "gone.txt", "untracked.txt"].map((path) => rig.show(alone.ref, path));
    assert.deepEqual(await Promise.all(held), ["2", "1", "1", "2"]);
    const found = await rig.repo.findCommit(anchor, request.request);
    assert.deepEqual(found?.status === "committed" ? found.leftOut : undefined, leftOut);
    await rig.write("a.txt", "3");
    const next = await rig.repo.snapshot("t");
    await rig.write("mine.txt", "1");
    await rig.write("gone.txt", "1");
    await rig.write("a.txt", "4");
    assert.equal(committed(await rig.repo.commit(order(next, { request: "run-1/9" }))).leftOut, undefined);
  });

  test("E3b: where the person put a file in the place of a folder, what is committed is there without it", async (t) => {
    const rig = await make(t, { "a.txt": "1", "d/x.txt": "1", "d/e/z.txt": "1" });
    await rig.remove("d");
    await rig.write("d", "mine");
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2");
    const { leftOut } = committed(await rig.repo.commit(order(anchor)));
    assert.deepEqual(leftOut?.files, ["d/e/z.txt", "d/x.txt"]);
    assert.equal(await rig.show(leftOut?.alone.ref ?? "", "d/e/z.txt"), "1");
  });

  test("F3: what is staged of a committed file, and is in no file, is kept under a ref", async (t) => {
    const rig = await make(t, { "a.txt": "1", "b.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    for (const path of ["a.txt", "b.txt"]) {
      await rig.write(path, "staged");
      await rig.stage(path);
    }
    await rig.write("a.txt", "2");
    const outcome = committed(await rig.repo.commit(order(anchor)));
    assert.deepEqual([outcome.files, outcome.staged?.files], [["a.txt", "b.txt"], ["a.txt"]]);
    assert.equal(await rig.show(outcome.staged?.ref ?? "", "a.txt"), "staged");
  });

  test("F3: what the person has staged is still staged after a commit, even where its file is gone", async (t) => {
    const rig = await make(t, { "a.txt": "1", "mine.txt": "1" });
    await rig.write("mine.txt", "staged");
    await rig.write("new.txt", "staged");
    for (const path of ["mine.txt", "new.txt"]) await rig.stage(path);
    await rig.write("mine.txt", "edited after that");
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2");
    await rig.stage("a.txt");
    assert.deepEqual(committed(await rig.repo.commit(order(anchor))).files, ["a.txt"]);
    const sha = await rig.commit("what is staged", []);
    const texts = await Promise.all(["a.txt", "mine.txt", "new.txt"].map((path) => rig.show(sha, path)));
    assert.deepEqual(texts, ["2", "staged", "staged"]);
    assert.equal(await rig.read("mine.txt"), "edited after that");
  });

  test("S1: a person's untracked file enters no commit, whatever an agent did to it", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    for (const path of ["same.txt", "changed.txt", "committed.txt", "gone.txt"]) await rig.write(path, "1");
    const anchor = await rig.repo.snapshot("s");
    await rig.write("changed.txt", "2");
    await rig.write("committed.txt", "2");
    await rig.remove("gone.txt");
    await rig.stage("committed.txt");
    assert.deepEqual(await rig.repo.commit(order(anchor)), { status: "nothing" });
    await rig.write("a.txt", "2");
    assert.deepEqual(committed(await rig.repo.commit(order(anchor, { request: "run-1/8" }))).files, ["a.txt"]);
    const texts = await Promise.all(["same.txt", "changed.txt", "committed.txt"].map(rig.read));
    assert.deepEqual(texts, ["1", "2", "2"]);
  });

  documentsContract(make);
  refusalContract(make);
}

function documentsContract(make: MakeRepo): void {
  test("S1: a documents commit holds just those documents, on top of HEAD, and not those that are ignored", async (t) => {
    const documents = ["docs/design.md", "docs/plan with space.md", "docs/x.secret.md", "docs/none.md"];
    const rig = await make(t, { "a.txt": "1", ".gitignore": "*.secret.md\n" }, documents);
    const anchor = await rig.repo.snapshot("s");
    for (const path of documents.slice(0, 3)) await rig.write(path, "text\n");
    await rig.write("docs/other.md", "the person's");
    await rig.write("a.txt", "work in progress");
    const outcome = committed(await rig.repo.commit(order(anchor, { documents, request: "run-1/3" })));
    assert.deepEqual(outcome.files, ["docs/design.md", "docs/plan with space.md"]);
    assert.deepEqual([outcome.changedByHook, outcome.tree], [false, await rig.repo.tree()]);
    assert.equal(await rig.show(outcome.sha, "a.txt"), "1");
    assert.equal(await rig.read("a.txt"), "work in progress");
    assert.deepEqual(await rig.repo.commit(order(anchor, { documents, request: "run-1/4" })), { status: "nothing" });
  });

  test("E2: a commit is found by its request between anchor and HEAD only, and as it was made", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("s1");
    await rig.write("a.txt", "2");
    assert.equal(await rig.repo.findCommit(anchor, "run-1/7"), undefined);
    const made = await rig.repo.commit(order(anchor));
    assert.deepEqual(await rig.repo.findCommit(anchor, "run-1/7"), made);
    assert.equal(await rig.repo.findCommit(anchor, "run-1/70"), undefined);
    assert.equal(await rig.repo.findCommit(await rig.repo.snapshot("s2"), "run-1/7"), undefined);
  });
}

function refusalContract(make: MakeRepo): void {
  test("T6: a tree that is not the judged one any more is not committed, and nothing is touched", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "judged\n");
    const tree = await rig.repo.tree();
    await rig.write("a.txt", "edited after the reviews\n");
    for (let n = 10; n < 22; n++) await rig.write(`unreviewed-${n}.js`, "nobody has looked at this");
    const before = [await rig.repo.head(), await rig.files()];
    const outcome = await rig.repo.commit(order(anchor, { tree }));
    assert.equal(outcome.status, "moved");
    assert.match(outcome.detail, /a\.txt, unreviewed-10\.js, .*unreviewed-18\.js and 3 more/);
    assert.deepEqual([await rig.repo.head(), await rig.files()], before);
    const forgotten = await rig.repo.commit(order(anchor, { tree: "1".repeat(40) }));
    assert.equal(forgotten.status, "moved", "a tree that is no longer known is another one too");
    committed(await rig.repo.commit(order(anchor, { tree: await rig.repo.tree() })));
  });

  test("commits of the person's stay below the task's, unless they hold its files or are on top of it", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2\n");
    await rig.write("mine.js", "my own separate work\n");
    const mine = await rig.commit("My own commit", ["mine.js"]);
    const leaveOut = ["mine.js", "more.js"];
    const first = committed(await rig.repo.commit(order(anchor, { leaveOut })));
    assert.deepEqual(
      [first.files, (await rig.log()).map(({ sha }) => sha)],
      [["a.txt"], [first.sha, mine, anchor.sha]],
    );
    await rig.write("more.js", "more of it\n");
    const top = await rig.commit("On top", ["more.js"]);
    await rig.write("a.txt", "3\n");
    const outcome = await rig.repo.commit(order(anchor, { leaveOut, request: "run-1/8" }));
    assert.equal(outcome.status, "refused");
    assert.match(outcome.detail, new RegExp(`${top.slice(0, 10)} "On top" by `));
    assert.equal((await rig.repo.head()).sha, top);
  });

  test("a commit of the person's with files of the task in it is named, and nothing moves", async (t) => {
    const rig = await make(t, { "a.txt": "1", "b.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    for (const path of ["a.txt", "b.txt"]) await rig.write(path, "2\n");
    const mine = await rig.commit("I take this", ["a.txt"]);
    const outcome = await rig.repo.commit(order(anchor));
    assert.equal(outcome.status, "refused");
    assert.match(outcome.detail, new RegExp(`${mine.slice(0, 10)} "I take this" by `));
    assert.equal((await rig.repo.head()).sha, mine);
  });

  test("the task's own earlier commit is nobody else's", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2\n");
    committed(await rig.repo.commit(order(anchor)));
    await rig.write("b.txt", "2\n");
    const second = committed(await rig.repo.commit(order(anchor, { request: "run-1/8" })));
    assert.deepEqual(second.files, ["a.txt", "b.txt"]);
    assert.equal((await rig.log()).length, 2);
  });

  test("on another branch the commit is refused and nothing moves; on top of rewritten history it is made", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2");
    const refuses = async (detail: RegExp): Promise<void> => {
      const before = [await rig.repo.head(), await rig.files()];
      const outcome = await rig.repo.commit(order(anchor));
      assert.equal(outcome.status, "refused");
      assert.match(outcome.detail, detail);
      assert.deepEqual([await rig.repo.head(), await rig.files()], before);
    };
    await rig.checkout("other");
    await refuses(/started on main, and HEAD is on other/);
    await rig.checkout("main");
    await rig.amend("rewritten");
    const [rewritten] = await rig.log();
    const { sha } = committed(await rig.repo.commit(order(anchor)));
    assert.deepEqual(
      (await rig.log()).map((each) => each.sha),
      [sha, rewritten?.sha],
    );
  });
}
