// The model cannot drift from git: the same is done to both, and the same has to be seen. Hashes differ, so each side's are named
// by the order in which they show up.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { makeGitRepo } from "../../adapters/repo/hands.ts";
import type { RepoRig } from "../../contracts/repo.ts";
import fc, { times } from "../../rig/property.ts";
import { modelRig } from "./rig.ts";
import { anySteps, documents, perform, type Side, type Step, sideOf } from "./steps.ts";

const files = { a: "1", b: "1", "d/x": "1", "d/e/z": "1", ".gitignore": "*.log\n", "docs/plan.md": "1" };
const cases = times(4);

test("whatever is done to git and to the model, the same is seen of both", async (t) => {
  const property = fc.asyncProperty(anySteps, async (done) => {
    const [ofModel, ofGit] = [await seenOf(await makeModelRepo(), done), await seenOf(await gitIn(t), done)];
    assert.deepEqual(ofModel, ofGit);
  });
  await fc.assert(property, { numRuns: cases });
});

const gitIn = (t: TestContext): Promise<RepoRig> => makeGitRepo(t, files, documents);

/** A second passes with each look at the clock. */
async function makeModelRepo(): Promise<RepoRig> {
  let now = Date.UTC(2026, 0);
  return modelRig({
    files,
    documents,
    clock: () => {
      now += 1000;
      return now;
    },
  });
}

/** What each step gave and left behind, in words that do not depend on hashes and times. */
async function seenOf(rig: RepoRig, done: readonly Step[]): Promise<readonly string[]> {
  const side = sideOf(rig);
  const named = namesOfHashes();
  const seen: string[] = [];
  for (const [nth, step] of done.entries()) {
    const gave = await perform(side, step, nth).catch(() => "failed");
    seen.push(named(JSON.stringify({ step, gave, files: [...(await rig.files())] })));
  }
  return [...seen, named(JSON.stringify(await atTheEnd(side)))];
}

/** HEAD, its history, every backup, and what was staged, by committing it. */
async function atTheEnd({ rig, anchors }: Side): Promise<unknown> {
  const head = await rig.repo.head();
  const tree = await rig.repo.tree();
  const logs = await Promise.all([undefined, ...backups].map((from) => rig.log(from).catch(() => [])));
  const staged = await rig.commit("what was staged", []);
  const differences = [tree, anchors[0]?.sha ?? ""].map((from) => rig.repo.difference(from, staged));
  return [head, tree, logs, ...(await Promise.all(differences))];
}

const backups = ["undo", "b%2Fc"].map((name) => `refs/superteam/run-1/${name}-given-up.tip`);

function namesOfHashes(): (text: string) => string {
  const names = new Map<string, string>();
  const nameOf = (hash: string): string => {
    const name = names.get(hash) ?? `hash ${names.size}`;
    names.set(hash, name);
    return name;
  };
  return (text) =>
    text
      .replace(/\b[0-9a-f]{40}\b/g, nameOf)
      .replace(/\b[0-9a-f]{10}\b/g, "a hash")
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "then");
}
