import assert from "node:assert/strict";
import { cp, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { journalContract } from "../../../test/contracts/journal.ts";
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

async function replaceByCopy(folder: string): Promise<void> {
  await cp(folder, `${folder}-copy`, { recursive: true });
  await rm(folder, { recursive: true });
  await rename(`${folder}-copy`, folder);
}
