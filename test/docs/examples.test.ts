// The examples as programs: each is run as its first lines say, and does what it says.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const folder = join(import.meta.dirname, "../../examples");

const approval = { id: "plan.approval", kind: "select", title: "Plan Approval", message: "", options: [] };

/** As `superteam log --json` prints them. */
function eventLines(...bodies: readonly object[]): string {
  const lines = bodies.map((body, index) => ({
    v: 1,
    seq: index + 1,
    entry: index + 1,
    ts: "2026-01-31T00:00:00Z",
    runId: "r",
    ...body,
  }));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** What each prints, and what it is given to read. */
const expected: Readonly<Record<string, { readonly says: string; readonly input?: string }>> = {
  "01-a-flow.ts": {
    says: `The first life:
  runs whoami
  asks Which greeting? (nobody is there)
  suspended
The second life, with the same journal:
  asks Which greeting? Good morning
  finished: Good morning, Ada!
`,
  },
  "02-scripted-agents.ts": {
    says: `The run is finished. The commits:
  Start
  workflow: design and plan — Say hello
  workflow: task 1 — The greeting
  workflow: progress and summary — Say hello

hello.txt says: Hello, reader.

`,
  },
  "03-a-person-of-your-own.ts": { says: "Good evening, Ada.\n", input: "2\nAda\n" },
  "04-an-agent-of-your-own.ts": {
    says: `GREET ADA.

[SUPERTEAM] RUN=EXAMPLE ROLE=GREETER STEP=GREET ATTEMPT=1
`,
  },
  "05-a-pipeline.ts": { says: "Writing\nReading\nDear Ada! (It is one.)\n" },
  "06-follow-a-run.ts": {
    says: "Add a limit\n? Plan Approval\n1. Bucket: at work\n1. Bucket: complete, $0.25\nfinished: $0.40\n",
    input: eventLines(
      { type: "run.started", pipeline: "superteam", goal: "Add a limit", resumed: false, by: "person" },
      { type: "plan.written", path: "plan.md", tasks: [{ id: "1", title: "Bucket" }] },
      { type: "question.asked", key: "k", id: "plan.approval", question: approval },
      { type: "of.a.newer.superteam", task: "1" },
      { type: "task.started", task: "1", title: "Bucket" },
      { type: "task.settled", task: "1", status: "complete", commit: "c0ffee", rounds: 0, costUsd: 0.25 },
      { type: "run.finished", how: "finished", costUsd: 0.4 },
    ),
  },
};

const examples = readdirSync(folder).filter((name) => name.endsWith(".ts"));

test("every example is expected to say something", () => {
  assert.deepEqual(examples.toSorted(), Object.keys(expected));
});

for (const [name, { says, input = "" }] of Object.entries(expected)) {
  test(`examples/${name} runs and says what it should`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, name)], { input, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.equal(stdout, says);
  });

  test(`examples/${name} says how it is run, and uses nothing but the public API`, () => {
    const code = readFileSync(join(folder, name), "utf8");
    assert.ok(code.includes(`node examples/${name}`));
    const imported = [...code.matchAll(/from "(\.[^"]*)"/g)].map(([, path]) => path);
    assert.ok(imported.includes("../src/index.ts"));
    assert.deepEqual(
      imported.filter((path) => path !== "../src/index.ts" && path !== "./support/world.ts"),
      [],
    );
  });
}

test("a backend of your own takes fewer than 80 lines, a pipeline fewer than 60", () => {
  const lines = (name: string): number => readFileSync(join(folder, name), "utf8").trimEnd().split("\n").length;
  assert.ok(lines("04-an-agent-of-your-own.ts") < 80);
  assert.ok(lines("05-a-pipeline.ts") < 60);
});
