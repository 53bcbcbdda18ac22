// One task and its agents, for tests of how a task is settled. Every agent does its part well unless a test says otherwise.

import type { Task } from "../../src/core/plan/plan.ts";
import type { Finding, Resolution } from "../../src/core/review/review.ts";
import type { Settled } from "../../src/core/run/report.ts";
import { fenced } from "../../src/core/text/block.ts";
import { suiteFlows } from "../../src/phases/suite/scratch-run.ts";
import { settle } from "../../src/phases/task/settle-task.ts";
import { type TaskEnd, TaskInput } from "../../src/phases/task/task-work.ts";
import { reviewFlows } from "../../src/phases/work/review.ts";
import { type Agent, dispatches, type Files, facts, type Played, play, type Script } from "./flow.ts";

const input = TaskInput.parse({
  task: {
    id: 2,
    title: "Limit",
    description: "Limit it.",
    files: ["src/limit.ts"],
    criteria: ["It limits."],
    covers: ["R1"],
  },
  total: 3,
  goal: "Add rate limiting",
  mode: "standard",
  review: "iterative",
  requirements: [{ id: "R1", text: "Each client is limited." }],
  earlier: [{ id: 1, title: "Bucket", status: "complete", commit: "b0b0b0b0b0", files: ["src/bucket.ts"] }],
});

/** Writes a new version of the file each time. */
export const implementer: Agent = ({ files, nth }) => put(files, `limit(${nth});`);
export const fixer: Agent = ({ files, nth }) => put(files, `${files.get("src/limit.ts")}\nfixed(${nth});`);

export function put(files: Files, text: string): string {
  files.set("src/limit.ts", text);
  return "Done.";
}

export type Said = { passed?: boolean; findings?: unknown[]; resolutions?: Resolution[] };
export const verdict = ({ passed, findings = [], resolutions = [] }: Said = {}) =>
  fenced(
    "superteam-json",
    JSON.stringify({ passed: passed ?? findings.length === 0, findings, resolutions, summary: "As said." }),
  );
/** Answers in order; the last answer is repeated. */
export const reviewer =
  (...said: Said[]): Agent =>
  ({ nth }) =>
    verdict(said[nth - 1] ?? said.at(-1));
export const missing: Finding = {
  rule: "missing",
  severity: "high",
  anchor: { requirement: "R1" },
  what: "No client is told apart.",
};
export const resolved = (id: string, quote = "fixed(1);"): Resolution => ({ id, state: "resolved", quote });
export const open = (id: string): Resolution => ({ id, state: "still-open", quote: "limit(1);" });

const agents = { implement: implementer, fix: fixer, "spec-review": reviewer({}), "quality-review": reviewer({}) };
const flows = { ...reviewFlows, ...suiteFlows };
type Changed = Partial<Pick<TaskInput, "review" | "mode" | "carried" | "earlier" | "tests" | "unheld">> & {
  readonly task?: Partial<Task>;
};

/** Plays a task that may turn out to be more than was thought. */
export const runToEnd = (script: Script = {}, { task, ...changed }: Changed = {}) =>
  play<TaskEnd>(settle({ ...input, ...changed, task: { ...input.task, ...task } }), {
    files: { "README.md": "hello" },
    flows,
    ...script,
    agents: { ...agents, ...script.agents },
  });
/** Plays a task whose agents never say that it is more: it can only be settled. */
export const run = (script: Script = {}, changed: Changed = {}) => runToEnd(script, changed) as Played<Settled>;
export const names = (played: Played<unknown>) => dispatches(played).map(({ name }) => name);
export const commits = (played: Played<unknown>) => played.requests.filter((request) => request.do === "commit");
export const statuses = (played: Played<unknown>) =>
  facts(played).flatMap((fact) => (fact.type === "task.status" ? [fact.status] : []));

/** A reviewer that never sees its finding resolved. */
export const stubborn: Script = {
  agents: { "spec-review": reviewer({ findings: [missing] }, { passed: false, resolutions: [open("F1")] }) },
};

/** A configuration with a validation command. */
export const config = { validationCommand: "check it" };
