import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { newJournal, rig } from "../../../test/rig/world.ts";
import { memoryJournal } from "../../adapters/journal/memory.ts";
import { Failed } from "../../core/flow/failure.ts";
import {
  all,
  ask,
  check,
  child,
  config,
  defineFlow,
  type Flow,
  type Flows,
  fail,
  read,
  record,
  scope,
} from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";
import { OutsideFailure } from "../../ports/failure.ts";

const question = (id: string): Question => ({ id, kind: "input", title: id, message: "" });
const text = z.string();
const step = <S extends z.ZodType>(name: string, returns: S) => ({ name, kind: "step" as const, returns });
const nothing = z.void();

test("a request that has an outcome is never performed again", async () => {
  function* flow(): Flow<string> {
    yield* check("one", "first");
    yield* check("two", "second");
    return yield* ask(question("q"));
  }
  const journal = await newJournal();
  const first = rig(journal);
  assert.deepEqual(await first.go(flow), { how: "suspended", why: "question" });
  assert.deepEqual(first.ran, ["first", "second"]);

  const second = rig(journal, { answers: { q: ["yes"] } });
  assert.deepEqual(await second.go(flow), { how: "finished", value: "yes" });
  assert.deepEqual(second.ran, []);
});

test("a flow is given the outcome as read back from JSON, the first time as on replay", async () => {
  const seen: unknown[] = [];
  function* flow(): Flow<void> {
    seen.push(yield* read("notes.md"));
    seen.push(yield* scope(step("inner", z.object({ kept: z.number() })), inner()));
    yield* ask(question("q"));
  }
  function* inner(): Flow<{ kept: number }> {
    yield* record({ type: "warning", text: "here" });
    const value = { kept: 1, lost: undefined };
    return value;
  }
  const journal = await newJournal();
  await rig(journal, { documents: { "notes.md": "text" } }).go(flow);
  await rig(journal).go(flow);
  assert.deepEqual(seen, ["text", { kept: 1 }, "text", { kept: 1 }]);
  assert.ok(!("lost" in (seen[1] as object)));
});

test("a finished scope is not replayed inside", async () => {
  let entered = 0;
  function* inner(): Flow<string> {
    entered++;
    yield* check("c", "work");
    return "done";
  }
  function* flow(): Flow<string> {
    const value = yield* scope(step("inner", text), inner());
    yield* ask(question("q"));
    return value;
  }
  const journal = await newJournal();
  await rig(journal).go(flow);
  const again = rig(journal, { answers: { q: ["go"] } });
  assert.deepEqual(await again.go(flow), { how: "finished", value: "done" });
  assert.equal(entered, 1);
});

test("a recorded result that no longer fits its schema stops the run instead of being trusted", async () => {
  function* flow(returns: z.ZodType): Flow<unknown> {
    const value = yield* scope(
      step("inner", returns),
      (function* () {
        return "text";
      })(),
    );
    yield* ask(question("q"));
    return value;
  }
  const journal = await newJournal();
  await rig(journal).go(() => flow(text));
  const stricter = rig(journal);
  assert.deepEqual(await stricter.go(() => flow(z.number())), { how: "suspended", why: "question" });
  assert.deepEqual(stricter.shown, ["run.diverged"]);
});

test("closing a dialog suspends the run: no further dialog, no further request, and the next start shows that question again", async () => {
  function* flow(): Flow<string> {
    const one = yield* ask(question("one"));
    const two = yield* ask(question("two"));
    yield* check("c", "work");
    return one + two;
  }
  const journal = await newJournal();
  const first = rig(journal, { answers: { one: ["a"] } });
  assert.deepEqual(await first.go(flow), { how: "suspended", why: "question" });
  assert.deepEqual([first.shown, first.ran], [["one", "two"], []]);
  const begun = journal.entries.length;

  const second = rig(journal);
  await second.go(flow);
  assert.deepEqual(second.shown, ["two"]);
  assert.equal(journal.entries.filter((entry) => entry.type === "begin" && entry.key === "ask:two#1").length, 1);
  assert.equal(journal.entries.length, begun + 1, "a second look at a question writes a session and nothing else");

  const third = rig(journal, { answers: { two: ["b"] } });
  assert.deepEqual(await third.go(flow), { how: "finished", value: "ab" });
  assert.deepEqual(third.shown, ["two"]);
});

