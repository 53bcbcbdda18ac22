// The review of the whole, when all tasks are settled. What it finds is the person's to decide: have it fixed, accept it,
// or end the run. A fix is checked and committed before it is reviewed, so that a verdict is always for committed work.

import { changes, check, config, type Flow, record, snapshot } from "../../core/flow/flow.ts";
import type { Anchor, Changes } from "../../core/flow/repository.ts";
import { asReview, FinalReview } from "../../core/review/final.ts";
import { afterFix, deferredIn, describe, openIn, type Register, withNewChance } from "../../core/review/register.ts";
import { mayFix } from "../../core/review/rounds.ts";
import { type ModeSettings, settingsIn } from "../../core/run/ceremony.ts";
import type { Config, Mode } from "../../core/run/config.ts";
import type { FinalResult } from "../../core/run/report.ts";
import { type FinalBrief, finalFix, finalReview } from "../../prompts/final.ts";
import { failedCommandText, findingsText } from "../../prompts/task.ts";
import { engage, warn } from "../work/consult.ts";
import { commitOrAsk } from "../work/documents.ts";
import { type Ground, groundAt, rollBack, stand, standInCommit } from "../work/ground.ts";
import { hold, type Reviewed } from "../work/review.ts";
import { attempt } from "../work/trouble.ts";
import { type WholeObstacle, whatToDo } from "./question.ts";

const role = "final-reviewer";

export interface WholeWork extends Omit<FinalBrief, "changes" | "since" | "blockOn"> {
  /** The tree before the first task. */
  readonly start: Anchor;
  /** The tree for which the validation command last passed; null when it never did. */
  readonly validated: string | null;
  readonly mode: Mode;
  readonly review: "iterative" | "single-pass";
}

interface Job {
  readonly whole: WholeWork;
  readonly settings: ModeSettings;
  register: Register;
  last: Reviewed | null;
  validated: string | null;
  /** Whether the tree has moved between check and commit since the person last decided. */
  unsettled: boolean;
  /** The tree before the first fix that no review has seen yet. */
  unseen: Anchor | null;
  /** The ground of the first fix that is not committed yet. */
  uncommitted: Ground | null;
  commits: readonly string[];
  /** Rounds that the person granted, used since, and in all. */
  granted: number;
  used: number;
  rounds: number;
}

export const notReviewed: FinalResult = {
  verdict: "none",
  summary: "",
  findings: [],
  deferred: [],
  rounds: 0,
  commits: [],
  waivers: [],
};

export function* reviewWhole(whole: WholeWork): Flow<FinalResult> {
  const job = startJob(whole, yield* config());
  let trouble: WholeObstacle | undefined;
  for (;;) {
    const obstacle = trouble ?? (yield* prove(job)) ?? (yield* look(job));
    if (!obstacle) return yield* finish(job, "approved", []);
    const move = yield* nextMove(job, obstacle);
    if (move === "accept") return yield* accept(job, obstacle);
    trouble = yield* move === "fix" ? mend(job, obstacle) : tryAgain(obstacle);
  }
}

function startJob(whole: WholeWork, config: Config): Job {
  return {
    whole,
    settings: settingsIn(whole.mode, config),
    register: [],
    last: null,
    validated: whole.validated,
    unsettled: false,
    unseen: null,
    uncommitted: null,
    commits: [],
    granted: 0,
    used: 0,
    rounds: 0,
  };
}

/**
 * Checks what no check has seen, and commits a fix, just the tree that was checked. Undefined when the work stands. What
 * a hook made of it is checked again.
 */
function* prove(job: Job): Flow<WholeObstacle | undefined> {
  const { tree } = yield* changes("work", job.whole.start);
  const failing = yield* validate(job, tree);
  if (failing) return failing;
  if (!job.uncommitted) return undefined;
  if (job.settings.validationCommand !== "" && job.validated !== tree) return yield* proveOnceMore(job);
  const { start: since, tip } = job.uncommitted;
  const outcome = yield* commitOrAsk(
    { step: "finalize.fix", what: "the final fixes", skip: "take them back" },
    { name: "final-fix", message: "workflow: final fixes", since, tip, tree },
  );
  if (outcome.status === "moved") return yield* proveOnceMore(job);
  if (outcome.status === "refused") {
    yield* rollBackFix(job.uncommitted);
    job.granted = 0;
  }
  if (outcome.status === "committed") {
    standInCommit(job.uncommitted, outcome.sha);
    if (outcome.changedByHook) {
      yield* warn("A commit hook changed the final fixes after they were checked.");
      const broken = yield* validate(job, outcome.tree);
      if (broken) return broken;
    }
    job.commits = [...job.commits, outcome.sha];
  }
  job.uncommitted = null;
  return undefined;
}

/** Somebody may work in the tree; that it never keeps still is for the person to know. */
function* proveOnceMore(job: Job): Flow<WholeObstacle | undefined> {
  if (job.unsettled) return { kind: "moved" };
  job.unsettled = true;
  return yield* prove(job);
}

function* validate(job: Job, tree: string): Flow<WholeObstacle | undefined> {
  const command = job.settings.validationCommand;
  if (command === "" || job.validated === tree) return undefined;
  const outcome = yield* check("validation", command);
  if (!outcome.passed) return { kind: "validation", command, output: outcome.output };
  job.validated = outcome.tree;
  return undefined;
}

