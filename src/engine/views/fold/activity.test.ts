import assert from "node:assert/strict";
import { test } from "node:test";
import { piToolCall } from "../../../adapters/agents/pi/tools.ts";
import { superteam } from "../../../pipelines/superteam.ts";
import type { AgentEvent } from "../../../ports/agents.ts";
import { agentWarning } from "../tell/agent-warning.ts";
import { type Activity, actionsKept, applySign, doingNow, isInTrouble } from "./activity.ts";

/** An agent whose signs are folded one by one. */
const run = { pipeline: superteam };

class Agent {
  readonly activity: Activity = new Map();
  readonly warnings: string[] = [];
  readonly role: string;

  constructor(role: string) {
    this.role = role;
  }

  sign(event: AgentEvent): this {
    const sign = { key: "k", role: this.role, event };
    const warning = agentWarning(applySign(this.activity, sign, run), sign);
    if (warning !== undefined) this.warnings.push(warning);
    return this;
  }

  starts(name: string, args: unknown): this {
    return this.sign({ type: "tool", state: "start", ...piToolCall(name, args), failed: false });
  }

  ends(name: string, args: unknown, failed = false): this {
    return this.sign({ type: "tool", state: "end", ...piToolCall(name, args), failed });
  }

  does(name: string, args: unknown, failed = false): this {
    return this.starts(name, args).ends(name, args, failed);
  }

  bash(command: string, failed = false): this {
    return this.does("bash", { command }, failed);
  }

  get lines(): readonly string[] {
    return this.activity.get("k")?.actions.map(({ line, mark }) => `${line} ${mark ?? "…"}`.trimEnd()) ?? [];
  }
}

const implementer = () => new Agent("implementer");

test("test runs of an implementer are red as expected, then green, and what is edited after that is refactoring", () => {
  const agent = implementer()
    .does("read", { path: "src/index.ts" })
    .does("write", { path: "src/auth.test.ts" })
    .bash("vitest run auth", true)
    .does("write", { path: "src/auth.ts" })
    .does("edit", { path: "src/auth.ts" })
    .bash("vitest run auth")
    .does("edit", { path: "src/auth.ts" });
  assert.deepEqual(agent.lines, [
    "read src/index.ts",
    "write src/auth.test.ts",
    "bash: vitest run auth ✗ (RED — expected)",
    "write src/auth.ts",
    "edit src/auth.ts",
    "bash: vitest run auth ✓ (GREEN)",
    "edit src/auth.ts (refactoring)",
  ]);
});

test("tests that fail after they had passed are not expected to, and mending them is no refactoring", () => {
  const agent = implementer().bash("npm test").bash("npm test", true).does("edit", { path: "a.ts" });
  assert.deepEqual(agent.lines, ["bash: npm test ✓ (GREEN)", "bash: npm test ✗", "edit a.ts"]);
  assert.equal(agent.bash("npm test").does("edit", { path: "a.ts" }).lines.at(-1), "edit a.ts (refactoring)");
});

test("red is expected of nobody but an implementer, and of nothing but tests", () => {
  assert.deepEqual(new Agent("quality-reviewer").bash("npm test", true).bash("npm test").lines, [
    "bash: npm test ✗",
    "bash: npm test ✓ (GREEN)",
  ]);
  assert.deepEqual(implementer().bash("npm run build", true).bash("npm test | tail", false).lines, [
    "bash: npm run build ✗",
    "bash: npm test | tail",
  ]);
});

test("each tool has a line of its own", () => {
  const lines = new Agent("scout")
    .does("grep", { pattern: "authenticate", path: "src/" })
    .does("find", { pattern: "*.ts", path: "src" })
    .does("ls", { path: "src" })
    .does("read", { file_path: "a\u001b[2J\nb" })
    .does("unknown", null).lines;
  assert.deepEqual(lines, ['grep "authenticate" src/', "find *.ts src", "ls src", "read a b", "unknown"]);
});

test("only the last actions are kept, however many there were", () => {
  const agent = implementer();
  for (let n = 1; n <= 1000; n++) agent.does("read", { path: `${n}.ts` });
  assert.equal(agent.lines.length, actionsKept);
  assert.deepEqual([agent.lines[0], agent.lines.at(-1)], ["read 993.ts", "read 1000.ts"]);
});

test("calls that run side by side end in any order, the same call twice included", () => {
  const command = { command: "npm test" };
  const agent = implementer().starts("bash", command).starts("read", { path: "a" }).starts("bash", command);
  assert.equal(doingNow(agent.activity.get("k")), "running npm test");
  agent.ends("read", { path: "a" }).ends("bash", command, true);
  assert.deepEqual(agent.lines, ["bash: npm test ✗ (RED — expected)", "read a", "bash: npm test …"]);
  agent.ends("bash", command);
  assert.equal(doingNow(agent.activity.get("k")), undefined);
});

test("an end whose start has left the ring, or never came, changes no other line", () => {
  const agent = implementer().starts("bash", { command: "sleep 9" });
  for (let n = 1; n <= actionsKept; n++) agent.does("read", { path: `${n}` });
  const before = agent.lines;
  assert.deepEqual(agent.ends("bash", { command: "sleep 9" }).ends("ls", {}).lines, before);
});

test("agents are told apart, and one that has ended is forgotten", () => {
  const activity: Activity = new Map();
  const read = (path: string): AgentEvent => ({
    type: "tool",
    state: "start",
    ...piToolCall("read", { path }),
    failed: false,
  });
  applySign(activity, { key: "a", role: "architect", event: read("a.md") }, run);
  applySign(activity, { key: "b", role: "spec-reviewer", event: read("b.md") }, run);
  assert.deepEqual([...activity.values()].map(doingNow), ["reading a.md", "reading b.md"]);
  applySign(activity, { key: "a", role: "architect", event: { type: "finished", text: "", model: "m" } }, run);
  assert.deepEqual([...activity.keys()], ["b"]);
});

test("a dispatch that starts again starts with nothing", () => {
  const process = { pid: 1, birth: "", tag: "t", backend: "pi" };
  assert.deepEqual(implementer().bash("npm test").sign({ type: "spawned", process }).lines, []);
});

test("three failed calls in a row are warned of once, before the agent ends", () => {
  const agent = implementer().bash("make", true).bash("make", true);
  assert.deepEqual(agent.warnings, []);
  agent.bash("make all", true).bash("make", true);
  assert.deepEqual(agent.warnings, [
    "implementer may be in trouble: its last three tool calls failed, most recently running make all. It keeps trying; Escape twice stops it.",
  ]);
  agent.bash("true").bash("make", true).bash("make", true).bash("make", true);
  assert.equal(agent.warnings.length, 1);
});

test("failures with a good call in between are nothing to warn of", () => {
  const agent = implementer();
  for (let n = 0; n < 5; n++) agent.bash("npm test", true).bash("npm test", true).does("edit", { path: "a" });
  assert.deepEqual(agent.warnings, []);
  assert.equal(isInTrouble(new Map(), { key: "x", role: "scout", event: { type: "silent", forMs: 1 } }), false);
});

test("silence and trouble are told with who it is about", () => {
  const agent = new Agent("scout")
    .sign({ type: "silent", forMs: 90_000 })
    .sign({ type: "trouble", detail: "pi tries again\n(1 of 3)" });
  assert.deepEqual(agent.warnings, [
    "scout has been silent for 1m 30s and may be stuck. It will be stopped if this continues; Escape twice stops it now.",
    "scout: pi tries again (1 of 3)",
  ]);
});
