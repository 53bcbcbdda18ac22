import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { makeRig } from "../../../test/adapters/repo/rig.ts";
import { memoryJournal } from "../../adapters/journal/memory.ts";
import { openRepo } from "../../adapters/repo/git/open.ts";
import { readUncommitted } from "../../adapters/repo/git/tree/uncommitted.ts";
import type { Request } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { documentsFor } from "../../core/run/document-paths.ts";
import { outlineOf } from "../../core/run/pipeline.ts";
import { superteam } from "../../pipelines/superteam.ts";
import { unfinishedLines } from "./unfinished.ts";

const documents = documentsFor("2026-01-01", "A letter", () => false);
const wroteLetter = { traces: { changed: ["letter.txt"] } };
const back = (to: Anchor) => ({ do: "restore", name: "back", to }) as const;

/** A repository, and the journal of a run that has come to what a test says. */
async function workIn(t: TestContext) {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const place = {
    openRepo: (runId: string, paths: readonly string[]) => openRepo({ root: rig.root, runId, documents: paths }),
    tree: { uncommitted: (paths: readonly string[]) => readUncommitted(rig.root, paths) },
  };
  const journal = memoryJournal();
  const header = { runId: "run", pipeline: outlineOf(superteam), input: { goal: "A letter", documents }, startedAt: 0 };
  await journal.append({ type: "run", header }, { sync: false });
  const begin = (key: string, request: Request, anchor?: Anchor) =>
    journal.append(
      { type: "begin", key, request, tries: 1, place: "tree", ...(anchor ? { anchor } : {}) },
      { sync: false },
    );
  const settle = (key: string, outcome: unknown) => journal.append({ type: "settle", key, outcome }, { sync: false });
  const done = async (request: Request, outcome: unknown = {}): Promise<void> => {
    const key = `${request.do}-${journal.entries.length}`;
    await begin(key, request);
    await settle(key, outcome);
  };
  const write = async (name: string, anchor: Anchor, outcome: object = {}): Promise<void> => {
    await begin(name, { do: "dispatch", name, role: "implementer", prompt: "", access: "write" }, anchor);
    await settle(name, { status: "finished", ...outcome });
  };
  const told = async () => (await unfinishedLines(place, journal.entries)).join("\n");
  return { rig, repo, begin, settle, done, write, told };
}

const oneLetter = /^1 file of unfinished work is left in the tree, uncommitted:\n {2}added letter\.txt\n/;

test("work that was there before a fix failed is told after the fix was taken back, and no longer once all is", async (t) => {
  const { rig, repo, done, write, told } = await workIn(t);
  const before = await repo.snapshot("before");
  await write("implement", before, wroteLetter);
  await rig.write("letter.txt", "Dear reader\n");
  const half = await repo.snapshot("half");
  await write("fix", half);
  await done(back(half));
  assert.match(await told(), oneLetter);

  await repo.restore(before, "all");
  await done(back(before));
  await rig.write("mine.txt", "the person's own\n");
  assert.equal(await told(), "");
});

test("documents that no commit has are named, with the command that removes them", async (t) => {
  const { rig, told } = await workIn(t);
  assert.equal(await told(), "");
  await rig.write(documents.progress, "Aborted");
  await rig.write("docs/plans/mine.md", "the person's own");
  const line = "Documents of the run are left in the tree, uncommitted:";
  assert.equal(await told(), `${line}\n  ${documents.progress}\nTo remove them: rm -- ${documents.progress}`);
  await rig.git("add", "-A");
  await rig.git("commit", "-qm", "kept");
  assert.equal(await told(), "");
});

test("what the person did before the first agent got to work is not called unfinished", async (t) => {
  const { rig, repo, begin, settle, done, told } = await workIn(t);
  const writer = { do: "dispatch", name: "x", role: "implementer", prompt: "", access: "write" } as const;
  await begin("implement", writer, await repo.snapshot("first try"));
  await rig.write("mine.txt", "the person's own\n");
  const start = await repo.snapshot("second try");
  await begin("implement", writer, start);
  await rig.write("letter.txt", "Dear reader\n");
  await settle("implement", { status: "finished", start, ...wroteLetter });
  assert.match(await told(), oneLetter);
  await done(back(start));
  assert.equal(await told(), "");
});

test("what the person committed while there was work is theirs once the work was told apart", async (t) => {
  const { rig, repo, done, write, told } = await workIn(t);
  const start = await repo.snapshot("before");
  await write("implement", start, { start, ...wroteLetter });
  await rig.write("letter.txt", "Dear reader\n");
  await rig.write("mine.txt", "the person's own\n");
  await rig.git("add", "mine.txt");
  await rig.git("commit", "-q", "-m", "Mine", "--", "mine.txt");
  const work = { start, files: ["letter.txt"] };
  const at = await repo.snapshot("now");
  const apart = await repo.anchorWithout(at, work, "apart");
  await done({ do: "anchor-without", name: "apart", at, work }, apart);
  assert.match(await told(), oneLetter);
  await done(back(apart));
  assert.equal(await told(), "");
});

test("what the person wrote since is not called unfinished, and an interrupted agent's work is all there is", async (t) => {
  const { rig, repo, begin, done, write, told } = await workIn(t);
  const start = await repo.snapshot("before");
  await write("implement", start, { start, ...wroteLetter });
  await rig.write("letter.txt", "Dear reader\n");
  await rig.write(".env.local", "the person's\n");
  assert.match(await told(), oneLetter);
  assert.doesNotMatch(await told(), /env/);
  await begin("fix", { do: "dispatch", name: "fix", role: "implementer", prompt: "", access: "write" }, start);
  assert.match(await told(), /^2 files of unfinished work/);
  await done({ do: "undo-work", name: "back", work: { start, files: ["letter.txt"] } });
  assert.equal(await told(), "");
});
