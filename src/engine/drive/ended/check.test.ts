import assert from "node:assert/strict";
import { test } from "node:test";
import { newJournal, type Rig, rig } from "../../../../test/rig/world.ts";
import { check, type Flow } from "../../../core/flow/flow.ts";
import type { State } from "../../../core/flow/repository.ts";

const given: State = {
  sha: "head",
  branch: "main",
  tree: "tree",
  index: "staged",
  closed: { "a.txt": 0o600 },
  leftAlone: ["old.bin"],
};
const back = { restored: ["a.txt"], backupRef: "ref", moved: false, leftAlone: [] };

/** A check that leaves the repository like that, and is found to have been undone after it. */
async function checked(left: Partial<State>, after: Partial<State> = {}): Promise<Rig & { undone: string[] }> {
  const one = rig(await newJournal());
  const undone: string[] = [];
  Object.assign(one.repo, {
    snapshot: async () => ({ ...given, ref: "refs/x" }),
    look: async () => ({ ...given, ...left }),
    tree: async () => after.tree ?? given.tree,
    difference: async (from: string) => (from === "staged" ? ["a.txt", "notes.txt"] : ["a.txt"]),
    restore: async ({ sha, branch, tree, index }: State) => {
      undone.push(`all: ${sha} ${branch} ${tree} ${index}`);
      return { ...back, leftAlone: ["old.bin", ...(left.leftAlone ?? [])], asideIn: "/aside" };
    },
    restoreFiles: async (_: State, files: readonly string[]) => {
      undone.push(`files: ${files}`);
      return back;
    },
  });
  return { ...one, undone };
}

function* once(): Flow<unknown> {
  const { passed, output, exitCode, signal, timedOut, durationMs, ...outcome } = yield* check("tests", "npm test");
  return outcome;
}

const all = "all: head main tree staged";
for (const [what, left, after, undone, outcome] of [
  ["a check is a receipt for the tree that it saw", {}, {}, [], { tree: "tree" }],
  [
    "what a check changes is put back, and it is a receipt for the tree before",
    { tree: "u" },
    {},
    ["files: a.txt"],
    { tree: "tree", changed: ["a.txt"], backupRef: "ref" },
  ],
  [
    "a check that leaves another tree behind is a receipt for none",
    { tree: "u" },
    { tree: "u" },
    ["files: a.txt"],
    { tree: null, changed: ["a.txt"], backupRef: "ref" },
  ],
  [
    "HEAD is where it was after a check that moved it, with the files and what was staged",
    { sha: "by the check", branch: "scratch" },
    {},
    [all],
    {
      tree: "tree",
      changed: ["a.txt"],
      movedTo: { sha: "by the check", branch: "scratch" },
      backupRef: "ref",
      filesKept: "/aside",
    },
  ],
  [
    "what a check staged is staged as before, and named",
    { index: "by the check" },
    {},
    [all],
    { tree: "tree", changed: ["a.txt"], backupRef: "ref", staged: ["notes.txt"], filesKept: "/aside" },
  ],
  [
    "what a check puts in the place of a file, and no tree can hold, is undone though the tree is the same",
    { leftAlone: ["old.bin", "new.bin"] },
    {},
    [all],
    { tree: "tree", changed: ["a.txt"], backupRef: "ref", leftAlone: ["new.bin"], filesKept: "/aside" },
  ],
  [
    "what a check lets others read is closed again, and named",
    { closed: {} },
    {},
    [all],
    { tree: "tree", changed: ["a.txt"], backupRef: "ref", filesKept: "/aside" },
  ],
  [
    "of a private file that a check changed only that file is restored",
    { tree: "u", closed: {} },
    {},
    ["files: a.txt"],
    { tree: "tree", changed: ["a.txt"], backupRef: "ref" },
  ],
] as const) {
  test(`T6, E3b: ${what}`, async () => {
    const one = await checked(left as Partial<State>, after);
    assert.deepEqual(await one.go(once), { how: "finished", value: outcome });
    assert.deepEqual(one.undone, undone);
  });
}

test("E3b: git's own files are as they were after a check, before git is asked what it did to the tree", async () => {
  const one = await checked({});
  const done: unknown[] = [];
  one.repo.gitFiles = async () => ({ config: { text: "before" } });
  one.repo.restoreGitFiles = async ({ tree }, files) => {
    done.push([tree, files]);
    return { settings: ["config"], settingsKept: "/kept" };
  };
  one.repo.look = async () => {
    done.push("asked");
    return given;
  };
  const value = { tree: "tree", settings: ["config"], settingsKept: "/kept" };
  assert.deepEqual(await one.go(once), { how: "finished", value });
  assert.deepEqual(done, [["tree", { config: { text: "before" } }], "asked"]);
});

