import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exit } from "../../process/launch.ts";
import type { SentOrder } from "../dispatch-folder.ts";
import { piReader } from "./stream-reader.ts";

const assistant = {
  role: "assistant",
  provider: "fake",
  model: "m1",
  usage: {},
  content: [{ type: "text", text: "Yes." }],
};
const answered = [
  { type: "turn_start" },
  { type: "message_start", message: { ...assistant, content: [] } },
  { type: "message_end", message: { ...assistant, stopReason: "stop" } },
];
const settled = { type: "agent_settled" };
const clean: Exit = { how: "exited", code: 0 };

test("an answer counts when pi has settled and left with exit code 0", () => {
  assert.deepEqual(verdict([...answered, settled], clean), { type: "finished", text: "Yes.", model: "fake/m1" });
});

test("an answer does not count when pi was killed, failed, or had not settled", () => {
  const endings = [
    verdict([...answered, settled], { how: "killed", signal: "SIGSEGV" }),
    verdict([...answered, settled], { how: "exited", code: 1 }),
    verdict(answered, clean),
    verdict([settled], clean),
    verdict([], clean),
  ];
  for (const ending of endings) assert.equal(ending?.type === "failed" && ending.kind, "crashed");
});

test("an answer that was whole before superteam stopped pi is kept: it was paid for", () => {
  const stopped = (records: readonly object[]) => {
    const reader = piReader(order(null));
    reader.read(bytesOf(records));
    const stop = { kind: "aborted", detail: "superteam stopped the agent." } as const;
    return reader.close({ exit: { how: "killed", signal: "SIGTERM" }, stop, stderr: "" }).at(-1);
  };
  for (const records of [answered, [...answered, settled]]) {
    assert.deepEqual(stopped(records), { type: "finished", text: "Yes.", model: "fake/m1" });
  }
  for (const records of [[...answered, { type: "turn_start" }], answered.slice(0, 2), [settled]]) {
    const ending = stopped(records);
    assert.equal(ending?.type === "failed" && ending.kind, "aborted");
  }
});

test("a turn that pi broke off by itself is a crash: only superteam aborts", () => {
  const broken = { type: "message_end", message: { ...assistant, stopReason: "aborted" } };
  const ending = verdict([...answered.slice(0, 2), broken, settled], clean);
  assert.equal(ending?.type === "failed" && ending.kind, "crashed");
});

test("a guard that pi cannot load is told with how to do without it", () => {
  const ending = verdict([], { how: "exited", code: 1 }, 'Error: Failed to load extension "/x/guard/extension.ts": no');
  assert.match(ending?.type === "failed" ? ending.detail : "", /cannot load the guard[^"]*"tdd": "off"/);
  const other = verdict([], { how: "exited", code: 1 }, "Error: no such thing");
  assert.doesNotMatch(other?.type === "failed" ? other.detail : "", /guard/);
});

test("what pi says on stderr before its first answer is told", () => {
  const ending = verdict([], { how: "exited", code: 1 }, "No API key found for anthropic.\nUse /login");
  assert.ok(ending?.type === "failed" && ending.kind === "auth");
  assert.match(ending.detail, /exit code 1 .* It said: No API key found/);
});

test("lines that cannot be read are told: the first as it comes, all of them at the end", () => {
  const reader = piReader(order(null));
  const first = reader.read(Buffer.from("oops\n{\n"));
  assert.deepEqual(first, [{ type: "trouble", detail: "A line of pi's stream could not be read: oops" }]);
  const last = reader.close({ exit: clean, stop: undefined, stderr: "" });
  assert.deepEqual(last[0], { type: "trouble", detail: "2 lines of pi's stream could not be read." });
});

test("another model than the one asked for stops the agent; case and thinking level make no other model", () => {
  for (const [asked, wrong] of [
    ["fake/m2", true],
    ["other/m1", true],
    ["fake/m1", false],
    ["Fake/M1", false],
    ["m1", false],
    ["fake/m1:high", false],
    [null, false],
  ] as const) {
    const reader = piReader(order(asked));
    reader.read(bytesOf(answered.slice(0, 2)));
    assert.equal(reader.halt?.kind, wrong ? "wrong-model" : undefined, String(asked));
  }
});

function verdict(records: readonly unknown[], exit: Exit, stderr = "") {
  const reader = piReader(order(null));
  reader.read(bytesOf(records));
  return reader.close({ exit, stop: undefined, stderr }).at(-1);
}

function bytesOf(records: readonly unknown[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

function order(model: string | null): SentOrder {
  return { backend: "pi", model, capabilities: [], characters: 15 };
}
