import assert from "node:assert/strict";
import { cp, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { journalContract } from "../../../test/contracts/journal.ts";
import { bareOutline } from "../../core/run/pipeline.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import { createFileJournal, openFileJournal } from "./file.ts";

journalContract("the file journal", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "superteam-journal-"));
  const folder = join(root, "run");
  const journal = await createFileJournal({ folder });
  const open = [journal];
  t.after(async () => {
    for (const each of open) await each.close();
    await rm(root, { recursive: true });
  });
  return {
    journal,
    async reopen() {
      await journal.close();
      const opened = await openFileJournal({ folder });
      open.push(opened.journal);
      return opened.journal;
    },
  };
});

for (const [what, disturb] of [
  ["its folder is moved", (folder: string) => rename(folder, `${folder}-moved`)],
  ["its folder is removed", (folder: string) => rm(folder, { recursive: true })],
  ["an equal copy is in its place", replaceByCopy],
  [
    "a file is where its folder was",
    (folder: string) => rm(folder, { recursive: true }).then(() => writeFile(folder, "")),
  ],
] as const) {
  test(`E11: as soon as ${what} nothing more is acknowledged`, async (t: TestContext) => {
    const root = await mkdtemp(join(tmpdir(), "superteam-journal-"));
    t.after(() => rm(root, { recursive: true }));
    const journal = await createFileJournal({ folder: join(root, "run") });
    const append = (): Promise<unknown> => journal.append({ type: "settle", key: "k", outcome: 1 }, { sync: true });
    await append();
    await disturb(join(root, "run"));
    await assert.rejects(append(), (failure) => failure instanceof OutsideFailure && failure.kind === "disturbed");
    await journal.close();
  });
}

test("a long text takes memory once, however many records say it", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "superteam-journal-"));
  t.after(() => rm(root, { recursive: true }));
  const folder = join(root, "run");
  const journal = await createFileJournal({ folder });
  const header = { runId: "r", pipeline: bareOutline("superteam"), input: "", startedAt: 0 };
  await journal.append({ type: "run", header }, { sync: false });
  const before = liveBytes();
  const text = "a long plan ".repeat(20_000);
  for (let count = 1; count <= 100; count++) {
    await journal.append({ type: "settle", key: "k", outcome: { plan: [text], count } }, { sync: false });
  }
  assert.ok(liveBytes() - before < 10 * text.length, "what was written");
  await journal.close();
  const { journal: read } = await openFileJournal({ folder });
  assert.deepEqual(read.entries, journal.entries);
  assert.ok(liveBytes() - before < 10 * text.length, "what was read");
  await read.close();
});

/** Of what is still referred to. */
function liveBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

async function replaceByCopy(folder: string): Promise<void> {
  await cp(folder, `${folder}-copy`, { recursive: true });
  await rm(folder, { recursive: true });
  await rename(`${folder}-copy`, folder);
}