test("a question is on disk before it is shown", async () => {
  const journal = await newJournal();
  const syncs: string[] = [];
  const watched = {
    ...journal,
    append: (...[body, options]: Parameters<typeof journal.append>) => {
      if (options.sync) syncs.push(body.type === "begin" ? body.key : body.type);
      return journal.append(body, options);
    },
  };
  const first = rig(watched);
  await first.go(function* () {
    yield* ask(question("q"));
  });
  assert.deepEqual(syncs, ["ask:q#1"]);
});

test("suspension is never thrown into a flow", async () => {
  const seen: string[] = [];
  await rig(await newJournal()).go(function* () {
    try {
      yield* ask(question("q"));
    } catch {
      seen.push("caught");
    } finally {
      seen.push("finally");
    }
  });
  assert.deepEqual(seen, []);
});

test("a failure of a scope is an outcome: its parent may catch it, and catches it again on replay", async () => {
  let ran = 0;
  function* broken(): Flow<void> {
    ran++;
    yield* record({ type: "warning", text: "about to fail" });
    fail({ kind: "impossible", step: "broken", detail: "no way" });
  }
  function* flow(): Flow<string> {
    let caught = "";
    try {
      yield* scope(step("broken", nothing), broken());
    } catch (error) {
      if (error instanceof Failed) caught = error.failure.detail;
    }
    yield* ask(question("q"));
    return caught;
  }
  const journal = await newJournal();
  await rig(journal).go(flow);
  const again = rig(journal, { answers: { q: ["x"] } });
  assert.deepEqual(await again.go(flow), { how: "finished", value: "no way" });
  assert.equal(ran, 1);
});

test("a failure nobody catches ends the run with that failure, for good", async () => {
  const failure = { kind: "impossible", step: "plan", detail: "no tasks" } as const;
  const journal = await newJournal();
  const flow = function* (): Flow<void> {
    fail(failure);
  };
  assert.deepEqual(await rig(journal).go(flow), { how: "failed", failure });
  assert.deepEqual(await rig(journal).go(flow), { how: "failed", failure });
  assert.equal(journal.entries.filter((entry) => entry.type === "end").length, 1);
});

const branch = (run: (input: string) => Flow<string>): Flows => ({
  branch: defineFlow({ kind: "task", input: text, returns: text, run }),
});

test("concurrent branches all settle before the first failure in plan order is raised", async () => {
  const gates = {
    a: Promise.withResolvers<number>(),
    b: Promise.withResolvers<number>(),
    c: Promise.withResolvers<number>(),
  };
  const flows = branch(function* (name): Flow<string> {
    const { passed } = yield* check("work", name);
    if (!passed) fail({ kind: "impossible", step: name, detail: `${name} failed` });
    return name;
  });
  const settled: string[] = [];
  const one = rig(await newJournal(), {
    checks: async (command) => {
      const code = await gates[command as keyof typeof gates].promise;
      settled.push(command);
      return code;
    },
  });
  const end = one.go(function* () {
    yield* all(["a", "b", "c"].map((name) => ({ flow: "branch", name, input: name })));
  }, flows);
  gates.c.resolve(1);
  gates.a.resolve(0);
  gates.b.resolve(1);
  assert.deepEqual(await end, { how: "failed", failure: { kind: "impossible", step: "b", detail: "b failed" } });
  assert.deepEqual(settled.toSorted(), ["a", "b", "c"]);
});

test("of what went wrong in concurrent branches, trouble counts more than a stop, and a stop more than a failure", async () => {
  const flows = branch(function* (name): Flow<string> {
    if (name === "failing") fail({ kind: "impossible", step: name, detail: "no" });
    if (name === "asking") return yield* ask(question("open"));
    return (yield* read("a.md")) ?? "";
  });
  const end = async (...names: readonly string[]) => {
    const one = rig(await newJournal());
    const { documents } = await one.world.places.at("tree");
    Object.assign(documents, { read: () => Promise.reject(new OutsideFailure("unreadable", "a.md: EACCES")) });
    return one.go(function* () {
      return yield* all(names.map((name) => ({ flow: "branch", name, input: name })));
    }, flows);
  };
  assert.deepEqual(await end("failing", "asking"), { how: "suspended", why: "question" });
  await assert.rejects(end("failing", "asking", "reading"), /EACCES/);
});

