import assert from "node:assert/strict";
import { test } from "node:test";
import { play, questions, resultOf } from "../../../test/rig/flow.ts";
import { type Flow, snapshot } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { extendRange, findWork, rangeFrom, rollBack, sendWriter, type WorkRange } from "./work-range.ts";

const order = { step: "test.step", name: "step", role: "implementer", prompt: "Write." } as const;
const files = { "a.ts": "old", "b.ts": "old" };

interface Seen {
  readonly start: string;
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

const seen = ({ start, ours, theirs }: WorkRange): Seen => ({
  start: start.tree,
  ours: [...ours],
  theirs: [...theirs],
});

test("work starts from what its first writer was given, with what the person did before it began", () => {
  function* flow(): Flow<Seen & { readonly given: string }> {
    const range = rangeFrom(yield* snapshot("start"));
    const { given } = yield* sendWriter(order, range);
    return { ...seen(range), given: given.tree };
  }
  const { start, given, ours, theirs } = resultOf(
    play(flow(), {
      files,
      meanwhile: (request, all) => void (request.do === "dispatch" && all.set("b.ts", "the person's")),
      agents: { step: ({ files: all }) => `${all.set("a.ts", "new").size} files` },
    }),
  );
  assert.deepEqual([start, ours, theirs], [given, ["a.ts"], []]);
});

test("what the person changes between two writers is theirs, and what both change is in both", () => {
  function* flow(): Flow<Seen> {
    const range = rangeFrom(yield* snapshot("start"));
    yield* sendWriter(order, range);
    yield* sendWriter(order, range);
    return seen(range);
  }
  const { ours, theirs } = resultOf(
    play(flow(), {
      files,
      agents: { step: ({ files: all, nth }) => `${all.set(nth === 1 ? "a.ts" : "c.ts", "new").size} files` },
      meanwhile: (request, all) => {
        if (request.do !== "dispatch" || !all.get("a.ts")?.startsWith("new")) return;
        for (const path of ["a.ts", "b.ts"]) all.set(path, "new, and the person's");
      },
    }),
  );
  assert.deepEqual(
    [ours, theirs],
    [
      ["a.ts", "c.ts"],
      ["a.ts", "b.ts"],
    ],
  );
});

test("what the person changes while it is found out what is theirs is theirs too", () => {
  function* flow(): Flow<readonly string[]> {
    const range = rangeFrom(yield* snapshot("start"));
    yield* sendWriter(order, range);
    return (yield* findWork(range, { name: "task", step: "test" })).files.map(({ path }) => path);
  }
  const work = resultOf(
    play(flow(), {
      files,
      agents: { step: ({ files: all }) => `${all.set("a.ts", "new").size} files` },
      meanwhile: (request, all) => {
        if (request.do === "changes") all.set("b.ts", "the person's");
        if (request.do === "difference") all.set("c.ts", "the person's as well");
      },
    }),
  );
  assert.deepEqual(work, ["a.ts"]);
});

test("what may be an agent's or the person's, because they kept an interrupted try, is both's", () => {
  const at = (tree: string): Anchor => ({ sha: "first", branch: "main", tree, ref: tree, leftAlone: [] });
  const range = rangeFrom(at("before"));
  const traces = { left: at("left"), changed: ["b.ts"], dirty: [] };
  const flow = extendRange(range, { start: at("half"), isMixed: true, traces });
  assert.deepEqual(flow.next().value, { do: "difference", name: "meanwhile", from: "before", to: "half" });
  flow.next(["a.ts"]);
  assert.deepEqual(seen(range), { start: "before", ours: ["a.ts", "b.ts"], theirs: ["a.ts"] });
});

test("what only another branch has committed is no agent's, where the person kept a try on it", () => {
  const at = (tree: string, branch: string): Anchor => ({ sha: branch, branch, tree, ref: tree, leftAlone: [] });
  const range = rangeFrom(at("before", "main"));
  const traces = { left: at("left", "other"), changed: ["b.ts"], dirty: [] };
  const flow = extendRange(range, { start: at("half", "other"), isMixed: true, traces });
  assert.deepEqual(flow.next().value, { do: "difference", name: "meanwhile", from: "before", to: "half" });
  const asked = flow.next(["a.ts", "c.ts"]).value;
  assert.deepEqual(asked, { do: "difference", name: "uncommitted", from: "other", to: "half" });
  flow.next(["a.ts", "notes.txt"]);
  assert.deepEqual(seen(range), { start: "before", ours: ["a.ts", "b.ts"], theirs: ["a.ts", "c.ts"] });
});

test("uncommitted changes that were there before the work are the person's, also where an agent goes on from them", () => {
  const at = (tree: string): Anchor => ({ sha: "first", branch: "main", tree, ref: tree, leftAlone: [] });
  const range = rangeFrom(at("before"));
  extendRange(range, { start: at("given"), traces: { left: at("left"), changed: ["a.ts"], dirty: ["a.ts"] } }).next();
  assert.deepEqual(seen(range), { start: "given", ours: ["a.ts"], theirs: ["a.ts"] });
});

test("a rollback of files that both changed asks once, and leaves the person's alone", () => {
  function* flow(): Flow<null> {
    const range = rangeFrom(yield* snapshot("start"));
    yield* sendWriter(order, range);
    yield* rollBack(range, { name: "back", step: "test" });
    return null;
  }
  for (const [choice, text] of [
    ["mine", "the person's"],
    ["task", "old"],
  ] as const) {
    const played = play(flow(), {
      files,
      answers: { "test.mixed": choice },
      agents: { step: ({ files: all }) => `${all.set("a.ts", "new").set("c.ts", "new").size} files` },
      meanwhile: (request, all) => void (request.do === "head" && all.set("a.ts", "the person's")),
    });
    assert.equal(resultOf(played), null);
    assert.deepEqual([played.files.get("a.ts"), played.files.get("c.ts")], [text, undefined]);
  }
});

test("E3b: what a writer made of a file that the person had changed is asked about with where their own version is kept", () => {
  function* flow(): Flow<null> {
    const range = rangeFrom(yield* snapshot("start"));
    yield* sendWriter(order, range);
    yield* sendWriter(order, range);
    yield* findWork(range, { name: "work", step: "test" });
    return null;
  }
  for (const isOverlaid of [true, false]) {
    const played = play(flow(), {
      files,
      answers: { "test.mixed": "mine" },
      agents: {
        step: ({ files: all, nth }) => `${all.set(nth === 1 || isOverlaid ? "a.ts" : "c.ts", `${nth}`).size} files`,
      },
      meanwhile: (request, all) => {
        if (request.do === "dispatch" && all.get("a.ts") === "1") all.set("a.ts", "the person's");
      },
    });
    assert.equal(resultOf(played), null);
    const [asked] = questions(played);
    assert.equal(/is kept: git show refs\/superteam\/\S+:<file>/.test(asked?.message ?? ""), isOverlaid);
    const kept = played.requests.flatMap((request) => (request.do === "anchor-without" ? [request.name] : []));
    assert.deepEqual(kept, isOverlaid ? ["before-given-up"] : [], "a name that is not forgotten with the run");
  }
});

test("an outcome that does not say what its writer was given is a bug, never a guess", () => {
  const flow = sendWriter(order, null);
  flow.next();
  assert.throws(
    () => flow.next({ status: "finished", text: "Done.", touched: [] }),
    /the outcome of step does not say what the writer was given/,
  );
});
