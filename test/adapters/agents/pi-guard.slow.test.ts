// The guard and the skill for test-first work, in the real pi: what the agent meets, and what superteam hears of it.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { addNote, type TestFirst } from "../../../src/core/test-first/guard.ts";
import type { ModelPlay, ModelToolCall, Reaction, Turn } from "../../../src/demo/model/play.ts";
import type { AgentEvent } from "../../../src/ports/agents.ts";
import { type PiRig, withPi } from "../../rig/agents/pi.ts";
import { eventsOf, never, verdictOf } from "../../rig/agents/rig.ts";

const project = join(import.meta.dirname, "../../..");
const write = (path: string, content = "x"): ModelToolCall => ({ name: "write", args: { path, content } });
const bash = (command: string): ModelToolCall => ({ name: "bash", args: { command } });

const failingTest = `import { one } from "./one.mjs";
import test from "node:test";
import assert from "node:assert/strict";
test("one is one", () => assert.equal(one, 1));
`;

/** Plays one list of calls per turn, then says that it is done. What each call came to is kept. */
function turns(...calls: readonly (readonly ModelToolCall[])[]): {
  readonly play: ModelPlay;
  readonly heard: string[];
} {
  const heard: string[] = [];
  const play = ({ turn, results }: Turn): Reaction => {
    if (turn > 0) heard.push(...results.map(({ text }) => text));
    const tools = calls[turn];
    return tools === undefined ? { text: "Done." } : { tools };
  };
  return { play, heard };
}

async function guarded(rig: PiRig): Promise<TestFirst | undefined> {
  const events = await eventsOf(rig.agents.dispatch(rig.order({ role: "implementer", testFirst: "guarded" }), never));
  assert.equal(verdictOf(events).type, "finished");
  return recordOf(events);
}

function recordOf(events: readonly AgentEvent[]): TestFirst | undefined {
  const notes = events.flatMap((event) => (event.type === "tool" && event.guard ? [event.guard] : []));
  return notes.reduce<TestFirst | undefined>(addNote, undefined);
}

suite("the guard", { concurrency: 2, timeout: 240_000 }, () => {
  test("holds back source before a test has failed, says why and what to do, and lets it through after", async () => {
    const { play, heard } = turns(
      [write("one.mjs", "export const one = 1;")],
      [write("one.test.mjs", failingTest)],
      [bash("node --test one.test.mjs")],
      [write("one.mjs", "export const one = 1;")],
      [bash("node --test one.test.mjs")],
    );
    await withPi(play, {}, async (rig) => {
      const record = await guarded(rig);
      assert.match(heard[0] ?? "", /^one\.mjs was not written: .*no test has failed yet/);
      assert.match(heard[0] ?? "", /Run it and see it fail[\s\S]*Then write one\.mjs again/);
      assert.equal(await readFile(join(rig.cwd, "one.mjs"), "utf8"), "export const one = 1;");
      const seen = { sawRed: true, sawGreen: true, gaveWay: false };
      assert.deepEqual(record, { heldBack: 1, files: ["one.mjs"], ...seen });
    });
  });

  test("tells superteam of each call as it ends", async () => {
    const { play } = turns([write("src/a.ts"), bash("true")]);
    await withPi(play, {}, async ({ agents, order }) => {
      const events = await eventsOf(agents.dispatch(order({ testFirst: "guarded" }), never));
      const ends = events.flatMap((event) => (event.type === "tool" && event.state === "end" ? [event] : []));
      const told = ends.map(({ name, failed, guard }) => ({ name, failed, guard }));
      assert.deepEqual(told, [
        { name: "write", failed: true, guard: { did: "held-back", file: "src/a.ts" } },
        { name: "bash", failed: false, guard: undefined },
      ]);
    });
  });

  test("gives way after three times; what one message asks for is one time", async () => {
    const { play, heard } = turns(
      [write("a.py"), write("b.py"), write("c.py"), write("d.py")],
      [write("a.py")],
      [write("a.py")],
      [write("a.py")],
      [write("b.py")],
    );
    await withPi(play, {}, async (rig) => {
      const record = await guarded(rig);
      assert.deepEqual(
        ["a.py", "b.py", "c.py"].map((file) => existsSync(join(rig.cwd, file))),
        [true, true, false],
      );
      assert.equal(heard.filter((text) => text.includes("You will not be stopped again")).length, 1);
      assert.deepEqual([record?.heldBack, record?.gaveWay, record?.sawRed], [6, true, false]);
    });
  });

  test("does not hold back tests, documents and settings, nor what is outside of the tree", async () => {
    const files = ["test/a.test.ts", "README.md", "package.json", "vite.config.ts", "../scratch.ts"];
    const { play } = turns(files.map((file) => write(file)));
    await withPi(play, {}, async (rig) => {
      assert.equal(await guarded(rig), undefined);
      for (const file of files) assert.ok(existsSync(join(rig.cwd, file)), file);
    });
  });

  test("a command that cannot be run is not a test that fails", async () => {
    const { play } = turns([bash("no-such-runner test; npm test")], [bash("cd nowhere && npm test")], [write("a.ts")]);
    await withPi(play, {}, async (rig) => {
      assert.equal((await guarded(rig))?.heldBack, 1);
    });
  });

  test("begins anew with each process", async () => {
    const { play } = turns([write("one.test.mjs", failingTest)], [bash("node --test one.test.mjs")]);
    const { play: again } = turns([write("a.ts")]);
    let dispatches = 0;
    const both: ModelPlay = (turn) => {
      if (turn.turn === 0) dispatches += 1;
      return dispatches === 1 ? play(turn) : again(turn);
    };
    await withPi(both, {}, async (rig) => {
      assert.equal((await guarded(rig))?.sawRed, true);
      assert.deepEqual(await guarded(rig), addNote(undefined, { did: "held-back", file: "a.ts" }));
    });
  });
});

suite("who is held to test-first work", { concurrency: 2, timeout: 240_000 }, () => {
  const skill = "skills/test-driven-development/SKILL.md";

  test("one who is guarded, or only taught, sees the skill and can read it; only the first is held back", async () => {
    for (const testFirst of ["guarded", "taught"] as const) {
      const { play, heard } = turns([{ name: "read", args: { path: join(project, skill) } }], [write("a.ts")]);
      await withPi(play, {}, async ({ agents, order, server, cwd }) => {
        await eventsOf(agents.dispatch(order({ testFirst }), never));
        const { system = "" } = server.requests[0] ?? {};
        assert.match(system, /<name>test-driven-development<\/name>\s*<description>[^<]+Use before writing/);
        assert.ok(system.includes(`<location>${join(project, skill)}</location>`));
        assert.match(heard[0] ?? "", /A test that you never saw fail proves nothing/);
        assert.equal(existsSync(join(cwd, "a.ts")), testFirst === "taught");
      });
    }
  });

  test("one who is neither sees no skill, and nothing is held back", async () => {
    const { play } = turns([write("a.ts")]);
    await withPi(play, {}, async ({ agents, order, server, cwd }) => {
      await eventsOf(agents.dispatch(order(), never));
      assert.doesNotMatch(server.requests[0]?.system ?? "", /skill/);
      assert.ok(existsSync(join(cwd, "a.ts")));
    });
  });

  test("a process that was started ahead without the guard does not serve one who is to be guarded", async () => {
    const { play } = turns([write("a.ts")]);
    await withPi(play, {}, async (rig) => {
      rig.agents.prepare(rig.order({ role: "implementer", testFirst: "taught" }));
      assert.equal((await guarded(rig))?.heldBack, 1);
    });
  });
});
