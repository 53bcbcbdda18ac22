// A task that changes what its checks run from: the run continues, and person and reviewers see it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, dispatches, type Files, facts, type Script } from "../../../test/rig/flow.ts";
import { config, names, reviewer, run } from "../../../test/rig/task.ts";

const scripts = (files: Files) => ({
  names: ["scripts/check.mjs"],
  programs: { "node_modules/.bin/x": files.has("src/limit.ts") ? "2" : "1" },
});
const edits =
  (text: string): Agent =>
  ({ files }) => {
    files.set("src/limit.ts", text);
    files.set("scripts/check.mjs", `process.exit(0); // ${text}`);
    return "Done.";
  };
const finding = { rule: "missing", severity: "high", anchor: { requirement: "R1" }, what: "No." };
const changed = (script: Script) => facts(run(script)).filter((fact) => fact.type === "scripts.changed");

test("T3: who reviews it learns which files of the checks it edits, and the person is told once, with what no diff shows", () => {
  const twice = reviewer(
    { findings: [finding] },
    { resolutions: [{ id: "F1", state: "resolved", quote: "limit(2);" }] },
  );
  const script = {
    config,
    scripts,
    agents: { implement: edits("limit(1);"), fix: edits("limit(2);"), "spec-review": twice },
  };
  const played = run(script);
  assert.ok(played.end.how === "done", JSON.stringify(played.end));
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "spec-review", "quality-review"]);
  const about = { type: "scripts.changed", task: "2", command: "check it" };
  assert.deepEqual(changed(script), [{ ...about, changed: ["scripts/check.mjs"], unseen: ["node_modules/.bin/x"] }]);
  for (const { prompt } of dispatches(played).filter(({ name }) => name.endsWith("-review"))) {
    assert.match(prompt, /edits scripts\/check\.mjs, which `check it` runs: see that it still checks as much/);
    assert.match(prompt, /`check it` runs node_modules\/\.bin\/x, which changed during this work and is in no diff/);
  }
});

test("a task that leaves them alone, or has no checks, says nothing of them", () => {
  assert.deepEqual(changed({ config, scripts: () => ({ names: ["scripts/check.mjs"], programs: { x: "1" } }) }), []);
  const unchecked = run({ scripts, agents: { implement: edits("limit(1);") } });
  assert.ok(!unchecked.requests.some((request) => request.do === "command-files"));
});
