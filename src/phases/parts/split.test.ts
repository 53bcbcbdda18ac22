import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatches, facts, play, resultOf } from "../../../test/rig/flow.ts";
import { documentsFor } from "../../core/run/document-paths.ts";
import { runsOf, split } from "./split.ts";

const documents = documentsFor("2026-02-07", "Tidy up", () => false);
const part = (title: string, scope = `${title} alone`) => ({ title, scope });
const wishes = { dryRun: true, skipBrainstorm: false };
const parts = [part("Fix the docs"), part("Drop Node 18")];
const whole = { goal: "Tidy up", mode: "quick" as const, parts, ...wishes };

test("a run that is split puts its parts in line behind its own documents, and ends without a task or an agent", () => {
  const played = play(split(whole, documents), { documents: Object.values(documents) });
  const steps = played.requests.map((request) => request.do);
  assert.deepEqual(steps.slice(-4), ["snapshot", "commit", "head", "queue"]);
  assert.deepEqual(dispatches(played), []);
  const report = resultOf(played);
  assert.deepEqual([report.tasks, report.queued], [[], ["Fix the docs", "Drop Node 18"]]);
  assert.deepEqual(facts(played), [
    {
      type: "report",
      text: "Split into 2 runs, each on a branch of its own: Fix the docs; Drop Node 18. They are queued and run one after another; superteam run --next starts the next one.",
    },
  ]);
});

test("each part becomes a run with its own goal and branch, in the mode, with the wishes and from the base of the whole", () => {
  const base = { sha: "a".repeat(40), branch: "main" };
  const [first, second] = runsOf(whole, base);
  assert.match(
    first?.goal ?? "",
    /^Fix the docs: Fix the docs alone\n\nThis is part 1 of 2 of a larger goal.*: Tidy up$/,
  );
  assert.deepEqual(
    { ...first, goal: "" },
    { goal: "", mode: "quick", branch: "superteam/fix-the-docs", base, ...wishes },
  );
  assert.equal(second?.branch, "superteam/drop-node-18");
});

test("parts whose titles come to the same name get branches of their own", () => {
  const alike = ["Über docs", "uber DOCS!", "日本", "中国", "uber docs"].map((title) => part(title));
  const branches = runsOf({ ...whole, parts: alike }, { sha: "a".repeat(40), branch: null }).map(
    ({ branch }) => branch,
  );
  assert.deepEqual(branches, [
    "superteam/uber-docs",
    "superteam/uber-docs-2",
    "superteam/run",
    "superteam/run-2",
    "superteam/uber-docs-3",
  ]);
});
