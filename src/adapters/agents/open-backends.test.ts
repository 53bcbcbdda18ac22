// Several backends in one run: who is asked for what.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { AgentEvent, AgentMark, AgentOrder } from "../../ports/agents.ts";
import type { Backend } from "../../ports/backend.ts";
import { openDispatchFolder } from "./dispatch-folder.ts";
import { openBackends } from "./open-backends.ts";

/** A backend that writes down what it is asked. */
function backendCalled(name: string, heard: string[], isHere = true): () => Promise<Backend> {
  const leftovers = {
    end: async ({ tag }: AgentMark) => ({ wasAlive: heard.push(`${name} ends ${tag}`) > 0, strays: [] }),
    recount: async (folder: string) => {
      heard.push(`${name} recounts ${folder}`);
      return [];
    },
  };
  async function* dispatch({ id }: AgentOrder): AsyncGenerator<AgentEvent, void> {
    heard.push(`${name} dispatches ${id}`);
    yield { type: "finished", text: name, model: "m" };
  }
  const close = async (): Promise<void> => void heard.push(`${name} closes`);
  const prepare = ({ id }: AgentOrder): void => void heard.push(`${name} prepares ${id}`);
  const known = { name, loginAdvice: "" };
  const models = async () => ({ ok: true, models: [] }) as const;
  const agents = { dispatch, prepare, ...leftovers, close };
  return async () => ({
    ...known,
    variables: [],
    tools: () => [],
    leftovers,
    find: async () => {
      heard.push(`${name} is looked for`);
      if (!isHere) return { found: false, reason: "missing", detail: `${name} is not here.` };
      return { found: true, backend: { ...known, version: "1", description: "1", agents, models } };
    },
  });
}

const never = new AbortController().signal;
const plain = {
  role: "r",
  prompt: "",
  system: "",
  context: "",
  capabilities: [],
  model: null,
  thinking: "off",
  cwd: "/",
  timeoutMs: 1,
  stuckMs: 1,
  silentMs: 1,
  environment: [],
  folder: "",
} as const;

function opened() {
  const heard: string[] = [];
  const one = backendCalled("one", heard);
  const backends = { one, two: backendCalled("two", heard), away: backendCalled("away", heard, false) };
  const { agents, find } = openBackends(backends, {});
  const last = async (backend: string, id: string): Promise<AgentEvent | undefined> => {
    let event: AgentEvent | undefined;
    for await (event of agents.dispatch({ ...plain, backend, id }, never));
    return event;
  };
  return { heard, agents, find, last };
}

const mark = (backend: string): AgentMark => ({ pid: -1, birth: "", tag: `t-${backend}`, backend });

test("each order goes to the backend it names, which is looked for once, and only the used ones are closed", async () => {
  const { heard, agents, last } = opened();
  await last("two", "a");
  await last("two", "b");
  agents.prepare({ ...plain, backend: "two", id: "c" });
  await agents.close();
  assert.deepEqual(heard, [
    "two is looked for",
    "two dispatches a",
    "two dispatches b",
    "two prepares c",
    "two closes",
  ]);
});

test("what is left of an earlier life goes to the backend it was of, without looking for a program", async (t) => {
  const { heard, agents } = opened();
  await agents.end(mark("one"), "/folder");
  const folder = await mkdtemp(join(tmpdir(), "superteam-backends-"));
  t.after(() => rm(folder, { recursive: true }));
  const order = { backend: "two", model: null, capabilities: [], system: "", context: "", prompt: "", cwd: "/" };
  openDispatchFolder(folder, order);
  await agents.recount(folder);
  assert.deepEqual(heard, ["one ends t-one", `two recounts ${folder}`]);
});

test("a backend that is not here, or that nobody knows, fails the dispatch with what to do", async () => {
  const { last, find } = opened();
  const away = await last("away", "a");
  assert.deepEqual(away?.type === "failed" && [away.kind, away.detail], ["crashed", "away is not here."]);
  const unknown = await last("constructor", "a");
  assert.match(unknown?.type === "failed" ? unknown.detail : "", /no backend "constructor".*: one, two, away\.$/);
  const search = await find("none");
  assert.equal(!search.found && search.reason, "unknown");
});

test("the process of a backend that this superteam does not have is ended all the same", async () => {
  const { agents } = opened();
  assert.deepEqual(await agents.end(mark("gone"), "/folder"), { wasAlive: false, strays: [] });
  assert.deepEqual(await agents.recount("/folder"), []);
});

test("a key in what an agent says, runs or fails with is gone before anyone hears of it", async () => {
  const key = `ghp_${"aB3dE6gH9j".repeat(4)}`;
  const own = "the-password-of-the-environment";
  const said = `${key} and ${own}`;
  const events: readonly AgentEvent[] = [
    { type: "tool", state: "start", failed: false, name: "bash", does: "run", command: `curl -H ${said}` },
    { type: "output", line: said, name: "bash", does: "run", command: "env" },
    { type: "text", text: said },
    { type: "trouble", detail: said },
    { type: "finished", text: said, model: "m" },
    { type: "failed", kind: "crashed", detail: said, output: said, model: null },
  ];
  async function* dispatch(): AsyncGenerator<AgentEvent, void> {
    yield* events;
  }
  const backend = await backendCalled("one", [])();
  const search = await backend.find({});
  if (!search.found) assert.fail();
  const leaking = { ...search.backend, agents: { ...search.backend.agents, dispatch } };
  const find = async () => ({ found: true, backend: leaking }) as const;
  const { agents } = openBackends({ one: async () => ({ ...backend, find }) }, { DB_PASSWORD: own });
  const heard: AgentEvent[] = [];
  for await (const event of agents.dispatch({ ...plain, backend: "one", id: "1" }, never)) heard.push(event);
  assert.equal(heard.length, events.length);
  for (const event of heard) {
    assert.match(JSON.stringify(event), /\[redacted\] and \[redacted\]/);
    assert.doesNotMatch(JSON.stringify(event), /ghp_|the-password/);
  }
});