test("results of concurrent branches keep the order of the plan, not of arrival", async () => {
  const slow = Promise.withResolvers<number>();
  const flows = branch(function* (name): Flow<string> {
    yield* check("work", name);
    return name;
  });
  const one = rig(await newJournal(), {
    checks: (command) => {
      if (command === "b") slow.resolve(0);
      return command === "a" ? slow.promise : 0;
    },
  });
  const end = await one.go(function* () {
    return yield* all(["a", "b"].map((name) => ({ flow: "branch", name, input: name })));
  }, flows);
  assert.deepEqual(end, { how: "finished", value: ["a", "b"] });
});

test("one question is shown at a time, in plan order, and closing it starts nothing new in other branches", async () => {
  const flows = branch(function* (name): Flow<string> {
    const answer = yield* ask(question(`${name}.one`));
    yield* check("work", name);
    return answer;
  });
  const flow = function* (): Flow<unknown> {
    return yield* all(["a", "b", "c"].map((name) => ({ flow: "branch", name, input: name })));
  };
  const journal = await newJournal();
  const first = rig(journal, { answers: { "a.one": ["1"] } });
  assert.deepEqual(await first.go(flow, flows), { how: "suspended", why: "question" });
  assert.deepEqual(first.shown, ["a.one", "b.one"]);

  const second = rig(journal, { answers: { "b.one": ["2"], "c.one": ["3"] } });
  assert.deepEqual(await second.go(flow, flows), { how: "finished", value: ["1", "2", "3"] });
  assert.deepEqual(second.shown, ["b.one", "c.one"]);
  assert.equal([...first.ran, ...second.ran].filter((command) => command === "a").length, 1);
});

test("a child flow gets its input checked, and an unknown flow is a bug that is named", async () => {
  const flows = branch(function* (name): Flow<string> {
    return name;
  });
  const told = async (input: unknown, registered: Flows): Promise<string> => {
    const journal = await newJournal();
    await rig(journal).go(function* (): Flow<unknown> {
      return yield* child({ flow: "branch", name: "x", input });
    }, registered);
    const last = journal.entries.at(-1);
    return last?.type === "begin" && last.request.do === "ask" ? last.request.question.message : "";
  };
  assert.match(await told(7, flows), /expected string/);
  assert.match(await told("x", {}), /no flow is registered as "branch"/);
});

test("a resume reads the configuration anew for what is asked after it, and keeps what was read before", async () => {
  const journal = await newJournal();
  function* flow(): Flow<unknown[]> {
    const before = yield* config();
    yield* ask(question("q"));
    const after = yield* config();
    return [before.validationCommand, after.validationCommand];
  }
  const settings = (validationCommand: string) => ({
    read: async () => ({ ...(await rig(journal).world.settings.read()), validationCommand }),
  });
  const first = rig(journal);
  Object.assign(first.world, { settings: settings("old") });
  await first.go(flow);
  const second = rig(journal, { answers: { q: ["x"] } });
  Object.assign(second.world, { settings: settings("new") });
  assert.deepEqual(await second.go(flow), { how: "finished", value: ["old", "new"] });
});

test("a run can be dropped after any record and goes on to the same end, repeating nothing", async () => {
  const flows = branch(function* (name): Flow<string> {
    const answer = yield* ask(question(`${name}.q`));
    yield* check("work", `${name}-${answer}`);
    return answer;
  });
  function* flow(): Flow<unknown> {
    yield* check("first", "before");
    const answers = yield* all(["a", "b"].map((name) => ({ flow: "branch", name, input: name })));
    yield* scope(
      step("last", nothing),
      (function* () {
        yield* record({ type: "warning", text: "end" });
      })(),
    );
    return answers;
  }
  const script = { answers: { "a.q": ["1"], "b.q": ["2"] } };
  const whole = await newJournal();
  const reference = await rig(whole, script).go(flow, flows);
  assert.equal(reference.how, "finished");
  for (let cut = 1; cut < whole.entries.length; cut++) {
    const journal = memoryJournal({ entries: whole.entries.slice(0, cut) });
    const settled = new Set(journal.entries.filter((entry) => entry.type === "settle").map((entry) => entry.key));
    const resumed = rig(journal, script);
    assert.deepEqual(await resumed.go(flow, flows), reference, `dropped after record ${cut}`);
    const repeated = journal.entries.slice(cut).filter((entry) => entry.type === "begin" && settled.has(entry.key));
    assert.deepEqual(repeated, [], `dropped after record ${cut}`);
  }
});
