import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRig } from "../../../test/e2e/repo-rig.ts";
import { memoryJournal } from "../../adapters/journal/memory.ts";
import { locate } from "../../adapters/repo/git/locate.ts";
import type { Request } from "../../core/flow.ts";
import type { Anchor } from "../../core/repository.ts";
import { documentsFor } from "../../core/slug.ts";
import { unfinishedLines } from "./unfinished.ts";

const runId = "run";
const documents = documentsFor("2026-01-01", "A letter", () => false);
const writer = (name: string) => ({ do: "dispatch", name, role: "implementer", prompt: "", access: "write" }) as const;
const back = (to: Anchor) => ({ do: "restore", name: "fix", to }) as const;

test("work that was there before a fix failed is told after the fix was taken back, and no longer once all is", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const located = await locate(rig.root);
  assert.ok(located.found);
  const journal = memoryJournal();
  const header = { runId, pipeline: "superteam", input: { goal: "A letter", documents }, startedAt: 0 };
  await journal.append({ type: "run", header }, { sync: false });
  const settled = async (key: string, request: Request, anchor?: Anchor): Promise<void> => {
    await journal.append({ type: "begin", key, request, tries: 1, ...(anchor ? { anchor } : {}) }, { sync: false });
    await journal.append({ type: "settle", key, outcome: {} }, { sync: false });
  };

  const before = await repo.snapshot("before");
  await settled("implement", writer("implement"), before);
  await rig.write("letter.txt", "Dear reader\n");
  const half = await repo.snapshot("half");
  await settled("fix", writer("fix"), half);
  await settled("back", back(half));
  const told = await unfinishedLines(located, journal.entries);
  assert.match(
    told.join("\n"),
    /^1 file of unfinished work is left in the tree, uncommitted:\n {2}added letter\.txt\n/,
  );

  await repo.restore(before, "all");
  await settled("all back", back(before));
  await rig.write("mine.txt", "the person's own\n");
  assert.deepEqual(await unfinishedLines(located, journal.entries), []);
});
