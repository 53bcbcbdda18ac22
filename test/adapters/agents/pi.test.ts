// The real pi, driven by the adapter, with a scripted model: what reaches the model, and what comes back.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { ModelPlay } from "../../../src/demo/model/play.ts";
import { withPi } from "../../rig/agents/pi.ts";
import { eventsOf, never, verdictOf } from "../../rig/agents/rig.ts";
import { eightMegabytes, lineSeparators, manyBytes } from "../../rig/agents/texts.ts";

const says =
  (text: string): ModelPlay =>
  () => ({ text });

suite("the pi adapter", { concurrency: 2, timeout: 240_000 }, () => {
  test("tools really work, and every turn's usage is told as it arrives", async () => {
    const play: ModelPlay = ({ turn, results }) => {
      if (turn === 0) return { tools: [{ name: "write", args: { path: "a.txt", content: "one\n" } }] };
      if (turn === 1) return { text: "Now I look.", tools: [{ name: "bash", args: { command: "cat a.txt" } }] };
      return { text: `It says ${results[0]?.text}`, usage: { input: 7, output: 3, cacheRead: 5 } };
    };
    await withPi(play, {}, async ({ agents, order, cwd }) => {
      const events = await eventsOf(agents.dispatch(order(), never));
      assert.equal(await readFile(join(cwd, "a.txt"), "utf8"), "one\n");
      assert.deepEqual(verdictOf(events), {
        type: "finished",
        text: "It says one\n",
        model: "scripted/scripted-model",
      });
      const tools = events.flatMap((event) => (event.type === "tool" ? [`${event.state} ${event.name}`] : []));
      assert.deepEqual(tools, ["start write", "end write", "start bash", "end bash"]);
      const usages = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
      assert.equal(usages.length, 3);
      assert.deepEqual(
        { ...usages[2], costUsd: 0 },
        { input: 7, output: 3, cacheRead: 5, cacheWrite: 0, costUsd: 0, estimated: false },
      );
      assert.ok(usages.every(({ costUsd }) => costUsd > 0));
      assert.ok(events.findIndex(({ type }) => type === "usage") < events.findIndex(({ type }) => type === "tool"));
    });
  });

  test("U13: what a command prints is told while it runs", async () => {
    const play: ModelPlay = ({ turn }) => {
      const command = "echo ready; until [ -f go ]; do sleep 0.05; done";
      return turn === 0 ? { tools: [{ name: "bash", args: { command } }] } : { text: "Done." };
    };
    await withPi(play, {}, async ({ agents, order, cwd }) => {
      const printed: string[] = [];
      for await (const event of agents.dispatch(order(), never)) {
        if (event.type === "output") {
          printed.push(event.line);
          await writeFile(join(cwd, "go"), "");
        }
        if (event.type === "finished") printed.push(event.text);
      }
      assert.deepEqual(printed, ["ready", "Done."]);
    });
  });

  test("role and context reach the model, and nothing of the repository's or the person's prompt files", async () => {
    await withPi(says("Yes."), {}, async ({ agents, order, cwd, home, server }) => {
      await mkdir(join(cwd, ".pi"));
      const planted = ["AGENTS.md", "CLAUDE.md", ".pi/SYSTEM.md", ".pi/APPEND_SYSTEM.md"].map((file) =>
        join(cwd, file),
      );
      for (const file of [
        ...planted,
        ...["SYSTEM.md", "APPEND_SYSTEM.md", "AGENTS.md"].map((name) => join(home, name)),
      ]) {
        await writeFile(file, "LEAKED");
      }
      await writeFile(join(cwd, ".pi/settings.json"), JSON.stringify({ shellCommandPrefix: "echo LEAKED;" }));
      for (const context of ["The project is a bakery.", ""]) {
        await eventsOf(agents.dispatch(order({ system: `You bake. ${"Long. ".repeat(40_000)}`, context }), never));
        const request = server.requests.at(-1);
        assert.ok(request?.system.startsWith("You bake. Long."));
        assert.ok(request?.system.includes(context));
        assert.ok(!JSON.stringify(request).includes("LEAKED"));
      }
    });
  });

  test("an agent has the tools of its order, and no others", async () => {
    await withPi(says("Yes."), {}, async ({ agents, order, server }) => {
      await eventsOf(agents.dispatch(order({ capabilities: ["read", "search"] }), never));
      await eventsOf(agents.dispatch(order({ capabilities: [] }), never));
      assert.deepEqual(
        server.requests.map(({ tools }) => [...tools].sort()),
        [["find", "grep", "ls", "read"], []],
      );
    });
  });

  test("an agent sees the allowed variables, and those the order names", async () => {
    const env = { OTHER_SECRET: "not for you", MY_PROXY: "mine", OPENAI_API_KEY: "key-of-a-provider" };
    const play: ModelPlay = ({ turn }) =>
      turn === 0 ? { tools: [{ name: "bash", args: { command: "env > env.txt" } }] } : { text: "" };
    await withPi(play, { env }, async ({ agents, order, cwd }) => {
      await eventsOf(agents.dispatch(order({ environment: ["MY_PROXY"] }), never));
      const seen = await readFile(join(cwd, "env.txt"), "utf8");
      assert.match(seen, /^MY_PROXY=mine$/m);
      assert.match(seen, /^OPENAI_API_KEY=/m);
      assert.doesNotMatch(seen, /OTHER_SECRET/);
    });
  });

  for (const dialect of ["anthropic", "chat"] as const) {
    test(`line separators and characters cut between writes come through (${dialect})`, async () => {
      for (const text of [lineSeparators, manyBytes]) {
        await withPi(
          () => ({ text, fault: { kind: "split-characters" } }),
          { dialect },
          async ({ agents, order }) => {
            const verdict = verdictOf(await eventsOf(agents.dispatch(order(), never)));
            assert.equal(verdict.type === "finished" && verdict.text, text);
          },
        );
      }
    });
  }

  test("an answer of 8 MB arrives whole", async () => {
    await withPi(says(eightMegabytes), {}, async ({ agents, order }) => {
      const verdict = verdictOf(await eventsOf(agents.dispatch(order(), never)));
      assert.ok(verdict.type === "finished" && verdict.text === eightMegabytes);
    });
  });

  test("an answer that ran out of room, and one that is empty, are answers", async () => {
    for (const text of ["cut sho", ""]) {
      await withPi(
        () => ({ text, fault: { kind: "length" } }),
        {},
        async ({ agents, order }) => {
          const verdict = verdictOf(await eventsOf(agents.dispatch(order(), never)));
          assert.equal(verdict.type === "finished" && verdict.text, text);
        },
      );
    }
  });

  test("only the last message is the answer", async () => {
    const play: ModelPlay = ({ turn }) =>
      turn === 0 ? { text: "A draft.", tools: [{ name: "bash", args: { command: "true" } }] } : { text: "The answer." };
    await withPi(play, {}, async ({ agents, order }) => {
      const verdict = verdictOf(await eventsOf(agents.dispatch(order(), never)));
      assert.equal(verdict.type === "finished" && verdict.text, "The answer.");
    });
  });
});
