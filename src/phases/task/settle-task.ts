// Takes one task from a clean tree to one commit, or to what the person decides. There is no way to "complete" but
// through `land`, which wants the evidence for the tree it commits, or through a waiver.

import {
  anchorWithout,
  changes,
  commit,
  config,
  defineFlow,
  type Flow,
  record,
  snapshot,
} from "../../core/flow/flow.ts";
import { moved } from "../../core/flow/task-state.ts";
import { afterRollback, deferredIn, describe, waivedIn, withNewChance } from "../../core/review/register.ts";
import type { Verdict } from "../../core/review/review.ts";
import type { Settled } from "../../core/run/report.ts";
import { begunLesson, nothingLesson } from "../../prompts/task.ts";
import { warn } from "../work/consult.ts";
import { rollBack, standInCommit } from "../work/ground.ts";
import { build, mend, startOver } from "./build.ts";
import { escalate, type TaskDecision } from "./escalate.ts";
import { inspect, validate } from "./inspect.ts";
import { weigh } from "./outgrow.ts";
import {
  isFixable,
  isProven,
  type Landing,
  mayFixAlone,
  startJob,
  stepOf,
  TaskEnd,
  TaskInput,
  type TaskObstacle,
  type TaskWork,
} from "./task-job.ts";

export const settleTask = defineFlow({ kind: "task", input: TaskInput, returns: TaskEnd, run: settle });

export function* settle(input: TaskInput): Flow<TaskEnd> {
  const job = yield* beginJob(input);
  let trouble = yield* build(job, input.carried ? begunLesson(input.carried.files) : "");
  for (;;) {
    const outgrown = yield* weigh(job);
    if (outgrown) return outgrown;
    const obstacle = trouble ?? (yield* inspect(job)) ?? (yield* land(job));
    if (obstacle.kind === "landed") return yield* finish(job, "complete", obstacle);
    const move = yield* nextMove(job, obstacle);
    if (move === "accept") return yield* waive(job, "it changed nothing and was accepted as it is");
    if (move === "skip") return yield* skip(job);
    trouble = yield* goOn(job, obstacle, move);
  }
}

function* beginJob(input: TaskInput): Flow<TaskWork> {
  const settings = yield* config();
  const here = yield* snapshot("start");
  return startJob(input, settings, here, input.carried ? yield* anchorWithout("carried", here, input.carried) : here);
}

/** Commits what has been proved. What a hook made of it is checked again. */
function* land(job: TaskWork): Flow<Landing | TaskObstacle> {
  const { id, title } = job.input.task;
  const now = yield* changes("final", job.start);
  if (!isProven(job, now.tree)) return { kind: "moved" };
  const message = `workflow: task ${id} — ${title}`;
  const outcome = yield* commit({
    name: "commit",
    message,
    since: job.start,
    tree: now.tree,
    tip: job.tip,
    task: `${id}`,
  });
  if (outcome.status === "moved") return { kind: "moved" };
  if (outcome.status === "refused") return { kind: "refused", detail: outcome.detail };
  if (outcome.status === "nothing") return { kind: "nothing" };
  standInCommit(job, outcome.sha);
  if (outcome.changedByHook) {
    yield* warn(`A commit hook changed task ${id} after its reviews, which were for another tree.`);
    job.validated = null;
    const failing = yield* validate(job, now);
    if (failing) return failing;
  }
  return { kind: "landed", commit: outcome.sha, files: outcome.files, waivers: yield* recordWaived(job) };
}

/** What a single pass let through was told with its review; here it is recorded as the waiver it is. */
function* recordWaived(job: TaskWork): Flow<readonly string[]> {
  const { id } = job.input.task;
  const findings = waivedIn(job.register).map((entry) => `${describe(entry)} (${entry.role})`);
  if (findings.length === 0) return [];
  const what = `single-pass review let through: ${findings.join("; ")}`;
  yield* record({ type: "waiver", step: stepOf(job, "review"), what: `task ${id}: ${what}` });
  return [what];
}

/** What code may decide by itself is bounded: fixes by the rounds, another look by one. Then the person decides. */
function* nextMove(job: TaskWork, obstacle: TaskObstacle): Flow<TaskDecision> {
  if (isFixable(obstacle) && mayFixAlone(job, obstacle)) return "retry";
  if (obstacle.kind === "moved" && !job.unsettled) {
    job.unsettled = true;
    return "retry";
  }
  const move = yield* escalate(job, obstacle);
  // That an agent could not be used says nothing about the work: its rounds and its findings stay as they are.
  if (obstacle.kind === "agent") return move;
  job.used = 0;
  job.unsettled = false;
  job.register = withNewChance(job.register);
  return move;
}

/** What the move leads to; again an obstacle when the implementer could not be brought to do it. */
function* goOn(job: TaskWork, obstacle: TaskObstacle, move: "retry" | "rollback"): Flow<TaskObstacle | undefined> {
  if (move === "rollback") return yield* startOver(job, obstacle);
  if (isFixable(obstacle)) return yield* mend(job, obstacle);
  if (obstacle.kind === "nothing") return yield* build(job, nothingLesson);
  if (obstacle.kind === "agent" && obstacle.again) return yield* obstacle.again();
  return undefined;
}

function* skip(job: TaskWork): Flow<Settled> {
  yield* rollBack(job, { name: "skip", question: stepOf(job, "head") });
  job.register = afterRollback(job.register);
  return yield* finish(job, "skipped", { commit: null, files: [], waivers: [] });
}

function* waive(job: TaskWork, what: string): Flow<Settled> {
  yield* record({ type: "waiver", step: stepOf(job, "nothing"), what: `task ${job.input.task.id}: ${what}` });
  return yield* finish(job, "complete", { commit: null, files: [], waivers: [what] });
}

function* finish(job: TaskWork, status: Settled["status"], landing: Omit<Landing, "kind">): Flow<Settled> {
  const { id, title } = job.input.task;
  const { rounds, escalated } = job;
  const { commit: sha, files, waivers } = landing;
  const deferred = deferredIn(job.register).map((entry) => `${describe(entry)} (${entry.role}; ${entry.reason})`);
  if (deferred.length > 0) yield* record({ type: "findings.deferred", task: `${id}`, findings: deferred });
  job.status = moved(job.status, status);
  yield* record({ type: "task.settled", task: `${id}`, status, commit: sha, rounds });
  return {
    task: id,
    title,
    status,
    commit: sha,
    rounds,
    escalated,
    files: [...files],
    reviews: status === "complete" ? verdictsOf(job) : [],
    ...(status === "complete" && job.validated !== null ? { tree: job.validated } : {}),
    deferred,
    waivers: [...waivers],
    ...(job.settings.mode === job.input.mode ? {} : { switchedTo: job.settings.mode }),
  };
}

function verdictsOf({ reviews }: TaskWork): { role: string; verdict: Verdict }[] {
  return [...reviews].map(([role, { verdict }]) => ({ role, verdict }));
}
