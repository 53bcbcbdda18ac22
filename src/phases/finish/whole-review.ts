// The review of the whole, when all tasks are settled. What it finds is the person's to decide: have it fixed, accept it,
// or end the run. A fix is checked and committed before it is reviewed, so that a verdict is always for committed work.

import { changes, config, type Flow, record } from "../../core/flow/flow.ts";
import type { Changes, CommitOutcome } from "../../core/flow/repository.ts";
import { claimTexts, noClaims, readWriterReport, withClaims } from "../../core/plan/writer-report.ts";
import { isProven, receiptOf } from "../../core/review/receipts.ts";
import { describe, type Register } from "../../core/review/register.ts";
import type { FinalResult } from "../../core/run/report.ts";
import { scriptChanges } from "../../core/validation/scripts/script-files.ts";
import { finalFix, finalReview } from "../../prompts/final.ts";
import { failedCheckText, toFixText, unblockedLesson } from "../../prompts/task.ts";
import { checkAlone } from "../suite/check-alone.ts";
import { lookAtScripts, scriptEvidence, tellScripts } from "../suite/script-files.ts";
import { checkTree, evidenceFor, redBefore, requiredChecks } from "../suite/suite.ts";
import { aboutOf, answerBlocked, blockedBy, isFixable, type Obstacle, wanted } from "../work/escalation.ts";
import { commitOrAsk } from "../work/git-questions.ts";
import { leftOutOf } from "../work/left-out.ts";
import { commitProven } from "../work/proof.ts";
import type { ReviewOrder } from "../work/review.ts";
import type { Decision } from "../work/review-rounds.ts";
import { escalateWhole, type WholeFixable, type WholeObstacle } from "../work/whole-escalation.ts";
import { commitRange, findWork, rangeFrom, rollBack, tryWriter, type WorkRange } from "../work/work-range.ts";
import { messageOf, tellWords, type WriterWords } from "../work/writer-words.ts";
import { checksOf, startJob, type WholeJob, type WholeWork } from "./whole-job.ts";

const role = "final-reviewer";

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
  return yield* job.rounds.run<WholeObstacle, WholeFixable, FinalResult>({
    judge: () => judge(job),
    fixableAlone: (obstacle) => (isFixable(obstacle) ? obstacle : undefined),
    aboutOf,
    fix: (problem) => fix(job, problem),
    decide: (obstacle) => decide(job, obstacle),
    grantsRounds: ({ kind }) => kind !== "agent" && kind !== "moved",
  });
}

function* judge(job: WholeJob): Flow<WholeObstacle | { readonly end: FinalResult }> {
  const blocked = job.last?.report ? blockedBy(job.last.report) : undefined;
  if (blocked) return blocked;
  const obstacle = (yield* job.uncommitted ? commitFix(job, job.uncommitted) : check(job)) ?? (yield* review(job));
  return obstacle ?? { end: yield* finish(job, "approved", []) };
}

function* check(job: WholeJob): Flow<WholeObstacle | undefined> {
  const { tree } = yield* changes("work", job.whole.start);
  return yield* checkWhole(job, tree);
}

const checkWhole = (job: WholeJob, tree: string) =>
  checkTree(job.rounds, tree, checksOf(job), { task: null, start: job.uncommitted?.start ?? null });

function* commitFix(job: WholeJob, range: WorkRange): Flow<WholeObstacle | undefined> {
  const { rounds } = job;
  const outcome = yield* commitProven<WholeObstacle>(rounds, {
    what: "the final fixes after they were checked",
    *judge() {
      const { tree, files } = yield* findWork(range, names);
      const failing = yield* checkWhole(job, tree);
      if (failing) return failing;
      const paths = files.map(({ path }) => path);
      yield* tellScripts(checksOf(job), { task: null, ...job.scripts, paths });
      return { tree };
    },
    isProven: (tree) => isProven(rounds.receipts, tree, requiredChecks(checksOf(job))),
    commit: (tree) => commitFixes(job, range, tree),
    checkAgain: (tree) => checkWhole(job, tree),
    leftOut: (made) => leftOutOf(range, made),
    checkAlone: (leftOut) => checkAlone(leftOut, checksOf(job), { what: "the final fixes", name: "final-fixes" }),
    hooked: (made, files) => ({ kind: "hooked", made, files }),
  });
  if ("kind" in outcome) return outcome;
  if (outcome.status === "moved") return { kind: "moved" };
  if (outcome.status === "refused") {
    yield* rollBack(range, names);
    rounds.limit = 0;
  }
  if (outcome.status === "committed") job.commits = [...job.commits, outcome.sha];
  if (outcome.status !== "refused") yield* tellWords("final fixes", wordsOf(job));
  job.said = [];
  job.uncommitted = null;
  return undefined;
}

