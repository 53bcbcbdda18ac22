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
    const outcome = committed(await rig.repo.commit(order(anchor, { message: "Add the thing\n\n# not a comment\n" })));
    assert.deepEqual(outcome.files, ["-new file\n.txt", "a.txt", "gone.txt"]);
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

  test("an agent's own commits are squashed into the one", async (t) => {
    const rig = await make(t, { "a.txt": "1" }, ["plan.md"]);
    await rig.write("notes.txt", "the person's");
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "first\n");
    await rig.write("plan.md", "a document");
    await rig.commit("wip, with the person's notes and a document");
    await rig.write("b.txt", "second\n");
    await rig.commit("wip 2");
    await rig.write("c.txt", "third\n");
    assert.deepEqual(committed(await rig.repo.commit(order(anchor))).files, ["a.txt", "b.txt", "c.txt"]);
    assert.equal((await rig.log()).length, 2);
    assert.deepEqual([await rig.read("notes.txt"), await rig.read("plan.md")], ["the person's", "a document"]);
  });

  test("nothing changed is no commit, also when the agent committed and took it back", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("notes.txt", "the person's");
    const anchor = await rig.repo.snapshot("s");
    assert.deepEqual(await rig.repo.commit(order(anchor)), { status: "nothing" });
    await rig.commit("only what was there");
    assert.deepEqual(await rig.repo.commit(order(anchor)), { status: "nothing" });
    assert.equal((await rig.repo.head()).sha, anchor.sha);
    assert.equal(await rig.read("notes.txt"), "the person's");
  });

  test("S1: a person's untracked file enters no commit, whatever an agent did to it", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    for (const path of ["same.txt", "changed.txt", "committed.txt", "gone.txt"]) await rig.write(path, "1");
    const anchor = await rig.repo.snapshot("s");
    await rig.write("changed.txt", "2");
    await rig.write("committed.txt", "2");
    await rig.remove("gone.txt");
    await rig.commit("by the agent", ["committed.txt"]);
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
    await rig.commit("by the agent");
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

  test("commits made after the agents were done are not squashed, and are named", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2\n");
    const tip = await rig.commit("by the agent");
    await rig.write("mine.js", "my own separate work\n");
    const mine = await rig.commit("My own commit");
    const outcome = await rig.repo.commit(order(anchor, { tip }));
    assert.equal(outcome.status, "refused");
    assert.match(outcome.detail, new RegExp(`${mine.slice(0, 10)} "My own commit" by `));
    assert.doesNotMatch(outcome.detail, /by the agent/);
    assert.equal((await rig.repo.head()).sha, mine);
  });

  test("the task's own earlier commit is nobody else's", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    const tip = anchor.sha;
    await rig.write("a.txt", "2\n");
    committed(await rig.repo.commit(order(anchor, { tip })));
    await rig.write("b.txt", "2\n");
    const second = committed(await rig.repo.commit(order(anchor, { tip, request: "run-1/8" })));
    assert.deepEqual(second.files, ["a.txt", "b.txt"]);
    assert.equal((await rig.log()).length, 2);
  });

  test("on another branch, or when the branch lost the anchor, the commit is refused and nothing moves", async (t) => {
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
    await refuses(/no longer contains/);
  });
}
