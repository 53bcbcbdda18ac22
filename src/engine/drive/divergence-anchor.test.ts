// Where the tree goes when a scope runs again because program and journal disagree.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { agent, stage } from "../../../test/rig/spending.ts";
import { newJournal } from "../../../test/rig/world.ts";
import { ask, type Flow, scope } from "../../core/flow/flow.ts";
import type { Anchor, RestoreOutcome } from "../../core/flow/repository.ts";

const question = (id: string) => ({ id, kind: "input", title: id, message: "" }) as const;
const part = (name: string, flow: Flow<void>) => scope({ name, kind: "phase", returns: z.void() }, flow);

function* writing(...names: readonly string[]): Flow<void> {
  for (const name of names) yield* agent(name);
  yield* ask(question("q"));
}

/** One agent in a part that is done, then two in one that waits at a question. */
function* older(): Flow<void> {
  yield* part("done", agentIn("early"));
  yield* part("open", writing("one", "two"));
}
function* newer(): Flow<void> {
  yield* part("done", agentIn("early"));
  yield* part("open", writing("another"));
}
function* agentIn(name: string): Flow<void> {
  yield* agent(name);
}

async function runAgain(restored: readonly string[]) {
  const journal = await newJournal();
  let taken = 0;
  const snapshot = async (ref: string): Promise<Anchor> => {
    taken += 1;
    return { sha: "a".repeat(40), branch: "main", tree: `tree ${taken}`, ref, leftAlone: [] };
  };
  const before = stage(journal, {});
  Object.assign(before.repo, { snapshot });
  await before.go(older);
  const after = stage(journal, {}, { answers: { "run.diverged": ["again"], q: ["x"] } });
  const targets: string[] = [];
  const restore = async (to: Anchor): Promise<RestoreOutcome> => {
    targets.push(to.tree);
    return { restored: [...restored], leftAlone: [], moved: false, backupRef: "refs/kept" };
  };
  Object.assign(after.repo, { snapshot, restore });
  const { how } = await after.go(newer);
  const notes = journal.entries.flatMap((entry) => (entry.type === "note" ? [entry.note] : []));
  return { how, targets, undone: notes.filter(({ type }) => type === "undone") };
}

test("a scope that runs again begins at the tree before its own first agent, and what was there is kept and named", async () => {
  const { how, targets, undone } = await runAgain(["a.ts"]);
  assert.equal(how, "finished");
  assert.deepEqual(targets, ["tree 2"]);
  assert.deepEqual(undone, [{ type: "undone", files: ["a.ts"], backupRef: "refs/kept" }]);
});

test("where nothing had to be restored nothing is said of it", async () => {
  assert.deepEqual((await runAgain([])).undone, []);
});

test("a scope that is to run again does so in every version, also when superteam dies before its work is taken back", async () => {
  const journal = await newJournal();
  await stage(journal, {}).go(older);
  const dying = stage(journal, {}, { answers: { "run.diverged": ["again"] } });
  Object.assign(dying.repo, { restore: () => Promise.reject(new Error("killed")) });
  await assert.rejects(dying.go(newer), /killed/);
  const next = stage(journal, {}, { answers: { q: ["x"] } });
  const targets: string[] = [];
  Object.assign(next.repo, {
    restore: async (to: Anchor) => {
      targets.push(to.tree);
      return { restored: ["a.ts"], leftAlone: [], moved: false, backupRef: "refs/kept" };
    },
  });
  assert.equal((await next.go(older)).how, "finished");
  assert.deepEqual([targets, next.course], [["tree"], ["one", "-one", "two", "-two"]]);
});
