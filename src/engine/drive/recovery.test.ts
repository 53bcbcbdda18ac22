import assert from "node:assert/strict";
import { test } from "node:test";
import { newJournal, type Rig, rig } from "../../../test/rig/world.ts";
import { type DispatchOutcome, noUsage } from "../../core/flow/dispatch.ts";
import { commit, dispatch, type Flow } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import type { AgentEvent, AgentOrder, PricedOrder } from "../../ports/agents.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { Journal, Note } from "../../ports/journal.ts";
import type { CommitOrder } from "../../ports/repo.ts";
import type { Asides } from "../asking/asides.ts";
import { Halt } from "./halt.ts";
import { run } from "./run.ts";
import type { World } from "./world.ts";

const anchor: Anchor = { sha: "a".repeat(40), branch: "main", tree: "tree", ref: "refs/x", leftAlone: [] };
const key = "dispatch:look#1";
const mark = { pid: 1, birth: "then", tag: "t", backend: "pi" };
const turn = (costUsd: number) => ({ model: "some/model", usage: { ...noUsage, costUsd } });

function* flow(): Flow<string> {
  const outcome = yield* dispatch({ name: "look", role: "scout", prompt: "look", access: "write" });
  return outcome.status;
}

function* writingPlan(): Flow<string> {
  const order = { name: "look", role: "scout", prompt: "look", access: "write" } as const;
  return (yield* dispatch({ ...order, documents: ["plan.md"] })).status;
}

const replacedIn = (journal: Journal) =>
  journal.entries.flatMap((entry) =>
    entry.type === "note" && entry.note.type === "replaced" ? [entry.note.documents] : [],
  );

/** A journal whose last life was killed while an agent ran. */
async function interrupted(notes: readonly Note[], place = "tree"): Promise<Journal> {
  const journal = await newJournal();
  const request = { do: "dispatch", name: "look", role: "scout", prompt: "look", access: "write" } as const;
  await journal.append({ type: "begin", key, request, tries: 1, place, anchor }, { sync: false });
  for (const note of notes) await journal.append({ type: "note", key, note }, { sync: false });
  return journal;
}

/** … while a check ran. */
async function checking(): Promise<Journal> {
  const journal = await newJournal();
  const request = { do: "check", name: "look", command: "true" } as const;
  await journal.append({ type: "begin", key: "check:look#1", request, tries: 1, place: "tree" }, { sync: false });
  return journal;
}

interface Left {
  readonly turns?: readonly number[];
  readonly tree?: string;
  readonly person?: string;
  readonly goneAt?: number;
  readonly alive?: boolean;
  readonly strays?: readonly string[];
}

function resumed(
  journal: Journal,
  left: Left,
  answers: Readonly<Record<string, readonly string[]>> = {},
  documents: Readonly<Record<string, string>> = {},
): Rig & { restored: string[] } {
  const one = rig(journal, { answers, documents });
  const restored: string[] = [];
  const restore = async (_to: Anchor, name: string) => {
    restored.push(name);
    return { restored: ["half.txt"], backupRef: "refs/superteam/kept", leftAlone: [] };
  };
  Object.assign(one.repo, {
    look: async () => ({ ...anchor, ...(await one.repo.head()), tree: await one.repo.tree() }),
    tree: async () => left.tree ?? "tree",
    head: async () => anchor,
    snapshot: async () => anchor,
    restore,
    personAtWork: async () => left.person,
    difference: async () => (left.tree === undefined ? [] : ["half.txt", "notes.txt"]),
  });
  Object.assign(one.world.agents, {
    end: async () => ({ wasAlive: left.alive ?? false, strays: left.strays ?? [] }),
    recount: async () => (left.turns ?? []).map(turn),
    dispatch: async function* (): AsyncGenerator<AgentEvent> {
      yield { type: "spawned", process: mark };
      yield { type: "usage", ...turn(1) };
      yield { type: "finished", text: "done", model: "some/model" };
    },
  });
  Object.assign(one.world, {
    roles: { resolve: async (): Promise<Partial<AgentOrder>> => ({ capabilities: [] }) },
    dispatches: { folder: (id: string) => id, goneAt: async () => left.goneAt, besides: () => Promise.resolve([]) },
  });
  return { ...one, restored };
}