/** Reviews the whole, unless the verdict on this very tree is known. */
function* look(job: Job): Flow<WholeObstacle | undefined> {
  const now = yield* changes("work", job.whole.start);
  if (job.last?.tree !== now.tree || job.last.verdict === "inconclusive") yield* review(job, now);
  const open = openIn(job.register);
  if (open.length > 0) return { kind: "findings", open };
  if (job.last?.verdict === "inconclusive") return { kind: "inconclusive", summary: job.last.summary };
  return undefined;
}

function* review(job: Job, now: Changes): Flow<void> {
  const blockOn = job.settings.review.blockOnSeverity;
  const fix = job.unseen ? yield* changes("final-fix", job.unseen) : null;
  const since = fix && { changes: fix, open: openIn(job.register) };
  const prompt = finalReview({ ...job.whole, changes: now, blockOn, since });
  const ids = job.whole.requirements.map(({ id }) => id);
  const reviewed = yield* hold({
    order: { step: "finalize.final-review", name: "final-review", role, prompt, access: "read" },
    schema: FinalReview.transform(asReview),
    register: job.register,
    bench: { role, blockOn, ids, task: now, fix },
  });
  job.register = reviewed.register;
  job.last = reviewed;
  job.unseen = null;
  const findings = openIn(job.register).map(describe);
  const { verdict, summary } = reviewed;
  yield* record({ type: "final.reviewed", round: job.rounds, verdict, findings, summary });
}

/** The person grants as many rounds as a task has; within those, code goes on by itself. */
function* nextMove(job: Job, obstacle: WholeObstacle): Flow<"fix" | "again" | "accept"> {
  const { used, granted: limit, register, rounds } = job;
  const isFixable = obstacle.kind === "findings" || obstacle.kind === "validation";
  if (isFixable && mayFix({ used, limit }, register)) return "fix";
  const move = yield* whatToDo(obstacle, rounds);
  job.unsettled = false;
  if (!isFixable && obstacle.kind !== "inconclusive") return move;
  job.used = 0;
  job.granted = job.whole.review === "single-pass" ? 1 : job.settings.review.maxTaskReviewCycles;
  job.register = withNewChance(register);
  return move;
}

/** What is inconclusive is looked at again, which is what follows anyway. */
function* tryAgain(obstacle: WholeObstacle): Flow<WholeObstacle | undefined> {
  return obstacle.kind === "agent" ? yield* obstacle.again() : undefined;
}

function* mend(job: Job, obstacle: WholeObstacle): Flow<WholeObstacle | undefined> {
  job.used += 1;
  job.rounds += 1;
  const undo = yield* snapshot("final-fix");
  job.unseen ??= undo;
  job.uncommitted ??= groundAt(undo);
  const now = yield* changes("work", job.whole.start);
  const prompt = finalFix({ ...job.whole, changes: now }, problemText(obstacle, openIn(job.register)));
  return yield* write(job, prompt, undo);
}

/** A retry keeps what is in the tree by then: the implementer's part was undone, and the rest is the person's. */
function* write(job: Job, prompt: string, undo: Anchor): Flow<WholeObstacle | undefined> {
  const name = "final-fix";
  const order = { step: `finalize.${name}`, name, role: "implementer", access: "write", prompt, undo } as const;
  const came = yield* attempt(engage({ ...order, mayGiveUp: true }));
  if ("trouble" in came) return { kind: "agent", trouble: came.trouble, again: () => writeAgain(job, prompt) };
  if (job.uncommitted) yield* stand(job.uncommitted, came.value);
  job.register = afterFix(job.register, role);
  return undefined;
}

function* writeAgain(job: Job, prompt: string): Flow<WholeObstacle | undefined> {
  return yield* write(job, prompt, yield* snapshot("final-fix"));
}

function problemText(obstacle: WholeObstacle, open: Register): string {
  const findings = findingsText(open);
  if (obstacle.kind !== "validation") return findings;
  return `${failedCommandText(obstacle.command, obstacle.output)}\n${findings}`;
}

/** A fix that fails, or fails its check, is taken back: what is let through is the work as it was reviewed. */
function* accept(job: Job, obstacle: WholeObstacle): Flow<FinalResult> {
  if (job.uncommitted) yield* rollBackFix(job.uncommitted);
  const findings = openIn(job.register).map(describe);
  const what =
    findings.length === 0 ? doubtOf(obstacle) : `the final review's findings were accepted: ${findings.join("; ")}`;
  yield* record({ type: "waiver", step: "finalize.fix", what });
  return yield* finish(job, "accepted", [what]);
}

function rollBackFix(ground: Ground): Flow<void> {
  return rollBack(ground, { name: "final-fix", question: "finalize.fix.head" });
}

function doubtOf(obstacle: WholeObstacle): string {
  if (obstacle.kind !== "validation") return "the final review was inconclusive and was accepted";
  return `\`${obstacle.command}\` fails for the finished work, which was accepted without a final review`;
}

function* finish(job: Job, verdict: "approved" | "accepted", waivers: string[]): Flow<FinalResult> {
  const deferred = deferredIn(job.register).map((entry) => `${describe(entry)} (${entry.role}; ${entry.reason})`);
  if (deferred.length > 0) yield* record({ type: "findings.deferred", task: "final", findings: deferred });
  return {
    verdict,
    summary: job.last?.summary ?? "",
    findings: openIn(job.register).map(describe),
    deferred,
    rounds: job.rounds,
    commits: [...job.commits],
    waivers,
  };
}
