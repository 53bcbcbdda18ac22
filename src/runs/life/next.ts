// The next run of those that wait in line: each begins on a branch of its own, at the commit at which the run that put it
// there ended. When one is finished the next follows by itself, and in the end the tree is where it was at the start.

import { freeBranch, isCommit, makeBranch, switchTo, tipOf } from "../../adapters/repo/git/place/branches.ts";
import { readUncommitted } from "../../adapters/repo/git/tree/uncommitted.ts";
import type { Head } from "../../core/flow/repository.ts";
import { inShort } from "../../core/run/document-paths.ts";
import { SuperteamInput } from "../../pipelines/superteam.ts";
import type { Entry, Journal } from "../../ports/journal.ts";
import type { WaitingRun } from "../../ports/runs.ts";
import { handleOf, type OnBegin, type RunEnded, type RunHandle } from "../handle.ts";
import type { Host } from "../host.ts";
import type { RunOptions } from "../options.ts";
import { Problem } from "../problem.ts";
import { locked, openTree, type Tree } from "../tree.ts";
import { begin, type DefaultRunInput, defaultRun, prepare, refuseDirty, refuseWithoutModel } from "./begin.ts";
import { conducted } from "./conduct.ts";

export interface NextOptions extends RunOptions {
  readonly dryRun?: boolean;
}

/** Who goes on with a line, and what with. */
export interface LineTaker {
  readonly options: NextOptions;
  readonly host: Host;
  readonly onBegin: OnBegin;
}

/** `superteam run --next`. */
export function startNext(options: NextOptions, host: Host): Promise<RunHandle> {
  return handleOf(async (onBegin) => {
    const taker = { options, host, onBegin };
    const ended = await launchNext(taker);
    if (ended) return afterFinish(ended, taker);
    throw new Problem(
      'No run waits in line in this repository. Start one: superteam run "<what to build>"',
      "wrong-usage",
    );
  });
}

/**
 * Goes on with the line once a run that belongs to it is finished, until nobody waits or one does not finish. Any other
 * run has nobody behind it. Gives what became of the last.
 */
export async function afterFinish(first: RunEnded, taker: LineTaker): Promise<RunEnded> {
  for (let last = first; ; ) {
    if (last.end.how !== "finished") return last;
    const tree = await openTree(taker.options.folder);
    const base = await baseOf(tree, last.runId);
    if (base === undefined) return last;
    const next = await launchNext(taker);
    if (next === undefined) {
      await goBack(tree, base, taker.host.tell);
      return last;
    }
    last = next;
  }
}

/** Where the line of this run began; undefined when it is in none. */
async function baseOf({ runs }: Tree, runId: string): Promise<Head | undefined> {
  const entries = await runs.read(runId);
  const [first] = entries;
  const input = first?.type === "run" ? SuperteamInput.safeParse(first.header.input).data : undefined;
  return input?.queued?.base ?? entries.map(queuedBy).find((base) => base !== undefined);
}

function queuedBy(entry: Entry): Head | undefined {
  return entry.type === "begin" && entry.request.do === "queue" ? entry.request.runs[0]?.base : undefined;
}

/** Undefined when nobody waits. */
async function launchNext(taker: LineTaker): Promise<RunEnded | undefined> {
  const { options, host } = taker;
  const tree = await openTree(options.folder);
  if ((await tree.runs.queue.list()).length === 0) return undefined;
  await refuseActive(tree);
  await refuseDirty(tree);
  const ready = await prepare(tree, options, host);
  await refuseWithoutModel(ready.backend, tree);
  const runId = tree.runs.newId();
  return locked(tree, runId, async () => {
    const taken = await takeNext(tree, runId, (beginning) => {
      const wishes = { ...beginning.wishes, ...(options.dryRun ? { dryRun: true } : {}) };
      return begin(tree, runId, defaultRun(tree, { ...beginning, wishes }), host);
    });
    if (taken === undefined) return undefined;
    const { journal, branch, goal } = taken;
    const opening = [`Run ${runId} on ${branch}: ${inShort(goal)}`];
    // Its branch may have another configuration than the one we came from.
    const now = await prepare(tree, options, host);
    return conducted({ ...taker, ...now, tree, runId, journal, opening, ahead: undefined });
  });
}

interface Taken {
  readonly journal: Journal;
  readonly branch: string;
  readonly goal: string;
}

/** Killed at any point it leaves the run either in line or begun: its names are written down before they are used. */
function takeNext(
  tree: Tree,
  runId: string,
  start: (beginning: DefaultRunInput) => Promise<Journal>,
): Promise<Taken | undefined> {
  const { root } = tree.place;
  return tree.runs.queue.take(async (waiting, claim) => {
    const { goal, mode, mark, base, dryRun, skipBrainstorm } = waiting;
    await refuseLostBase(tree, waiting);
    const branch = await branchFor(root, waiting);
    await claim({ run: runId, branch });
    if ((await tipOf(root, branch)) === undefined) await makeBranch(root, branch, base.sha);
    const refused = await switchTo(root, { sha: base.sha, branch });
    if (refused !== undefined) throw notSwitched(branch, refused);
    const beginning = { goal, wishes: { mode, whole: true, dryRun, skipBrainstorm }, queued: { mark, base } };
    return { journal: await start(beginning), branch, goal };
  });
}

/** A taker that was killed may have made the branch already: nothing has happened on it. */
async function branchFor(root: string, { branch, base, run }: WaitingRun): Promise<string> {
  if (run !== undefined && (await tipOf(root, branch)) === base.sha) return branch;
  return freeBranch(root, branch);
}

async function refuseActive({ runs }: Tree): Promise<void> {
  const active = await runs.readActive();
  if (active === undefined) return;
  throw new Problem(
    `A run is in progress in this tree (${active}), and the next one waits for its end.\nGo on with it: superteam resume. End it: superteam abort.`,
    "waiting",
  );
}

async function refuseLostBase({ place, runs }: Tree, { goal, base }: WaitingRun): Promise<void> {
  if (await isCommit(place.root, base.sha)) return;
  throw new Problem(
    `The next run, "${inShort(goal)}", is to begin at the commit ${base.sha}, which is no longer there. Take it out of ${runs.queue.where}, or put another commit there, then try again.`,
    "not-possible",
  );
}

function notSwitched(branch: string, said: string): Problem {
  return new Problem(
    `The tree could not be switched to the branch ${branch}, and the run still waits in line. git says: ${said}\nRemove the cause, then: superteam run --next`,
    "not-possible",
  );
}

async function goBack({ place }: Tree, base: Head, tell: Host["tell"]): Promise<void> {
  const name = base.branch ?? base.sha;
  const { tracked } = await readUncommitted(place.root, []);
  const refused = tracked.length > 0 ? "there are uncommitted changes" : await switchTo(place.root, base);
  const text =
    refused === undefined
      ? `Nobody waits in line any more; the tree is back on ${name}.`
      : `Nobody waits in line any more. The tree stays where it is: ${refused}. Go back yourself: git switch ${base.branch === null ? "--detach " : ""}${name}`;
  tell(text);
}
