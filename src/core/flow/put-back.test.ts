import assert from "node:assert/strict";
import { test } from "node:test";
import { checkTexts, putBackTexts, readerTexts } from "./put-back.ts";

const nothing = { files: [], moved: false, commits: [], refs: [], settings: [], pushed: [], refsKept: [] };

test("a writer that kept to its work is not mentioned", () => {
  assert.deepEqual(putBackTexts("implementer", nothing), []);
});

test("a warning names what was staged beside the work, and where it is kept", () => {
  assert.deepEqual(putBackTexts("implementer", { ...nothing, staged: ["notes.txt"], refsKept: ["refs/x"] }), [
    "The implementer changed what was staged: notes.txt. It is staged as before. What it left is kept at refs/x.",
  ]);
});

test("warnings of a reader have the same words, and speak of no work in the tree", () => {
  const back = {
    refs: ["made", "stash"],
    settings: ["config"],
    settingsKept: "/kept",
    pushed: ["origin/main"],
    refsKept: ["refs/x"],
  };
  assert.deepEqual(readerTexts("scout", { ...back, operation: "merge" }), [
    "The scout left a merge unfinished. It was ended.",
    "The scout changed branches, tags or stashes: made, stash. They were restored. What it left is kept at refs/x.",
    "The scout changed git's own files: config. They were restored. What it left is in /kept.",
    "The scout pushed to origin/main. superteam cannot undo that: look at it there.",
  ]);
});

test("of a reader it is said what stood in the place of files, and what stays", () => {
  const back = { refs: [], settings: [], pushed: [], refsKept: [], filesKept: "/kept", leftAlone: ["big", "nested"] };
  assert.deepEqual(readerTexts("scout", back), [
    "The scout put something else in the place of files. They were restored. What it left is in /kept.",
    "The scout made what superteam does not undo (too big, a repository of its own, or a name that git refuses): big, nested. It is still there.",
  ]);
});

test("what could not be restored, what git sees now, and what was moved aside is said with where it is", () => {
  const back = {
    ...nothing,
    files: ["a.txt"],
    filesKept: "/kept/files",
    filesLost: { files: ["b.txt"], ref: "refs/yours" },
    uncovered: [".env"],
    copied: ["other.pem"],
    exposed: ["key.pem"],
    meanwhile: { files: ["b.txt"], refs: ["refs/x-2"] },
    refsLost: ["tags/v1"],
  };
  assert.deepEqual(putBackTexts("implementer", back), [
    "The implementer changed your files: a.txt. They were restored. What it left is in /kept/files.",
    "The implementer changed files of yours that could not be restored: b.txt. Yours are kept: git show refs/yours:<file>",
    "The implementer changed what git ignores, so that git now sees files of yours: .env. They are in no commit. Ignore them again to keep them out.",
    "The implementer moved or copied files of yours that git does not track to other.pem. They are in no commit. Delete them, or commit them yourself.",
    "The implementer changed branches, tags or stashes that cannot be restored: tags/v1. The commits they named are gone, or something blocks them.",
    "The implementer let others on this machine read files of yours: key.pem. They are closed to others again.",
    "b.txt changed while superteam restored files, and went back to the earlier state too. The change is kept at refs/x-2.",
  ]);
});

test("files that only a switch, a reset or a stash changed are named with it", () => {
  const switched = ["letter.txt"];
  assert.deepEqual(putBackTexts("implementer", { ...nothing, moved: true, branch: "old", switched }), [
    "The implementer switched to old. HEAD is back on its branch. Files that only this changed were restored: letter.txt. The work is in the tree, uncommitted.",
  ]);
  assert.deepEqual(putBackTexts("implementer", { ...nothing, moved: true, switched }), [
    "The implementer moved the branch. The branch was moved back. Files that only this changed were restored: letter.txt. The work is in the tree, uncommitted.",
  ]);
  assert.deepEqual(putBackTexts("implementer", { ...nothing, refs: ["stash"], switched, refsKept: ["refs/x"] }), [
    "The implementer stashed work. Files that only this changed were restored: letter.txt. What it left is kept at refs/x.",
    "The implementer changed branches, tags or stashes: stash. They were restored. What it left is kept at refs/x.",
  ]);
});

test("settings outside the repository are named, and which hooks are used if those are among them", () => {
  const changed = "changed git's configuration outside this repository:";
  const advice = "superteam does not restore that: look at it before you start or resume another run.";
  assert.deepEqual(putBackTexts("implementer", { ...nothing, outside: ["user.name (/home/ada/.gitconfig)"] }), [
    `The implementer ${changed} user.name (/home/ada/.gitconfig). ${advice}`,
  ]);
  const hooks = { ...nothing, outside: ["core.hookspath (/home/ada/.gitconfig)"] };
  assert.deepEqual(readerTexts("scout", hooks), [
    `The scout ${changed} core.hookspath (/home/ada/.gitconfig). ${advice} Until then superteam commits with the hooks from before.`,
  ]);
});

test("of files without a copy it is said what became of them, and that it is not undone", () => {
  const damage = { opened: ["private"], unsaved: { changed: ["huge.bin"], gone: ["secret.txt", "lib"] } };
  const rule =
    "superteam keeps no copy of such files (over 10 MB, unreadable, or in a repository of their own), so this is not undone.";
  const texts = (role: string) => [
    `The ${role} made files or folders unreadable: private. They are open again, for you alone.`,
    `The ${role} changed huge.bin. ${rule}`,
    `The ${role} removed, moved or closed secret.txt, lib. ${rule}`,
  ];
  assert.deepEqual(putBackTexts("implementer", { ...nothing, ...damage }), texts("implementer"));
  const around = { refs: [], settings: [], pushed: [], refsKept: [], ...damage };
  assert.deepEqual(readerTexts("scout", around), texts("scout"));
});

test("what a failed writer left and no commit can hold was moved away, and it is said where", () => {
  assert.deepEqual(putBackTexts("implementer", { ...nothing, filesKept: "/kept" }), [
    "The implementer left what no commit can hold. It was moved to /kept.",
  ]);
});

test("of a check it is said what changed while its files were restored", () => {
  const meanwhile = { files: ["b.txt"], refs: ["refs/x-2"] };
  assert.deepEqual(checkTexts("npm test", { leftAlone: ["huge.bin"], meanwhile }), [
    "`npm test` made what superteam does not undo (too big, a repository of its own, or a name that git refuses): huge.bin. It is still there.",
    "b.txt changed while superteam restored files, and went back to the earlier state too. The change is kept at refs/x-2.",
  ]);
});
