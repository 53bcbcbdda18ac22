// E1: which entries are on disk for good before the run continues.

import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryJournal } from "../../adapters/journal/memory.ts";
import { type Request, startPlace } from "../../core/flow/flow.ts";
import type { EntryBody } from "../../ports/journal.ts";
import { append, type LiveEvent, settle } from "./recorder.ts";

function recording() {
  const synced: boolean[] = [];
  const seen: LiveEvent[] = [];
  const memory = memoryJournal();
  const journal: typeof memory = {
    ...memory,
    append: (body, options) => {
      synced.push(options.sync);
      return memory.append(body, options);
    },
  };
  return { journal, watch: (event: LiveEvent) => void seen.push(event), synced, seen };
}

const begin = (request: Request): EntryBody => ({ type: "begin", key: "k", request, tries: 1, place: startPlace });
const agent = { do: "dispatch", name: "n", role: "r", prompt: "p" } as const;
const question = { id: "q", kind: "input", title: "q", message: "" } as const;
const anchor = { sha: "s", branch: null, tree: "t", ref: "r", leftAlone: [] };

const cases: readonly (readonly [what: string, body: EntryBody, sync: boolean])[] = [
  ["a question before it is shown", begin({ do: "ask", question }), true],
  ["a writer that begins, before it has a process", begin({ ...agent, access: "write" }), false],
  ["a commit before it is made", begin({ do: "commit", name: "c", message: "m", since: anchor }), true],
  ["a reader that begins", begin({ ...agent, access: "read" }), false],
  ["a check before it runs", begin({ do: "check", name: "c", command: "true" }), true],
  ["an outcome", { type: "settle", key: "k", outcome: 1 }, true],
  ["a scope's result", { type: "leave", scope: "s", result: { ok: true, value: 1 } }, true],
  ["a scope that starts over", { type: "restart", scope: "s", epoch: 2, by: "flow" }, true],
  ["a scope that is entered", { type: "enter", scope: "s", kind: "step" }, false],
  [
    "an agent's process, before it is given its prompt",
    { type: "note", key: "k", note: { type: "spawned", process: { pid: 1, birth: "", tag: "t", backend: "b" } } },
    true,
  ],
  ["a note", { type: "note", key: "k", note: { type: "gone", at: 1 } }, false],
  ["the end", { type: "end", ending: { how: "finished", value: null } }, true],
];

for (const [what, body, sync] of cases) {
  test(`${what} is ${sync ? "on disk for good" : "on its way to disk"} before the run goes on`, async () => {
    const to = recording();
    await append(to, body);
    assert.deepEqual(to.synced, [sync]);
    assert.equal(to.seen.length, 1);
  });
}

test("an outcome is handed on as JSON gives it back", async () => {
  assert.deepEqual(await settle(recording(), "k", { a: undefined, b: [new Date(0)] }), {
    b: ["1970-01-01T00:00:00.000Z"],
  });
});

test("G6: who decided is recorded with the answer, unless it was the person", async () => {
  const to = recording();
  for (const by of ["policy", "file", "model", "person"] as const) {
    await append(to, { ...begin({ do: "ask", question }), key: by } as EntryBody);
    await settle(to, by, "yes", by);
  }
  const recorded = to.journal.entries.flatMap((entry) => (entry.type === "settle" ? [entry.by ?? null] : []));
  assert.deepEqual(recorded, ["policy", "file", "model", null]);
});