const spent = (journal: Journal): number =>
  journal.entries.reduce(
    (sum, entry) => (entry.type === "note" && entry.note.type === "usage" ? sum + entry.note.usage.costUsd : sum),
    0,
  );

function isMixed(journal: Journal): boolean {
  const { outcome } = journal.recall(key) ?? {};
  return typeof outcome === "object" && outcome !== null && "isMixed" in outcome && outcome.isMixed === true;
}

test("what an agent had used and its superteam could not note any more is in the ledger once", async () => {
  const journal = await interrupted([
    { type: "spawned", process: mark },
    { type: "usage", ...turn(0.25) },
  ]);
  const one = resumed(journal, { turns: [0.25, 0.5], goneAt: 1 });
  assert.deepEqual(await one.go(flow), { how: "finished", value: "finished" });
  assert.equal(spent(journal), 0.25 + 0.5 + 1);
});

test("what an interrupted agent had used counts also when the run does not come to it again, and then once", async () => {
  const journal = await interrupted([
    { type: "spawned", process: mark },
    { type: "usage", ...turn(0.25) },
  ]);
  for (const _ of [1, 2]) {
    const stopped = resumed(journal, { turns: [0.25, 0.5], goneAt: 1 });
    Object.assign(stopped.world, { preflight: async (desk: Asides) => desk.stop() });
    assert.deepEqual(await stopped.go(flow), { how: "suspended", why: "stopped" });
    assert.equal(spent(journal), 0.75);
  }
});

test("M2: a dispatch that a damaged journal no longer names is counted once, and told in dollars", async () => {
  const journal = await newJournal();
  const lost = "000007-implementer-lost-ab12";
  for (const _ of [1, 2]) {
    const one = resumed(journal, { turns: [0.25, 0.5] });
    const { begin: named } = Object.groupBy(journal.entries, ({ type }) => type);
    Object.assign(one.world.dispatches, {
      besides: async (ids: ReadonlySet<string>) => [...(ids.size === (named?.length ?? 0) ? [lost] : [])],
    });
    Object.assign(one.world, { preflight: async (desk: Asides) => desk.stop() });
    await one.go(flow);
    assert.equal(spent(journal), 0.75);
    const told = one.sights.flatMap((sight) => (sight.type === "told" ? [sight.text] : []));
    const text = "The journal no longer has 1 agent call that cost $0.75. It is counted as spent,";
    assert.deepEqual(
      told.map((line) => line.slice(0, text.length)),
      _ === 1 ? [text] : [],
    );
  }
});

test("M2: what is left of checks is nothing that was paid for, whether or not the journal still names them", async () => {
  const journal = await checking();
  const one = resumed(journal, { turns: [0.25] });
  const besides = async (ids: ReadonlySet<string>) => {
    assert.ok(ids.has("000002-check"));
    return ["000009-check-lost-ab12"];
  };
  Object.assign(one.world.dispatches, { besides });
  await one.go(function* (): Flow<void> {
    yield* [];
  });
  assert.equal(spent(journal), 0);
});

test("what an interrupted agent used without a known cost has the price of the backend that ran agents last", async () => {
  const other = { ...mark, backend: "other" };
  const processes = [mark, other].map((process): Note => ({ type: "spawned", process }));
  const journal = await interrupted([...processes, { type: "usage", ...turn(0.25) }]);
  const one = resumed(journal, { goneAt: 1 });
  const cut = { model: "another/model", usage: { ...noUsage, output: 100, estimated: true } };
  Object.assign(one.world.agents, {
    recount: async () => [turn(0.25), cut],
    price: async ({ backend }: PricedOrder) =>
      backend === "other" ? { model: "another/model", input: 0, output: 0.02 } : undefined,
  });
  await one.go(flow);
  assert.equal(spent(journal), 0.25 + 2 + 1);
});

test("what an interrupted agent left in the tree is taken back before it starts again, and that is noted", async () => {
  const journal = await interrupted([{ type: "spawned", process: mark }]);
  const one = resumed(journal, { tree: "half", goneAt: 1 });
  assert.equal((await one.go(flow)).how, "finished");
  assert.equal(one.restored.length, 1);
  const undone = journal.entries.find((entry) => entry.type === "note" && entry.note.type === "undone");
  assert.ok(undone, "the journal says where it is kept");
  assert.deepEqual(one.shown, []);
});

