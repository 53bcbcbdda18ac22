import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentOrder } from "../../ports/agents.ts";
import { type AgentProgram, processAgents } from "./process-agents.ts";

const order: Omit<AgentOrder, "cwd" | "folder"> = {
  id: "1-tester",
  role: "tester",
  backend: "sh",
  prompt: "Do it.\n",
  system: "",
  context: "",
  capabilities: ["read", "run", "write"],
  model: null,
  thinking: "off",
  timeoutMs: 60_000,
  stuckMs: 60_000,
  silentMs: 60_000,
  environment: [],
};

/** Leaves a file as soon as it is asked something. */
const program: AgentProgram = {
  name: "sh",
  command: async () => ({ command: "/bin/sh", args: ["-c", "read prompt; : > asked"], env: {} }),
  reader: () => ({
    read: () => [],
    busy: false,
    halt: undefined,
    close: () => [{ type: "finished", text: "", model: "none" }],
  }),
  spares: 0,
};

// Found by the simulation: an agent worked and was paid before its process was on record, so that after a kill nobody counted it.
test("an agent is asked nothing before whoever started it knows of its process (M1)", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "superteam-agents-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const agents = processAgents(program);
  const events = agents.dispatch({ ...order, cwd: folder, folder: join(folder, "run") }, new AbortController().signal);
  const running = events[Symbol.asyncIterator]();
  const first = await running.next();
  assert.equal(first.value?.type, "spawned");
  await pause(300);
  assert.equal(existsSync(join(folder, "asked")), false);
  while (!(await running.next()).done);
  assert.equal(existsSync(join(folder, "asked")), true);
  await agents.close();
});
