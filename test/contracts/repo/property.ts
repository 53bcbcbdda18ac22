// E3 and S1 for whatever an agent may do: random edits between a snapshot and going back, or committing.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../rig/property.ts";
import type { MakeRepo, RepoRig } from "../repo.ts";
import { committed, order } from "./order.ts";

/** Few names, so that they meet: files of the repository and of the person, odd ones, and folders in place of files. */
const paths = ["a", "b", "d", "d/x", "d/y", "d/e/z", "a/inner", "mine", "mine/inner", "ü \n-", "x.log"];
const rules = [".gitignore", "d/.gitignore"];

type Edit =
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "delete" | "stage" | "unstage"; readonly path: string }
  | { readonly do: "rename"; readonly path: string; readonly to: string }
  | { readonly do: "commit" };

const path = fc.constantFrom(...paths, ...rules);
const edits = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant("write" as const),
      path,
      text: fc.constantFrom("1", "2", "mine\n", "*.log\n", "e\nmine\n", "three\n"),
    }),
    fc.record({ do: fc.constantFrom("delete" as const, "stage" as const, "unstage" as const), path }),
    fc.record({ do: fc.constant("rename" as const), path, to: path }),
    fc.record({ do: fc.constant("commit" as const) }),
  ),
  { maxLength: 10 },
);
const files = { a: "1", b: "1", "d/x": "1", "d/e/z": "1", ".gitignore": "*.log\n" };

export function propertyContract(make: MakeRepo): void {
  test("E3: whatever is done after a snapshot, restoring gives the anchor and every file of the person back", async (t) => {
    const property = fc.asyncProperty(edits, edits, async (before, after) => {
      const rig = await make(t, files);
      for (const each of before) await apply(rig, each);
      await rig.write("keys.log", "ignored, or not, but the person's");
      const anchor = await rig.repo.snapshot("s");
      const then = await rig.files();
      for (const each of after) await apply(rig, each);
      const outcome = await rig.repo.restore(anchor, "undo");

      assert.deepEqual(outcome.leftAlone, []);
      assert.deepEqual(await rig.repo.head(), { sha: anchor.sha, branch: anchor.branch });
      assert.equal(await rig.repo.tree(), anchor.tree);
      const now = await rig.files();
      assert.equal(now.get("keys.log"), then.get("keys.log"));
      for (const name of then.keys()) {
        const held = await rig.show(anchor.ref, name);
        if (held !== undefined) assert.equal(now.get(name), held, name);
      }
    });
    await fc.assert(property, { numRuns: 25 });
  });

  test("whatever is done after a snapshot becomes at most one commit, and the files are as they were", async (t) => {
    const property = fc.asyncProperty(edits, async (after) => {
      const rig = await make(t, files);
      await rig.write("notes.txt", "the person's");
      const anchor = await rig.repo.snapshot("s");
      for (const each of after) await apply(rig, each);
      const now = await rig.files();
      const outcome = await rig.repo.commit(order(anchor));
      const isNothing = outcome.status === "nothing";
      if (!isNothing) assert.equal(await rig.show(committed(outcome).sha, "notes.txt"), undefined);
      assert.deepEqual(await rig.files(), now);
      assert.equal((await rig.log()).length, isNothing ? 1 : 2);
      assert.deepEqual((await rig.repo.changes(await rig.repo.snapshot("after"))).files, []);
    });
    await fc.assert(property, { numRuns: 15 });
  });
}

async function apply(rig: RepoRig, edit: Edit): Promise<void> {
  switch (edit.do) {
    case "commit":
      return void (await rig.commit("wip", []));
    case "stage":
      return await rig.stage(edit.path);
    case "unstage":
      return await rig.unstage(edit.path);
    case "delete":
      return await rig.remove(edit.path);
    case "write":
      await makeRoom(rig, edit.path);
      return await rig.write(edit.path, edit.text);
    case "rename":
      return await move(rig, edit.path, edit.to);
  }
}

async function move(rig: RepoRig, from: string, to: string): Promise<void> {
  const isInside = to.startsWith(from) || from.startsWith(to);
  const isThere = [...(await rig.files()).keys()].some((name) => isAtOrIn(name, from));
  if (isInside || !isThere) return;
  await makeRoom(rig, to);
  await rig.rename(from, to);
}

const isAtOrIn = (name: string, folder: string): boolean => name === folder || name.startsWith(`${folder}/`);

/** Removes what is in the way of a file: a folder, or a file where a folder has to be. */
async function makeRoom(rig: RepoRig, path: string): Promise<void> {
  const present = await rig.files();
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (present.has(path.slice(0, end))) await rig.remove(path.slice(0, end));
  }
  await rig.remove(path);
}
