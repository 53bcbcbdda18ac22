// The next run of the queue: each begins on a branch of its own, at the commit at which the run that queued it ended. When one is finished the
// next one starts by itself, and in the end the tree is where it was at the start.

import type { Head } from "../../core/flow/repository.ts";
import { inShort } from "../../core/run/document-paths.ts";
import type { Entry } from "../../ports/journal.ts";
import type { Branches } from "../../ports/repo.ts";
import type { Runs, WaitingRun } from "../../ports/runs.ts";
import { locked } from "../active.ts";
import { handleOf, type NextOptions, type RunEnded, type RunHandle } from "../handle.ts";
import type { Host } from "../host.ts";
import { Problem } from "../problem.ts";
import type { Workplace } from "../workplace.ts";
import { begin, defaultRun, type Going, inputOf, prepare, refuseDirty, refuseWithoutModel } from "./begin.ts";
import { conducted } from "./conduct.ts";

/** `superteam run --next`. */
export function startNext(place: Workplace, options: NextOptions, host: Host): Promise<RunHandle> {
  return handleOf(async (onBegin) => {
    const taker = { place, options, host, onBegin };
    const ended = await launchNext(taker);
    if (ended) return afterFinish(ended, taker);
    throw new Problem('No run is queued in this repository. Start one: superteam run "<what to build>"', "wrong-usage");
  });
}

/**
 * Goes on with the line once a run that belongs to it is finished, until nobody waits or one does not finish. Any other
 * run has nobody behind it. Gives what happened to the last.
 */
export async function afterFinish(first: RunEnded, taker: Going): Promise<RunEnded> {
  for (let last = first; ; ) {
    if (last.end.how !== "finished") return last;
    const base = await baseOf(taker.place.runs, last.runId);
    if (base === undefined) return last;
    const next = await launchNext(taker);
    if (next === undefined) {
      await goBack(taker, base);
      return last;
    }
    last = next;
  }
}

/** Where the line of this run began; undefined when it is in none. */
async function baseOf(runs: Runs, runId: string): Promise<Head | undefined> {
  const entries = await runs.read(runId);
  return inputOf(entries)?.queued?.base ?? entries.map(queuedBy).find((base) => base !== undefined);
}

function queuedBy(entry: Entry): Head | undefined {
  return entry.type === "begin" && entry.request.do === "queue" ? entry.request.runs[0]?.base : undefined;
}

/** Undefined when nobody waits. */
async function launchNext(taker: Going): Promise<RunEnded | undefined> {
  const { place } = taker;
  const { runs } = place;
  if ((await runs.queue.list()).length === 0) return undefined;
  await refuseActive(runs);
  await refuseDirty(place);
  await refuseWithoutModel((await prepare(taker)).backend, place);
  const runId = runs.newId();
  return locked(runs, runId, async (lease) => {
    const taken = await takeNext(taker, runId);
    if (taken === undefined) return undefined;
    const { journal, branch, goal } = taken;
    const opening = [`Run ${runId} on ${branch}: ${inShort(goal)}`];
    // Its branch may have another configuration than the one we came from.
    return conducted({ ...taker, ...(await prepare(taker)), lease, runId, journal, opening });
  });
}

/** Killed at any point it leaves the run either in line or begun: its names are written down before they are used. */
function takeNext(taker: Going, runId: string) {
  const { place, options } = taker;
  const { branches, runs } = place;
  return runs.queue.take(async (waiting, claim) => {
    const { goal, mode, mark, base, skipBrainstorm } = waiting;
    const dryRun = options.dryRun || waiting.dryRun;
    await refuseLostBase(place, waiting);
    const branch = await branchFor(branches, waiting);
    await claim({ run: runId, branch });
    if ((await branches.tip(branch)) === undefined) await branches.make(branch, base.sha);
    const refused = await branches.switchTo({ sha: base.sha, branch });
    if (refused !== undefined) throw notSwitched(branch, refused);
    const wishes = { mode, whole: true, dryRun, skipBrainstorm };
    const order = defaultRun(place, { goal, wishes, queued: { mark, base } });
    return { journal: await begin(taker, runId, order), branch, goal };
  });
}

/** A taker that was killed may have made the branch already: nothing has happened on it. */
async function branchFor(branches: Branches, { branch, base, run }: WaitingRun): Promise<string> {
  if (run !== undefined && (await branches.tip(branch)) === base.sha) return branch;
  return branches.free(branch);
}

async function refuseActive(runs: Runs): Promise<void> {
  const active = await runs.readActive();
  if (active === undefined) return;
  throw new Problem(
    `A run is in progress in this tree (${active}), and the next one starts when it has ended.\nContinue it: superteam resume. End it: superteam abort.`,
    "waiting",
  );
}

async function refuseLostBase({ branches, runs }: Workplace, { goal, base }: WaitingRun): Promise<void> {
  if (await branches.isCommit(base.sha)) return;
  throw new Problem(
    `The next run, "${inShort(goal)}", should begin at commit ${base.sha}, which no longer exists. Remove the run from ${runs.queue.where}, or enter another commit there, then try again.`,
    "not-possible",
  );
}

function notSwitched(branch: string, said: string): Problem {
  return new Problem(
    `The tree could not be switched to the branch ${branch}, so the run is still queued. git says: ${said}\nFix that, then: superteam run --next`,
    "not-possible",
  );
}

async function goBack({ place, host }: Going, base: Head): Promise<void> {
  const name = base.branch ?? base.sha;
  const { tracked } = await place.tree.uncommitted([]);
  const refused = tracked.length > 0 ? "there are uncommitted changes" : await place.branches.switchTo(base);
  const text =
    refused === undefined
      ? `The queue is empty, and the tree is back on ${name}.`
      : `The queue is empty. The tree was not switched back: ${refused}. Do it yourself: git switch ${base.branch === null ? "--detach " : ""}${name}`;
  host.tell(text);
}