test("E3b: what was put back just before superteam was killed is named by the next life, once, without what was changed since", async () => {
  for (const [kind, named] of [
    ["dispatch", ["half.txt"]],
    ["check", ["half.txt", "since.txt"]],
  ] as const) {
    const journal = kind === "dispatch" ? await interrupted([{ type: "spawned", process: mark }]) : await checking();
    for (const _ of [1, 2]) {
      const one = resumed(journal, { tree: "now" });
      const differences: Readonly<Record<string, readonly string[]>> = {
        "now kept": ["half.txt", "since.txt"],
        "tree kept": ["half.txt", "other.txt"],
      };
      const takenBack = async (name: string) =>
        name === `2-${kind}_look_1` ? ["kept", "same"].map((tree) => ({ ref: `refs/${tree}`, tree })) : [];
      const difference = async (from: string, to: string) => differences[`${from} ${to}`] ?? [];
      Object.assign(one.repo, { takenBack, difference });
      Object.assign(one.world, { preflight: async (desk: Asides) => desk.stop() });
      await one.go(flow);
    }
    const notes = journal.entries.flatMap((entry) =>
      entry.type === "note" && entry.note.type === "undone" ? [entry.note] : [],
    );
    assert.deepEqual(notes, [{ type: "undone", files: named, backupRef: "refs/kept" }]);
  }
});

test("E11: a check that was open in a place of its own, which is gone, stops no resume", async () => {
  const journal = await newJournal();
  const request = { do: "check", name: "look", command: "npm test" } as const;
  const begun = { key: "elsewhere/check:look#1", request, tries: 1, place: "/places/gone" };
  await journal.append({ type: "begin", ...begun }, { sync: false });
  const one = resumed(journal, { tree: "now" });
  const { places } = one.world;
  const at = (id: string) => (id === begun.place ? Promise.reject(new Error(`${id} is gone`)) : places.at(id));
  Object.assign(one.world, { places: { ...places, at }, preflight: async (desk: Asides) => desk.stop() });
  assert.equal((await one.go(flow)).how, "suspended");
});

test("E3: a document that an interrupted writer writes is as it was given, and what it had made of it is noted", async () => {
  for (const [given, tree] of [
    ["before", "tree"],
    ["before", "half"],
    [null, "tree"],
  ] as const) {
    const journal = await newJournal();
    const request = { do: "dispatch", name: "look", role: "scout", prompt: "look", access: "write" } as const;
    const begun = { key, request, tries: 1, place: "tree", anchor, documents: { "plan.md": given } };
    await journal.append({ type: "begin", ...begun }, { sync: false });
    const one = resumed(journal, { tree, goneAt: 1 }, {}, { "plan.md": "before and half" });
    assert.equal((await one.go(writingPlan)).how, "finished");
    const last = journal.entries.findLast(({ type }) => type === "begin");
    assert.deepEqual(
      last?.type === "begin" && last.documents,
      { "plan.md": given },
      "it starts from what it was given",
    );
    assert.deepEqual(replacedIn(journal), [{ "plan.md": "before and half" }]);
  }
});

test("who keeps the tree of an interrupted writer keeps the document as well", async () => {
  const journal = await newJournal();
  const request = { do: "dispatch", name: "look", role: "scout", prompt: "look", access: "write" } as const;
  const begun = { key, request, tries: 1, place: "tree", anchor, documents: { "plan.md": "before" } };
  await journal.append({ type: "begin", ...begun }, { sync: false });
  const left = { tree: "half", person: "README.md was modified", goneAt: 1 };
  const one = resumed(journal, left, { "run.restore": ["keep"] }, { "plan.md": "half" });
  assert.equal((await one.go(writingPlan)).how, "finished");
  const { documents } = await one.world.places.at("tree");
  assert.deepEqual([await documents.read("plan.md"), replacedIn(journal)], ["half", []]);
});