const names = { name: "final-fix", step: "finalize.fix" };

function commitFixes(job: WholeJob, range: WorkRange, tree: string): Flow<CommitOutcome> {
  const at = { step: "finalize.fix", what: "the final fixes", skip: "undo them" };
  const request = { name: "final-fix", message: messageOf("workflow: final fixes", wordsOf(job)), tree };
  return commitRange(range, at.what, request, (order) => commitOrAsk(at, order));
}

/** Reviews the whole, unless the verdict on this very tree is known. */
function* review(job: WholeJob): Flow<WholeObstacle | undefined> {
  const { whole, rounds } = job;
  const now = yield* changes("work", whole.start);
  if (rounds.isReviewed(role, now.tree)) return rounds.obstacleOf([role]);
  const about = { type: "final.reviewed", role, round: rounds.total } as const;
  yield* rounds.takeReviews({
    orders: [yield* orderReview(job, now)],
    together: false,
    scopes: null,
    fact: (_, { verdict, summary }, findings) => ({ ...about, verdict, findings, summary }),
  });
  return rounds.obstacleOf([role]);
}

function* orderReview(job: WholeJob, work: Changes): Flow<ReviewOrder> {
  const { whole, rounds, settings } = job;
  const blockOn = settings.review.blockOnSeverity;
  const fix = yield* rounds.changesSince(role);
  const { disputed } = job.claims;
  const since = fix && { changes: fix, open: rounds.open(), disputed };
  const now = yield* lookAtScripts("scripts", checksOf(job));
  const edited = scriptChanges({ before: [], now, paths: work.files.map(({ path }) => path) });
  return {
    step: "finalize.final-review",
    name: "final-review",
    role,
    prompt: finalReview({
      ...whole,
      changes: work,
      blockOn,
      evidence: [...evidenceFor(rounds, work.tree, checksOf(job)), ...scriptEvidence(edited)],
      since,
    }),
    mayGiveUp: false,
    form: "final",
    register: rounds.register,
    basis: { blockOn, ids: whole.requirements.map(({ id }) => id), task: work, fix, sources: [], disputed },
  };
}

function* decide(job: WholeJob, obstacle: WholeObstacle): Flow<Decision<WholeObstacle, WholeFixable, FinalResult>> {
  const atIssue = { fixes: job.rounds.total, disputed: job.claims.disputed };
  const way = yield* escalateWhole(obstacle, atIssue, () => diffOf(job));
  if (way === "accept") {
    // What is grave and cannot be checked is shown before the rest is let through.
    const unseen = obstacle.kind === "claims" ? undefined : job.rounds.claimsOf([role]);
    return unseen ? yield* decide(job, unseen) : { end: yield* accept(job, obstacle) };
  }
  if (obstacle.kind === "blocked" && job.last) {
    const { problem } = job.last;
    const words = yield* answerBlocked("finalize.fix.answer", obstacle);
    if (words.trim() === "") return yield* decide(job, obstacle);
    return { next: () => fix(job, problem, unblockedLesson(obstacle.reason, words)) };
  }
  if (isFixable(obstacle)) return { fix: wanted(obstacle) };
  if (obstacle.kind === "claims") {
    job.rounds.decideClaims("open");
    return { fix: { kind: "findings", roles: [role], open: job.rounds.open() } };
  }
  // What is inconclusive is reviewed again, which is what follows anyway.
  return { next: obstacle.kind === "agent" ? obstacle.again : null };
}

