import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../../../test/rig/task.ts";
import type { RegisteredFinding } from "../../core/review/register.ts";
import type { Verdict } from "../../core/review/review.ts";
import { Config } from "../../core/run/config.ts";
import { isProven, type Reviewer, startJob, TaskInput, type TaskWork } from "./task-job.ts";

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
  const job = startJob(input, Config.parse({ validationCommand: command }), here);
  const give = (role: Reviewer, more: { tree?: string; verdict?: Verdict }) =>
    job.reviews.set(role, { tree: "tree", verdict: "approved", summary: "", fixes: 0, ...more });
  if (spec) give("spec-reviewer", spec);
  give("quality-reviewer", {});
  job.validated = validated;
  const entry = { id: "F1", role: "spec-reviewer", finding: missing, reason: "", fixes: 0 };
  job.register = standing ? [{ ...entry, standing }] : [];
  return job;
}

test("work is proven by a check and by every review, all for the very tree that is committed", () => {
  assert.equal(isProven(jobWith({}), "tree"), true);
  assert.equal(isProven(jobWith({}), "another tree"), false);
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
  for (const [name, proof] of Object.entries(lacking)) assert.equal(isProven(jobWith(proof), "tree"), false, name);
});

test("where there is no command no check is missing; a single pass may have waived what a review objects to", () => {
  assert.equal(isProven(jobWith({ command: "", validated: null }), "tree"), true);
  const waived: Proof = { review: "single-pass", spec: { verdict: "needs_revision" }, standing: "waived" };
  assert.equal(isProven(jobWith(waived), "tree"), true);
  for (const standing of ["resolved", "deferred"] as const) assert.ok(isProven(jobWith({ standing }), "tree"));
});