test("E3: what an interrupted agent left that no tree can hold is named, also where the tree is as it was", async () => {
  const journal = await interrupted([{ type: "spawned", process: mark }]);
  const one = resumed(journal, { goneAt: 1 });
  const undone = { restored: ["a.txt"], backupRef: "refs/x", moved: false, leftAlone: ["nested"], asideIn: "/aside" };
  Object.assign(one.repo, {
    look: async () => ({ ...anchor, leftAlone: ["nested"] }),
    restore: async () => undone,
  });
  assert.equal((await one.go(flow)).how, "finished");
  const warned = journal.entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "record" && entry.request.fact.type === "warning"
      ? [entry.request.fact.text]
      : [],
  );
  assert.deepEqual(warned, [
    "The scout put something else in the place of files. They were restored. What it left is in /aside.",
    "The scout made what superteam does not undo (too big, a repository of its own, or a name that git refuses): nested. It is still there.",
  ]);
});

test("an undo that found nothing to put back notes nothing", async () => {
  const journal = await interrupted([{ type: "spawned", process: mark }]);
  const one = resumed(journal, { tree: "half", goneAt: 1 });
  Object.assign(one.repo, {
    restore: async () => ({ restored: [], backupRef: "refs/x", moved: false, leftAlone: [] }),
  });
  assert.equal((await one.go(flow)).how, "finished");
  assert.ok(!journal.entries.some((entry) => entry.type === "note" && entry.note.type === "undone"));
});

test("E3: a document of an interrupted writer that cannot be put back stops the run, and no agent starts from it", async () => {
  const journal = await newJournal();
  const request = { do: "dispatch", name: "look", role: "scout", prompt: "look", access: "write" } as const;
  const begun = { key, request, tries: 1, place: "tree", anchor, documents: { "plan.md": null } };
  await journal.append({ type: "begin", ...begun }, { sync: false });
  const one = resumed(journal, { goneAt: 1 }, {}, { "plan.md": "half" });
  const { documents } = await one.world.places.at("tree");
  Object.assign(documents, {
    remove: async () => {
      throw new OutsideFailure("unwritable", "plan.md could not be removed");
    },
  });
  await assert.rejects(one.go(writingPlan), /plan\.md could not be removed/);
  assert.equal(journal.entries.filter(({ type }) => type === "begin").length, 1);
});

test("E3b: what a writer changed and then failed is undone, its document with it, and none of it is its work", async () => {
  const journal = await newJournal();
  const one = resumed(journal, {}, {}, { "plan.md": "before" });
  const { documents } = await one.world.places.at("tree");
  const undone: unknown[] = [];
  const { afterWriter } = one.repo;
  Object.assign(one.repo, {
    afterWriter: async (...given: Parameters<typeof afterWriter>) => ({
      ...(await afterWriter(...given)),
      changed: ["half.txt"],
      dirty: ["half.txt"],
      unheld: ["lib"],
    }),
    undoWork: async (work: unknown) => {
      undone.push(work);
      return {
        restored: ["half.txt"],
        backupRef: "refs/x",
        moved: false,
        leftAlone: [],
        asideIn: "/aside",
        found: "t",
      };
    },
  });
  Object.assign(one.world.agents, {
    dispatch: async function* (): AsyncGenerator<AgentEvent> {
      await documents.write("plan.md", "half");
      yield { type: "failed", kind: "crashed", detail: "it fell", output: "", model: null };
    },
  });
  assert.equal((await one.go(writingPlan)).how, "finished");
  assert.equal(await documents.read("plan.md"), "before");
  assert.deepEqual(replacedIn(journal), [{ "plan.md": "half" }]);
  assert.deepEqual(undone, [{ start: anchor, files: ["half.txt", "lib"] }]);
  // The journal holds what the engine writes for a dispatch.
  const outcome = journal.recall(key)?.outcome as DispatchOutcome | undefined;
  assert.deepEqual([outcome?.touched, outcome?.restored, outcome?.start], [[], false, anchor]);
  const { left, changed, dirty, unheld, putBack } = outcome?.traces ?? {};
  assert.deepEqual([left, changed, dirty, unheld, putBack?.filesKept], [anchor, [], [], undefined, "/aside"]);
});

