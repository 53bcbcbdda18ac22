import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../../../test/rig/task.ts";
import { passedCheck, type Receipt } from "../../core/review/receipts.ts";
import type { RegisteredFinding } from "../../core/review/register.ts";
import type { Verdict } from "../../core/review/review.ts";
import { Config } from "../../core/run/config.ts";
import { isProvenTask, startTask, TaskInput, type TaskWork } from "./task-work.ts";

const here = { sha: "head", branch: "work", tree: "start", ref: "refs/superteam/kept", leftAlone: [] };

interface Proof {
  readonly command?: string;
  readonly validated?: string | null;
  readonly spec?: { tree?: string; verdict?: Verdict } | null;
  readonly review?: TaskInput["review"];
  readonly standing?: RegisteredFinding["standing"];
}

/** A task with all the evidence for `tree`, but for what a test says. */
function jobWith({
  command = "check it",
  validated = "tree",
  spec = {},
  review = "iterative",
  standing,
}: Proof): TaskWork {
  const input = TaskInput.parse({
    task: { id: 1, title: "One", description: "Do.", files: ["a.ts"] },
    total: 1,
    goal: "Build it",
    mode: "standard",
    review,
    requirements: [],
    earlier: [],
  });
  const job = startTask(input, Config.parse({ validationCommand: command }), { here });
  const give = (judge: string, more: { tree?: string; verdict?: Verdict }): Receipt => ({
    ...passedCheck("", "tree"),
    judge,
    ...more,
  });
  job.rounds.receipts = [
    ...(validated === null ? [] : [passedCheck(command, validated)]),
    ...(spec ? [give("spec-reviewer", spec)] : []),
    give("quality-reviewer", {}),
  ];
  const entry = { id: "F1", role: "spec-reviewer", finding: missing, reason: "", fixes: 0 };
  job.rounds.register = standing ? [{ ...entry, standing }] : [];
  return job;
}

test("work is proven by a check and by every review, all for the very tree that is committed", () => {
  assert.equal(isProvenTask(jobWith({}), "tree"), true);
  assert.equal(isProvenTask(jobWith({}), "another tree"), false);
  const lacking: Readonly<Record<string, Proof>> = {
    "no check": { validated: null },
    "a check of another tree": { validated: "start" },
    "no spec review": { spec: null },
    "a review of another tree": { spec: { tree: "start" } },
    "a review that objects": { spec: { verdict: "needs_revision" } },
    "a review without a verdict": { spec: { verdict: "inconclusive" } },
    "a finding that is open": { standing: "open" },
    "no verdict, in a single pass": { review: "single-pass", spec: { verdict: "inconclusive" } },
    "a finding that is open, in a single pass": { review: "single-pass", standing: "open" },
  };
  for (const [name, proof] of Object.entries(lacking)) assert.equal(isProvenTask(jobWith(proof), "tree"), false, name);
});

test("where there is no command no check is missing; a single pass may have waived what a review objects to", () => {
  assert.equal(isProvenTask(jobWith({ command: "", validated: null }), "tree"), true);
  const waived: Proof = { review: "single-pass", spec: { verdict: "needs_revision" }, standing: "waived" };
  assert.equal(isProvenTask(jobWith(waived), "tree"), true);
  for (const standing of ["resolved", "deferred"] as const) assert.ok(isProvenTask(jobWith({ standing }), "tree"));
});