test("E3: what changed while the files of a check were restored is named, also when it was stopped", async () => {
  const meanwhile = { files: ["b.txt"], refs: ["refs/x-2"] };
  const one = await checked({ tree: "u" });
  one.repo.restoreFiles = async () => ({ ...back, meanwhile });
  const value = { tree: "tree", changed: ["a.txt"], backupRef: "ref", meanwhile };
  assert.deepEqual(await one.go(once), { how: "finished", value });

  const journal = await newJournal();
  const request = { do: "check", name: "tests", command: "npm test" } as const;
  const begin = { type: "begin", key: "check:tests#1", request, tries: 1, place: "tree" } as const;
  await journal.append({ ...begin, anchor: { ...given, ref: "refs/x" } }, { sync: false });
  const two = rig(journal);
  let left: State = { ...given, tree: "u" };
  Object.assign(two.repo, {
    snapshot: async () => ({ ...left, ref: "refs/y" }),
    look: async () => left,
    tree: async () => left.tree,
    difference: async () => [],
    personAtWork: async () => undefined,
    restore: async () => {
      left = given;
      return { ...back, meanwhile };
    },
  });
  two.world.dispatches.goneAt = async () => 1;
  await two.go(once);
  assert.match(JSON.stringify(journal.entries), /b\.txt changed while superteam restored files.*refs\/x-2/);
});

test("E3: what a check did that was stopped is undone then, and what is changed afterwards is the person's", async () => {
  const first = await checked({ tree: "u" });
  first.world.places.at = async () => ({ ...(await place), checks: { ...(await place).checks, run } });
  const place = rig(first.world.journal).world.places.at("tree");
  const run = async () => {
    first.halt.stop("interrupted");
    return { exitCode: null, signal: "SIGTERM", timedOut: false, output: "", durationMs: 1 };
  };
  Object.assign((await place).repo, first.repo);
  assert.deepEqual(await first.go(once), { how: "suspended", why: "interrupted" });
  assert.deepEqual(first.undone, ["files: a.txt"]);
  const undone = first.world.journal.recall("check:tests#1")?.notes.find(({ type }) => type === "undone");
  assert.deepEqual(undone, { type: "undone", files: ["a.txt"], backupRef: "ref" });

  const later = rig(first.world.journal);
  Object.assign(later.repo, { restore: () => assert.fail("there was nothing to undo") });
  later.repo.look = async () => ({ sha: "head", branch: "main", tree: "tree", leftAlone: [] });
  assert.deepEqual(await later.go(once), { how: "finished", value: { tree: "tree" } });
});

test("E3: what a check did that was killed with superteam is undone before it runs again; the person is asked if they were at work", async () => {
  for (const answer of ["undo", "keep", undefined] as const) {
    const journal = await newJournal();
    const request = { do: "check", name: "tests", command: "npm test" } as const;
    const anchor = { ...given, ref: "refs/x" };
    const begin = { type: "begin", key: "check:tests#1", request, tries: 1, place: "tree", anchor } as const;
    await journal.append(begin, { sync: false });
    const one = rig(journal, answer === undefined ? {} : { answers: { "run.restore": [answer] } });
    const undone: string[] = [];
    let left: State = { ...given, tree: "u", index: "by the check" };
    Object.assign(one.repo, {
      snapshot: async () => ({ ...left, ref: "refs/y" }),
      look: async () => left,
      tree: async () => left.tree,
      difference: async (from: string) => (from === "staged" ? ["a.txt", "notes.txt"] : ["a.txt"]),
      personAtWork: async () => (answer === undefined ? undefined : "a.txt was modified"),
      restore: async (_: State, name: string) => {
        left = given;
        undone.push(name);
        return back;
      },
    });
    one.world.dispatches.goneAt = async (id) => (id === "000002-check" ? 1 : undefined);
    const value = { tree: answer === "keep" ? "u" : "tree" };
    assert.deepEqual(await one.go(once), { how: "finished", value });
    assert.deepEqual(undone, answer === "keep" ? [] : ["2-check_tests_1-interrupted"]);
    assert.deepEqual(one.shown, answer === undefined ? [] : ["run.restore"]);
    const told = JSON.stringify(journal.entries);
    assert.equal(told.includes("The check `npm test` changed what was staged: notes.txt."), answer !== "keep");
  }
});