for (const access of ["read", "write"] as const) {
  test(`E3b: a guarded document that an agent with a shell (${access}) changed is put back; one it was sent to write stays`, async () => {
    function* work(): Flow<string> {
      const request = { name: "look", role: "scout", prompt: "look", access, documents: ["plan.md"] };
      return (yield* dispatch(request)).status;
    }
    const journal = await newJournal();
    const one = resumed(journal, {}, {}, { "plan.md": "before", "design.md": "agreed" });
    const { documents } = await one.world.places.at("tree");
    const traces = { left: anchor, changed: [], dirty: [], putBack: {} };
    Object.assign(one.repo, { afterWriter: async () => traces });
    Object.assign(one.world.roles, { resolve: async () => ({ capabilities: ["run"] }) });
    Object.assign(one.world.agents, {
      dispatch: async function* (): AsyncGenerator<AgentEvent> {
        await documents.write("plan.md", "after");
        await documents.write("design.md", "forged");
        yield { type: "usage", ...turn(1) };
        yield { type: "finished", text: "done", model: "some/model" };
      },
    });
    const guarded = () => ["plan.md", "design.md", "other.md"];
    assert.equal((await run(one.world, { flows: {}, start: work, guarded }, new Halt())).how, "finished");
    const isWriter = access === "write";
    assert.deepEqual(
      [await documents.read("plan.md"), await documents.read("design.md")],
      [isWriter ? "after" : "before", "agreed"],
    );
    const changed = { "design.md": "forged", ...(isWriter ? {} : { "plan.md": "after" }) };
    assert.deepEqual(replacedIn(journal), [changed]);
  });
}

test("E3b: a reader that has nothing to write with leaves nothing to undo: what changed meanwhile is the person's", async () => {
  function* look(): Flow<string> {
    return (yield* dispatch({ name: "look", role: "scout", prompt: "look", access: "read" })).status;
  }
  for (const [capability, isUndone] of [
    ["read", false],
    ["run", true],
  ] as const) {
    const journal = await newJournal();
    const killed = resumed(journal, {});
    Object.assign(killed.world.roles, { resolve: async () => ({ capabilities: [capability] }) });
    const dies = () => {
      throw new OutsideFailure("role", "killed here");
    };
    Object.assign(killed.world.agents, { dispatch: dies });
    await assert.rejects(killed.go(look), /killed here/);
    const one = resumed(journal, { tree: "the person's", goneAt: 1 });
    Object.assign(one.world.roles, { resolve: async () => ({ capabilities: [capability] }) });
    Object.assign(one.repo, { difference: async () => [] });
    assert.equal((await one.go(look)).how, "finished");
    assert.equal(
      one.restored.some((name) => name.endsWith("-interrupted")),
      isUndone,
      capability,
    );
  }
});

test("E3: interrupted work is undone in the place it was done in, and in no other", async () => {
  const journal = await interrupted([{ type: "spawned", process: mark }], "worktree-2");
  const one = resumed(journal, { tree: "tree", goneAt: 1 });
  const restored: string[] = [];
  const tree = await one.world.places.at("tree");
  const repo = {
    ...tree.repo,
    look: async () => ({ ...anchor, tree: "half" }),
    restore: async (_to: Anchor, name: string) => {
      restored.push(name);
      return { restored: ["half.txt"], backupRef: "refs/superteam/kept", leftAlone: [] };
    },
  };
  const at = async (id: string) => (id === "worktree-2" ? { ...tree, root: "/worktree-2", repo } : tree);
  Object.assign(one.world, { places: { ...one.world.places, at } });
  assert.equal((await one.go(flow)).how, "finished");
  assert.deepEqual([restored.length, one.restored], [1, []]);
});

test("W5: what may come from an agent whose superteam was killed is named when the run continues", async () => {
  const strays = ["Process 7 (sleep) still runs."];
  const one = resumed(await interrupted([{ type: "spawned", process: mark }]), { goneAt: 1, strays });
  const told: string[] = [];
  const watch: World["watch"] = (event) => void (event.type === "told" && told.push(event.text));
  Object.assign(one.world, { watch });
  assert.equal((await one.go(flow)).how, "finished");
  assert.deepEqual(told, strays);
});

test("a tree that is as the agent was given it is left alone", async () => {
  const one = resumed(await interrupted([{ type: "spawned", process: mark }]), { goneAt: 1 });
  assert.equal((await one.go(flow)).how, "finished");
  assert.deepEqual(one.restored, []);
});