/** Of the fix that is not committed, and else of the whole. */
function* diffOf({ uncommitted, whole }: WholeJob): Flow<string> {
  return (yield* changes("shown", (uncommitted ?? whole).start)).diff;
}

function* fix(job: WholeJob, problem: WholeFixable, lesson = ""): Flow<WholeObstacle | undefined> {
  const before = yield* job.rounds.keepBeforeFix("final-fix");
  if (job.uncommitted === null) job.scripts.before = yield* lookAtScripts("scripts-before", checksOf(job));
  job.uncommitted ??= rangeFrom(before);
  const now = yield* changes("work", job.whole.start);
  const found = { text: problemText(problem, job.rounds.open()), isFinding: job.rounds.open().length > 0 };
  const prompt = finalFix({ ...job.whole, changes: now, red: redBefore(job.suite) }, found, lesson);
  return yield* write(job, { range: job.uncommitted, problem, prompt });
}

interface FinalFix {
  readonly range: WorkRange;
  readonly problem: WholeFixable;
  readonly prompt: string;
}

function* write(job: WholeJob, ordered: FinalFix): Flow<Obstacle<"agent"> | undefined> {
  const { range, problem, prompt } = ordered;
  const order = { step: "finalize.final-fix", name: "final-fix", role: "implementer", prompt };
  job.last = { problem, report: null };
  return yield* tryWriter(order, range, {
    done({ text, changed }) {
      const { report } = readWriterReport(text);
      job.last = { problem, report };
      job.said = [...job.said, report];
      job.claims = withClaims(job.claims, report);
      job.rounds.countFix([role], { changed, disputed: report.disputed });
    },
    again: () => write(job, ordered),
  });
}

function wordsOf({ said, rounds }: WholeJob): WriterWords {
  const claims = said.reduce(withClaims, noClaims);
  return { said: said.map(({ summary }) => summary).join("\n\n"), ...claimTexts(claims, rounds.register) };
}

function problemText(problem: WholeFixable, open: Register): string {
  return problem.kind === "findings" ? toFixText(problem) : `${failedCheckText(problem)}\n${toFixText({ open })}`;
}

/** A fix that fails, or fails its check, is rolled back: what is let through is the work as it was reviewed. */
function* accept(job: WholeJob, obstacle: WholeObstacle): Flow<FinalResult> {
  if (job.uncommitted) yield* rollBack(job.uncommitted, names);
  if (obstacle.kind === "claims") job.rounds.decideClaims("open");
  const findings = job.rounds.open().map(describe);
  const what =
    findings.length === 0
      ? doubtOf(job, obstacle)
      : `the final review's findings were accepted: ${findings.join("; ")}`;
  yield* record({ type: "waiver", step: "finalize.fix", what });
  return yield* finish(job, "accepted", [what]);
}

/** Where nothing that was found is open. A fix that did not come about leaves what it was to answer. */
function doubtOf({ last }: WholeJob, obstacle: WholeObstacle): string {
  if (obstacle.kind === "alone")
    return `the work was accepted without its final fixes: \`${obstacle.command}\` fails for them without changes that are not committed`;
  if (obstacle.kind === "inconclusive") return "the final review was inconclusive and was accepted";
  const failing = "command" in obstacle ? obstacle : last?.problem;
  const doubt =
    failing && "command" in failing
      ? `\`${failing.command}\` fails for the finished work, which was accepted without a final review`
      : "the work was accepted without its final fix";
  if (obstacle.kind === "blocked") return `${doubt}; the fix was blocked: ${obstacle.reason}`;
  return obstacle.kind === "agent" ? `${doubt}; ${obstacle.trouble.short}` : doubt;
}

function* finish(
  { rounds, commits, claims }: WholeJob,
  verdict: FinalResult["verdict"],
  waivers: string[],
): Flow<FinalResult> {
  const deferred = yield* rounds.recordDeferred("final");
  return {
    verdict,
    summary: receiptOf(rounds.receipts, role)?.summary ?? "",
    findings: rounds.open().map(describe),
    deferred,
    rounds: rounds.total,
    commits: [...commits],
    waivers,
    ...claimTexts(claims, rounds.register),
  };
}
