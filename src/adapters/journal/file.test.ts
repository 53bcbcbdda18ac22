import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { journalContract } from "../../../test/contracts/journal.ts";
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