test("S1: a tree that is the same, but for a file that others can read now, is restored", async () => {
  const one = resumed(await interrupted([{ type: "spawned", process: mark }]), { goneAt: 1 });
  const given = { ...anchor, closed: { "key.pem": 0o600 } };
  const journal = await newJournal();
  const request = { do: "dispatch", name: "look", role: "scout", prompt: "look", access: "write" } as const;
  const begun = { type: "begin", key, request, tries: 1, place: "tree", anchor: given } as const;
  await journal.append(begun, { sync: false });
  await journal.append({ type: "note", key, note: { type: "spawned", process: mark } }, { sync: false });
  const two = resumed(journal, { goneAt: 1 });
  assert.deepEqual([(await one.go(flow)).how, (await two.go(flow)).how], ["finished", "finished"]);
  assert.deepEqual([one.restored.length, two.restored.length], [0, 1]);
});

for (const [what, left] of [
  ["there are signs of it", { tree: "half", goneAt: 1, person: "README.md was modified" }],
  ["nobody knows when the agent ended", { tree: "half" }],
] as const) {
  test(`the person is asked before their work may be taken back when ${what}`, async () => {
    const journal = await interrupted([{ type: "spawned", process: mark }]);
    const closed = resumed(journal, left);
    assert.deepEqual(await closed.go(flow), { how: "suspended", why: "question" });
    assert.deepEqual([closed.shown, closed.restored], [["run.restore"], []]);

    const keep = resumed(journal, left, { "run.restore": ["keep"] });
    assert.equal((await keep.go(flow)).how, "finished");
    assert.deepEqual(keep.restored, []);
    assert.equal(isMixed(journal), true, "what was kept may be an agent's");
  });
}

test("the question whether to keep the tree names what is in it: files and commits, which may be the agent's", async () => {
  for (const [sha, isSaid] of [
    ["b".repeat(40), true],
    [anchor.sha, false],
  ] as const) {
    const journal = await interrupted([{ type: "spawned", process: mark }]);
    const one = resumed(journal, { tree: "half", person: "README.md was modified", goneAt: 1 });
    Object.assign(one.repo, { head: async () => ({ ...anchor, sha, branch: isSaid ? "elsewhere" : anchor.branch }) });
    await one.go(flow);
    const asked = journal.entries.findLast(({ type }) => type === "begin");
    const { message } = (asked?.type === "begin" && asked.request.do === "ask" && asked.request.question) || {};
    assert.match(message ?? "", /Changed since then, by the agent or by you: half\.txt, notes\.txt\.$/m);
    assert.equal(message?.includes("the agent's or yours: git log aaaaaaa..HEAD"), isSaid);
    const advice = "HEAD is on elsewhere now. If you want to keep the tree, go back first: git switch main\n";
    assert.equal(message?.includes(advice), isSaid);
  }
});

test("files that only differ between the branches are not among what has changed", async () => {
  const journal = await interrupted([{ type: "spawned", process: mark }]);
  const one = resumed(journal, { tree: "half", person: "HEAD was on main", goneAt: 1 });
  const difference = async (from: string) => (from === "onElsewhere" ? ["notes.txt"] : ["half.txt", "notes.txt"]);
  Object.assign(one.repo, { head: async () => ({ sha: "onElsewhere", branch: "elsewhere" }), difference });
  await one.go(flow);
  const asked = journal.entries.findLast(({ type }) => type === "begin");
  const { message } = (asked?.type === "begin" && asked.request.do === "ask" && asked.request.question) || {};
  assert.match(message ?? "", /^Changed since then, by the agent or by you: notes\.txt\.$/m);
});

test("the person's word to go back is carried out, and not asked for again", async () => {
  const journal = await interrupted([{ type: "spawned", process: mark }]);
  const one = resumed(
    journal,
    { tree: "half", person: "README.md was modified", goneAt: 1 },
    { "run.restore": ["undo"] },
  );
  assert.equal((await one.go(flow)).how, "finished");
  assert.deepEqual([one.shown, one.restored.length], [["run.restore"], 1]);
  assert.equal(isMixed(journal), false);
});

test("when an earlier try was stopped says nothing about this one", async () => {
  const notes: readonly Note[] = [
    { type: "spawned", process: mark },
    { type: "gone", at: 5 },
    { type: "spawned", process: mark },
  ];
  const times: number[] = [];
  const one = resumed(await interrupted(notes), { tree: "half", goneAt: 9 });
  Object.assign(one.repo, { personAtWork: async (_since: Anchor, goneAt: number) => void times.push(goneAt) });
  assert.equal((await one.go(flow)).how, "finished");
  assert.deepEqual(times, [9]);
});

