// Performs what a flow asks of the world, one case per request. Dispatches and questions have modules of their own.

import type { CheckOutcome } from "../../core/flow/check.ts";
import type { CheckRequest, CommitRequest, Request, WaitRequest } from "../../core/flow/flow.ts";
import { flatKey } from "../../core/flow/keys.ts";
import type { CommitOutcome } from "../../core/flow/repository.ts";
import { type Halt, Suspended } from "./halt.ts";
import type { World } from "./world.ts";

export type PlainRequest = Exclude<Request, { readonly do: "dispatch" | "ask" | "experience" }>;

export interface Begun {
  readonly key: string;
  readonly seq: number;
  readonly runId: string;
  /** When it was first begun: in an earlier life, if it was interrupted. */
  readonly since: number;
  /** The begin record of the try before this one, when that was interrupted. */
  readonly interrupted: number | undefined;
}

const effects: ReadonlySet<Request["do"]> = new Set([
  "commit",
  "restore",
  "write",
  "publish",
  "check",
  "snapshot",
  "anchor-without",
  "wait",
  "queue",
]);

/** Requests that change something: their begin record is written before they start. */
export function changesSomething(request: Request): boolean {
  return effects.has(request.do);
}

export async function performPlain(world: World, request: PlainRequest, begun: Begun, halt: Halt): Promise<unknown> {
  switch (request.do) {
    case "check":
      return runCheck(world, request, halt);
    case "commit":
      return stopped(await makeCommit(world, request, begun), halt);
    case "head":
      return world.repo.head();
    case "snapshot":
      return world.repo.snapshot(refName(begun));
    case "anchor-without":
      return world.repo.anchorWithout(request.at, request.work, refName(begun));
    case "changes":
      return world.repo.changes(request.since);
    case "restore":
      return world.repo.restore(request.to, refName(begun));
    case "restore-files":
      return world.repo.restoreFiles(request.since, request.paths);
    case "read":
      return world.documents.read(request.path);
    case "write":
      await world.documents.write(request.path, request.text);
      return null;
    case "publish":
      await world.publish(request.document);
      return null;
    case "wait":
      await passTime(world, request, begun, halt);
      return null;
    case "queue":
      await world.queue.add(request.runs, `${begun.runId}/${begun.key}`);
      return null;
    case "config":
      return world.settings.read();
    case "record":
      return null;
  }
}

/** A ref for this request alone. */
export function refName(begun: Pick<Begun, "key" | "seq">): string {
  return `${begun.seq}-${flatKey(begun.key)}`;
}

/** What is left of the time is never more than was asked for: a clock may have been set back meanwhile. */
async function passTime(world: World, request: WaitRequest, begun: Begun, halt: Halt): Promise<void> {
  const { ms, until = begun.since + ms, away } = request;
  const left = Math.min(ms, until - world.clock.now());
  if (left <= 0) return;
  if (away !== true || world.patience === "sleep") return sleep(left, halt);
  if (world.patience === "forget" && isOfEarlierLife(world, until - ms, begun)) return;
  halt.drain("quota");
  throw new Suspended();
}

/** Begun in an earlier life, or about what was learnt in one: another branch may have suspended the run in between. */
function isOfEarlierLife({ journal }: World, since: number, { interrupted }: Begun): boolean {
  if (interrupted !== undefined) return true;
  const session = journal.entries.findLast(({ type }) => type === "session");
  return session !== undefined && since < session.at;
}

/** A wait that is cut short says nothing: what is left of it is waited when the run goes on. */
async function sleep(ms: number, halt: Halt): Promise<void> {
  if (ms <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  halt.asked.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
  halt.check();
}

async function runCheck(world: World, request: CheckRequest, halt: Halt): Promise<CheckOutcome> {
  const tree = await world.repo.tree();
  const run = await world.checks.run(request.command, halt.now);
  // A check that was stopped says nothing about the tree: it runs again when the run goes on.
  if (halt.now.aborted) throw new Suspended();
  return { ...run, tree, passed: run.exitCode === 0 && run.signal === null && !run.timedOut };
}

/** A commit that a stop broke off says nothing about the work: it is made when the run goes on. */
function stopped(outcome: CommitOutcome, halt: Halt): CommitOutcome {
  if (outcome.status === "refused" && halt.now.aborted) throw new Suspended();
  return outcome;
}

async function makeCommit(world: World, request: CommitRequest, begun: Begun): Promise<CommitOutcome> {
  if (begun.interrupted !== undefined) {
    const made = await world.repo.findCommit(request.since, `${begun.runId}/${begun.interrupted}`);
    if (made) return made;
  }
  return world.repo.commit({
    message: request.message,
    run: begun.runId,
    request: `${begun.runId}/${begun.seq}`,
    since: request.since,
    ...(request.tree === undefined ? {} : { tree: request.tree }),
    ...(request.tip === undefined ? {} : { tip: request.tip }),
    ...(request.task === undefined ? {} : { task: request.task }),
    ...(request.documents === undefined ? {} : { documents: request.documents }),
  });
}
