import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import { eventually } from "../../../test/rig/until.ts";
import { pauseAfter } from "../files/latest-writer.ts";
import { snapshotFile, snapshotName } from "./snapshot.ts";

const now = Date.UTC(2026, 10, 15, 9, 30);
const value = { version: 1, runId: "20261115-093000-ab12", phase: "execute" };

test("a snapshot is read as it was written, and gone when removed", async (t) => {
  const { root, writer, troubles } = await setUp(t);
  await writer.write(value);
  assert.deepEqual(await read(root), value);
  await writer.remove();
  await writer.remove();
  assert.deepEqual(await readdir(root), []);
  assert.deepEqual(troubles, []);
});

for (const text of ["", '{"version":1,"ru', "\0\0\0\0", "[]", "null", '"text"']) {
  test(`a snapshot of an earlier life that holds ${JSON.stringify(text)} is moved aside`, async (t) => {
    const { root, writer, troubles } = await setUp(t);
    await writeFile(join(root, snapshotName), text);
    await writer.write(value);
    const aside = `${snapshotName}.corrupt-20261115-093000`;
    assert.equal(troubles.length, 1);
    assert.match(troubles[0] ?? "", new RegExp(`moved to ${aside}.*from the run's journal`));
    assert.deepEqual(snapshotsIn(await readdir(root)), [snapshotName, aside]);
    assert.equal(await readFile(join(root, aside), "utf8"), text);
    assert.deepEqual(await read(root), value);
  });
}

test("of many updates the first and the last come to be written, and few in between", async (t) => {
  const { root, writer, troubles } = await setUp(t);
  writer.update({ n: 0 });
  await eventually(async () => assert.deepEqual(await read(root), { n: 0 }));
  for (let n = 1; n <= 1000; n++) writer.update({ n });
  assert.deepEqual(await read(root), { n: 0 });
  await eventually(async () => assert.deepEqual(await read(root), { n: 1000 }));
  assert.deepEqual(troubles, []);
});

test("a snapshot is made when it is written: of many updates few are", async (t) => {
  const { root, file } = await setUp(t);
  let made = 0;
  for (let n = 0; n < 1000; n++) file.update(() => ++made);
  await eventually(async () => assert.equal(await read(root), 1));
  assert.equal(made, 1);
});

test("the larger a file is, the less often it is written", () => {
  assert.deepEqual(
    [0, 4096, 8192, 409_600].map((bytes) => pauseAfter(bytes, 250)),
    [250, 250, 500, 25_000],
  );
});

test("a forced write is on disk when it resolves, and no earlier value comes after it", async (t) => {
  const { root, writer } = await setUp(t);
  for (let n = 0; n < 20; n++) {
    writer.update({ update: n });
    const writes = [writer.write({ write: n, first: true }), writer.write({ write: n })];
    await Promise.all(writes);
    assert.deepEqual(await read(root), { write: n });
  }
});

test("what was pending is not written after the file was removed", async (t) => {
  const { root, writer } = await setUp(t);
  await writer.write(value);
  writer.update({ late: true });
  const last = writer.write({ later: true });
  await writer.remove();
  await last;
  assert.deepEqual(await readdir(root), []);
});

test("an update that cannot be written is reported, a forced write fails, and both work again later", async (t) => {
  const { root, writer, troubles } = await setUp(t);
  await writer.write(value);
  const ownFolder = join(root, ".superteam");
  await rm(ownFolder, { recursive: true, force: true });
  await writeFile(ownFolder, "in the way");
  writer.update({ n: 1 });
  await eventually(async () => assert.match(troubles[0] ?? "", /could not be (?:created|written)/));
  await assert.rejects(writer.write({ n: 2 }), /could not be (?:created|written)/);
  await rm(ownFolder);
  await writer.write({ n: 3 });
  assert.deepEqual(await read(root), { n: 3 });
});

test("E11: a folder that an agent made in its place is moved aside, when it is written and when it is removed", async (t) => {
  const { root, writer, troubles } = await setUp(t);
  await writer.write(value);
  for (const act of [() => writer.write({ n: 1 }), () => writer.remove()]) {
    await rm(join(root, snapshotName));
    await mkdir(join(root, snapshotName, "inside"), { recursive: true });
    await act();
    assert.match(troubles.pop() ?? "", /was a folder: it was moved to \.superteam-workflow\.json\.corrupt-/);
  }
  const left = await readdir(root);
  assert.deepEqual([left.length, left.every((name) => name.startsWith(`${snapshotName}.corrupt-`))], [2, true]);
});

async function setUp(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), "superteam-snapshot-"));
  t.after(() => rm(root, { recursive: true }));
  const troubles: string[] = [];
  const trouble = (message: string): number => troubles.push(message);
  const file = snapshotFile({ root, clock: { now: () => now }, everyMs: 250, trouble });
  const writer = {
    update: (value: unknown): void => file.update(() => value),
    write: (value: unknown): Promise<void> => file.write(() => value),
    remove: (): Promise<void> => file.remove(),
  };
  return { root, file, writer, troubles };
}

async function read(root: string): Promise<unknown> {
  return JSON.parse(await readFile(join(root, snapshotName), "utf8"));
}

/** Without the folder of half-written files, which a tree that is no repository has in it. */
function snapshotsIn(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.startsWith(snapshotName)).toSorted();
}