test("E8: every process that was started for an interrupted agent is ended, in the folder of its dispatch", async () => {
  const other = { ...mark, pid: 2 };
  const journal = await interrupted([
    { type: "spawned", process: mark },
    { type: "usage", ...turn(0.25) },
    { type: "spawned", process: other },
  ]);
  const one = resumed(journal, { goneAt: 1 });
  const ended: unknown[] = [];
  Object.assign(one.world.agents, {
    end: async (...args: readonly unknown[]) => {
      ended.push(args);
      return { wasAlive: false, strays: [] };
    },
  });
  await one.go(flow);
  assert.deepEqual(ended, [
    [mark, "000002-scout"],
    [other, "000002-scout"],
  ]);
});

test("an agent that was still alive was ended just now, so nobody else can have worked since", async () => {
  const one = resumed(await interrupted([{ type: "spawned", process: mark }]), { tree: "half", alive: true });
  assert.equal((await one.go(flow)).how, "finished");
  assert.deepEqual([one.shown, one.restored.length], [[], 1]);
});

test("R6: a reader that could write, also with a tool nobody knows, is compared by the repository, and all that is put back is named", async () => {
  const around = { refs: ["made"], settings: ["hooks/pre-commit"], pushed: [], refsKept: ["refs/kept"] };
  function* look(): Flow<unknown> {
    const outcome = yield* dispatch({ name: "look", role: "scout", prompt: "look", access: "read" });
    return [outcome.touched, outcome.restored, outcome.around ?? null];
  }
  for (const capability of ["run", "powershell"]) {
    const one = resumed(await newJournal(), {});
    const compared: string[] = [];
    const afterReader = async (_: Anchor, name: string) => {
      compared.push(name);
      return { touched: ["HEAD", "half.txt"], around };
    };
    Object.assign(one.repo, { afterReader });
    Object.assign(one.world.roles, { resolve: async () => ({ capabilities: ["read", capability] }) });
    assert.deepEqual(await one.go(look), { how: "finished", value: [["HEAD", "half.txt"], true, around] });
    assert.deepEqual(compared, ["4-dispatch_look_1-reader"], capability);
  }
});

test("E3: what an interrupted agent did around HEAD and files is put back and named, or only named if nobody knows when it was gone", async () => {
  const back = { refs: ["made"], settings: ["hooks/pre-commit"], pushed: [], refsKept: ["refs/kept"] };
  const texts = [
    "The scout changed branches, tags or stashes: made. They were restored. What it left is kept at refs/kept.",
    "The scout changed git's own files: hooks/pre-commit. They were restored.",
  ];
  const left =
    "Changes since its start to branches, tags, stashes, git's own files or files that superteam cannot restore were kept";
  const undated = `It is unknown when the scout ended. ${left}, because they may be yours: made, hooks/pre-commit. Check them.`;
  for (const goneAt of [7, undefined]) {
    const journal = await interrupted([{ type: "spawned", process: mark }]);
    const one = resumed(journal, goneAt === undefined ? {} : { goneAt });
    const asked: unknown[] = [];
    const undoAround = async (_: Anchor, at: number, name: string) => {
      asked.push([at, name]);
      return asked.length === 1 ? back : { refs: [], settings: [], pushed: [], refsKept: [] };
    };
    Object.assign(one.repo, { undoAround, changedAround: async () => ["made", "hooks/pre-commit"] });
    assert.equal((await one.go(flow)).how, "finished");
    const warned = journal.entries.flatMap((entry) =>
      entry.type === "begin" && entry.request.do === "record" && entry.request.fact.type === "warning"
        ? [entry.request.fact.text]
        : [],
    );
    // Once more when HEAD is where it was: a branch that it was on can go only then.
    const twice = [7, "2-dispatch_look_1-interrupted"];
    assert.deepEqual([asked, warned], goneAt === undefined ? [[], [undated]] : [[twice, twice], texts]);
  }
});

