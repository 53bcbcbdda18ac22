// What every backend and its agents promise. The real processes of a backend play the script; nothing is slept for.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Script } from "../../src/adapters/agents/scripted/script.ts";
import { goneAt } from "../../src/adapters/process/gone.ts";
import { birthOf } from "../../src/adapters/process/table.ts";
import { treeIsAlive } from "../../src/adapters/process/tree.ts";
import { capabilities } from "../../src/core/run/capability.ts";
import type { AgentEvent, AgentMark } from "../../src/ports/agents.ts";
import { eventsOf, isAlive, type MakeBackend, markIn, never, type Rig, verdictOf, withRig } from "../rig/agents/rig.ts";
import { pidIn, until } from "../rig/until.ts";

/** Writes its number into `file` and waits in a session of its own, as a tool's own daemon would. */
const stray = (file: string): string => `setsid sh -c 'echo $$ > ${file}; exec sleep 300' &`;
const waits = `${stray("stray")} sleep 300`;

/** `isTurn` says of each promise, in their order, whether it is tried here. */
export function agentsContract(name: string, make: MakeBackend, isTurn = () => true): void {
  const promises = (text: string, script: Script, use: (rig: Rig) => Promise<void>): void => {
    if (!isTurn()) return;
    test(text, { timeout: 240_000 }, () => withRig(make, script, use));
  };

  suite(`agents: ${name}`, { concurrency: 2 }, () => {
    promises("a backend is found with its version, its models and working agents", { text: "Yes." }, async (rig) => {
      const search = await rig.backend.find(rig.env);
      assert.ok(search.found);
      const { version, description, models, agents } = search.backend;
      assert.ok(version !== "" && description.includes(version));
      const listed = await models(rig.cwd);
      assert.ok(listed.ok && listed.models.length > 0);
      for (const model of listed.models) assert.match(model, /^[^/]+\/.+/);
      const events = await eventsOf(agents.dispatch(rig.order(), never));
      assert.equal(verdictOf(events).type, "finished");
      assert.equal(markIn(events).backend, rig.backend.name);
      await agents.close();
    });

    promises("an agent has tools for what it may do, and none for nothing", { text: "" }, async ({ backend }) => {
      const all = backend.tools(capabilities);
      assert.deepEqual(backend.tools([]), []);
      assert.equal(new Set(all).size, all.length);
      for (const one of capabilities) for (const tool of backend.tools([one])) assert.ok(all.includes(tool), tool);
    });

    promises(
      "what an agent used is read again from its folder, without finding the backend",
      { text: "Yes." },
      async (rig) => {
        const order = rig.order();
        const events = await eventsOf(rig.agents.dispatch(order, never));
        const heard = events.flatMap((one) => (one.type === "usage" ? [{ model: one.model, usage: one.usage }] : []));
        const mark = markIn(events);
        assert.ok(heard.length > 0);
        assert.deepEqual(await rig.backend.leftovers.recount(order.folder), heard);
        assert.deepEqual(await rig.backend.leftovers.recount(`${order.folder}-none`), []);
        assert.deepEqual(await rig.backend.leftovers.end(mark, order.folder), { wasAlive: false, strays: [] });
      },
    );

    promises(
      "an agent works in its tree and answers",
      { run: "echo made > made.txt", text: "All done." },
      async (rig) => {
        const order = rig.order();
        const events = await eventsOf(rig.agents.dispatch(order, never));
        const verdict = verdictOf(events);
        assert.equal(verdict.type === "finished" && verdict.text, "All done.");
        assert.equal(await readFile(join(rig.cwd, "made.txt"), "utf8"), "made\n");
        assert.deepEqual(
          [...new Set(events.map(({ type }) => type))].filter((type) => type !== "usage"),
          ["spawned", "started", "tool", "text", "finished"],
        );
        const tools = events.filter((event) => event.type === "tool").map(({ state, failed }) => ({ state, failed }));
        assert.deepEqual(tools, [
          { state: "start", failed: false },
          { state: "end", failed: false },
        ]);
      },
    );

    promises("prompt, stream and the note that all is gone are kept", { text: "Yes." }, async (rig) => {
      const order = rig.order();
      const events = await eventsOf(rig.agents.dispatch(order, never));
      assert.equal(await readFile(join(order.folder, "prompt.md"), "utf8"), order.prompt);
      assert.ok((await stat(join(order.folder, "stream.jsonl"))).size > 0);
      assert.notEqual(await goneAt(order.folder), null);
      assert.equal(await treeIsAlive(markIn(events)), false);
    });

    promises("a command that fails is told as a failed tool", { run: "exit 3", text: "It failed." }, async (rig) => {
      const events = await eventsOf(rig.agents.dispatch(rig.order(), never));
      const end = events.find((event) => event.type === "tool" && event.state === "end");
      assert.equal(end?.type === "tool" && end.failed, true);
      assert.equal(verdictOf(events).type, "finished");
    });

    promises("each dispatch has a process and a context of its own", { text: "Yes." }, async (rig) => {
      const first = await eventsOf(rig.agents.dispatch(rig.order({ prompt: "First question." }), never));
      const order = rig.order({ prompt: "Second question." });
      const second = await eventsOf(rig.agents.dispatch(order, never));
      assert.notEqual(markIn(first).tag, markIn(second).tag);
      assert.equal((await rig.received(order)).trim(), "Second question.");
    });

    promises("a prompt of 1 MB arrives whole", { text: "Long." }, async (rig) => {
      const order = rig.order({ prompt: `${"0123456789 äöü ".repeat(66_000)}end` });
      const verdict = verdictOf(await eventsOf(rig.agents.dispatch(order, never)));
      assert.equal(verdict.type, "finished");
      assert.equal(await rig.received(order), order.prompt);
    });

    promises("the mark of a running agent is its pid and its birth", { run: waits, text: "" }, async (rig) => {
      const { mark, abort, events } = await started(rig);
      assert.ok(mark.pid > 1 && mark.birth !== "" && mark.tag.length > 20);
      assert.equal(mark.birth, await birthOf(mark.pid));
      abort.abort();
      await events;
    });

    promises("aborting leaves no process, in whatever session", { run: waits, text: "" }, async (rig) => {
      const { mark, abort, events } = await started(rig);
      const pid = await pidIn(join(rig.cwd, "stray"));
      abort.abort();
      const verdict = verdictOf(await events);
      assert.equal(verdict.type === "failed" && verdict.kind, "aborted");
      assert.deepEqual([await isAlive(pid), await treeIsAlive(mark)], [false, false]);
    });

    const stubborn = `setsid sh -c 'trap "" TERM; echo $$ > stubborn; while :; do sleep 1; done' & sleep 300`;
    promises("what ignores SIGTERM gets a real SIGKILL", { run: stubborn, text: "" }, async (rig) => {
      const { mark, abort, events } = await started(rig);
      const pid = await pidIn(join(rig.cwd, "stubborn"));
      abort.abort();
      const verdict = verdictOf(await events);
      assert.equal(verdict.type === "failed" && verdict.kind, "aborted");
      assert.deepEqual([await isAlive(pid), await treeIsAlive(mark)], [false, false]);
    });

    promises(
      "an agent that is stopped before it starts is not asked",
      { run: "touch asked", text: "" },
      async (rig) => {
        const verdict = verdictOf(await eventsOf(rig.agents.dispatch(rig.order(), AbortSignal.abort())));
        assert.equal(verdict.type === "failed" && verdict.kind, "aborted");
        await assert.rejects(stat(join(rig.cwd, "asked")));
      },
    );

    promises("an agent nobody listens to any more is ended", { run: waits, text: "" }, async (rig) => {
      let mark: AgentMark | undefined;
      for await (const event of rig.agents.dispatch(rig.order(), never)) {
        if (event.type === "spawned") mark = event.process;
        if (event.type === "tool") break;
      }
      assert.equal(mark && (await treeIsAlive(mark)), false);
    });

    promises("what is left of an earlier life is ended by its mark", { run: waits, text: "" }, async (rig) => {
      const { mark, events } = await started(rig);
      const pid = await pidIn(join(rig.cwd, "stray"));
      assert.deepEqual(await rig.agents.end(mark, rig.cwd), { wasAlive: true, strays: [] });
      assert.deepEqual([await isAlive(pid), await treeIsAlive(mark)], [false, false]);
      assert.equal(verdictOf(await events).type, "failed");
      assert.deepEqual(await rig.agents.end(mark, rig.cwd), { wasAlive: false, strays: [] });
    });

    // It has begun before the agent ends: what is ended in its first moment has no id to look for.
    const daemon =
      "(env -i setsid sh -c 'echo $$ > daemon; exec sleep 300' > /dev/null 2>&1 &); until [ -s daemon ]; do sleep 0.02; done";
    promises("W5: a daemon that nothing ties to the agent is named", { run: daemon, text: "Done." }, async (rig) => {
      const events = await eventsOf(rig.agents.dispatch(rig.order(), never));
      const pid = await pidIn(join(rig.cwd, "daemon"));
      const told = events.flatMap((event) => (event.type === "trouble" ? [event.detail] : []));
      const isNamed = told.some((detail) => detail.startsWith(`Process ${pid} (`));
      // It was ended if it was seen before its parent was gone.
      assert.equal(isNamed, await isAlive(pid), told.join("\n"));
      if (isNamed) process.kill(pid, "SIGKILL");
    });

    promises("an agent that dies by a signal has failed", { run: "kill -9 $PPID", text: "Fine!" }, async (rig) => {
      const verdict = verdictOf(await eventsOf(rig.agents.dispatch(rig.order(), never)));
      assert.equal(verdict.type === "failed" && verdict.kind, "crashed");
      assert.match(verdict.type === "failed" ? verdict.detail : "", /SIGKILL/);
    });

    promises("a tree or a folder that cannot be used is a failure, not an exception", { text: "" }, async (rig) => {
      await writeFile(join(rig.cwd, "file"), "");
      for (const changes of [{ cwd: join(rig.cwd, "none") }, { folder: join(rig.cwd, "file", "folder") }]) {
        const verdict = verdictOf(await eventsOf(rig.agents.dispatch(rig.order(changes), never)));
        assert.equal(verdict.type === "failed" && verdict.kind, "crashed");
      }
    });

    promises("silence is told, and ends as stuck", { hang: true, text: "" }, async (rig) => {
      const order = rig.order({ silentMs: 400, stuckMs: 3_000 });
      const events = await eventsOf(rig.agents.dispatch(order, never));
      const verdict = verdictOf(events);
      assert.equal(verdict.type === "failed" && verdict.kind, "stuck");
      assert.ok(events.filter(({ type }) => type === "silent").length >= 2);
      assert.equal(await treeIsAlive(markIn(events)), false);
    });

    promises("a tool that runs is a sign of life", { run: "sleep 1", text: "Slept." }, async (rig) => {
      const order = rig.order({ silentMs: 150 });
      const events = await eventsOf(rig.agents.dispatch(order, never));
      const tools = events.flatMap(({ type }, index) => (type === "tool" ? [index] : []));
      const between = events.slice(tools[0], tools[1]).map(({ type }) => type);
      assert.deepEqual(between, ["tool"]);
      assert.equal(verdictOf(events).type, "finished");
    });

    promises("an agent that takes too long has timed out", { run: waits, text: "" }, async (rig) => {
      const events = await eventsOf(rig.agents.dispatch(rig.order({ timeoutMs: 2_500 }), never));
      const verdict = verdictOf(events);
      assert.equal(verdict.type === "failed" && verdict.kind, "timed-out");
      assert.equal(await treeIsAlive(markIn(events)), false);
    });

    promises("killing superteam leaves no agent, and notes when it was gone", { run: waits, text: "" }, async (rig) => {
      const order = rig.order();
      const host = spawn(process.execPath, [hostProgram, JSON.stringify({ setup: rig.host, order })]);
      const lines: string[] = [];
      host.stdout.setEncoding("utf8").on("data", (text: string) => lines.push(text));
      const pid = await pidIn(join(rig.cwd, "stray"));
      await until(() => lines.join("").includes("\n"));
      const mark = markIn([JSON.parse(lines.join("").split("\n")[0] ?? "")]);
      assert.deepEqual([await isAlive(pid), await treeIsAlive(mark)], [true, true]);
      host.kill("SIGKILL");
      await until(async () => (await goneAt(order.folder)) !== null);
      // A process that is on its way out can do nothing any more, but is in the table of processes for a moment.
      await until(async () => !(await isAlive(pid)) && !(await treeIsAlive(mark)));
    });
  });
}

const hostProgram = fileURLToPath(new URL("../rig/agents/host.ts", import.meta.url));

interface Started {
  readonly mark: AgentMark;
  readonly abort: AbortController;
  readonly events: Promise<readonly AgentEvent[]>;
}

/** A dispatch that goes on by itself. */
async function started(rig: Rig): Promise<Started> {
  const abort = new AbortController();
  const stream = rig.agents.dispatch(rig.order(), abort.signal)[Symbol.asyncIterator]();
  const first = await stream.next();
  const events = eventsOf({ [Symbol.asyncIterator]: () => stream }).then((rest) => [first.value, ...rest]);
  return { mark: markIn([first.value]), abort, events };
}
