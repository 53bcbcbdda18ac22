import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { plainOrder } from "../../../test/rig/agents/rig.ts";
import { type AgentProgram, processAgents } from "./process-agents.ts";

/** Leaves a file as soon as it is asked something. */
const program: AgentProgram = {
  name: "sh",
  command: () => ({ command: "/bin/sh", args: ["-c", "read prompt; : > asked"], env: {} }),
  reader: () => ({
    read: () => [],
    busy: false,
    halt: undefined,
    close: () => [{ type: "finished", text: "", model: "none" }],
  }),
  spares: 0,
};

// Found by the simulation: an agent worked and was paid before its process was on record, so that after a kill nobody counted it.
test("an agent gets its prompt only after its process was reported (M1)", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "superteam-agents-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const agents = processAgents(program);
  const events = agents.dispatch(
    { ...plainOrder, id: "1-tester", backend: "sh", cwd: folder, folder: join(folder, "run") },
    new AbortController().signal,
  );
  const running = events[Symbol.asyncIterator]();
  const first = await running.next();
  assert.equal(first.value?.type, "spawned");
  await pause(300);
  assert.equal(existsSync(join(folder, "asked")), false);
  while (!(await running.next()).done);
  assert.equal(existsSync(join(folder, "asked")), true);
  await agents.close();
});