test("E3: where it is not known any more what was around HEAD before an interrupted agent began, that is said", async () => {
  for (const goneAt of [7, undefined]) {
    const journal = await interrupted([{ type: "spawned", process: mark }]);
    const one = resumed(journal, goneAt === undefined ? {} : { goneAt });
    Object.assign(one.repo, { undoAround: async () => undefined, changedAround: async () => undefined });
    assert.equal((await one.go(flow)).how, "finished");
    const said = "before the scout began is lost, so its changes to them stay";
    const told = journal.entries.filter((entry) => entry.type === "begin" && JSON.stringify(entry).includes(said));
    assert.equal(told.length, 1, "once");
  }
});

test("R6: HEAD is compared beside a reader that cannot write too, and stays where somebody else moved it", async () => {
  function* look(): Flow<unknown> {
    const outcome = yield* dispatch({ name: "look", role: "scout", prompt: "look", access: "read" });
    return [outcome.touched, outcome.restored, outcome.around ?? null];
  }
  const one = resumed(await newJournal(), {});
  Object.assign(one.repo, { look: async () => anchor, head: async () => ({ ...anchor, branch: "elsewhere" }) });
  Object.assign(one.world.roles, { resolve: async () => ({ capabilities: ["read", "search"] }) });
  assert.deepEqual(await one.go(look), { how: "finished", value: [["HEAD"], false, null] });
  assert.deepEqual(one.restored, []);
});

test("a commit that a stop broke off is made when the run goes on, not reported as refused", async () => {
  function* land(): Flow<string> {
    return (yield* commit({ name: "commit", message: "m", since: anchor })).status;
  }
  const journal = await newJournal();
  const one = resumed(journal, {});
  const refused = async () => {
    one.halt.stop("interrupted");
    return { status: "refused", detail: "signal" };
  };
  Object.assign(one.repo, { commit: refused });
  assert.deepEqual(await one.go(land), { how: "suspended", why: "interrupted" });
  const two = resumed(journal, {});
  Object.assign(two.repo, { findCommit: async () => undefined, commit: async () => ({ status: "nothing" }) });
  assert.deepEqual(await two.go(land), { how: "finished", value: "nothing" });
});

test("E2: a commit that was made is recognised also when the next life was killed before it looked", async () => {
  function* land(): Flow<string> {
    yield* commit({ name: "documents", message: "first", since: anchor });
    return (yield* commit({ name: "commit", message: "m", since: anchor })).status;
  }
  const journal = await newJournal();
  const killed = async (_?: unknown): Promise<never> => {
    throw new OutsideFailure("git-failed", "killed here");
  };
  const made = { status: "committed", sha: "c".repeat(40), tree: "tree", changedByHook: false, files: [] };
  const requests: string[] = [];
  const first = resumed(journal, {});
  const commitFirst = async ({ message, request }: CommitOrder) => {
    if (message === "first") return { ...made, sha: "b".repeat(40) };
    return killed(void requests.push(request));
  };
  Object.assign(first.repo, { commit: commitFirst });
  await assert.rejects(first.go(land), /killed here/);
  const second = resumed(journal, {});
  Object.assign(second.repo, { findCommit: killed, commit: () => assert.fail("made twice") });
  await assert.rejects(second.go(land), /killed here/);
  const third = resumed(journal, {});
  const tries: string[] = [];
  const findCommit = async (_: Anchor, request: string) => {
    tries.push(request);
    return requests.includes(request) ? made : undefined;
  };
  Object.assign(third.repo, { findCommit, commit: () => assert.fail("made twice") });
  assert.deepEqual(await third.go(land), { how: "finished", value: "committed" });
  const begun = journal.entries.flatMap((entry) =>
    entry.type === "begin" && entry.key === "commit:commit#1" ? [`test-run/${entry.seq}`] : [],
  );
  assert.deepEqual(tries, begun.slice(0, -1).reverse(), "only what is its own is looked for, the last try first");
});

test("a role that cannot be had is told before anything has begun", async () => {
  const journal = await newJournal();
  const one = resumed(journal, {});
  Object.assign(one.world.roles, {
    resolve: async () => Promise.reject(new OutsideFailure("role", "broken configuration")),
  });
  await assert.rejects(one.go(flow), /broken configuration/);
  assert.deepEqual(
    journal.entries.filter((entry) => entry.type === "begin"),
    [],
  );
});
