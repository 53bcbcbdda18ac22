import { journalContract } from "../../../test/contracts/journal.ts";
import { memoryJournal } from "./memory.ts";

journalContract("the memory journal", async () => {
  const journal = memoryJournal();
  return { journal, reopen: async () => memoryJournal({ entries: journal.entries }) };
});
