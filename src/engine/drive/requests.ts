// Performs what a flow asks of the world: one entry per kind of request. Dispatches, checks, questions and races have
// modules of their own.

import type { CommitRequest, NoPlace, PlaceId, Request, WaitRequest } from "../../core/flow/flow.ts";
import { flatKey } from "../../core/flow/keys.ts";
import type { CommitOutcome } from "../../core/flow/repository.ts";
import type { PipelineRole } from "../../core/run/pipeline.ts";
import { isFromOutside, reasonOf } from "../../ports/failure.ts";
import type { Place } from "../../ports/place.ts";
import { gatherExperience } from "../money/experience.ts";
import type { Tally } from "../money/tally.ts";
import { readIfReadable } from "./given-documents.ts";
import { type Halt, Suspended } from "./halt.ts";
import type { World } from "./world.ts";

export type PlainRequest = Exclude<Request, { readonly do: "dispatch" | "check" | "ask" | "any" | "restart" }>;

export interface Begun {
  readonly key: string;
  readonly seq: number;
  readonly runId: string;
  /** When it was first begun: in an earlier life, if it was interrupted. */
  readonly since: number;
  /** The begin record of the try before this one, when that was interrupted. */
  readonly interrupted: number | undefined;
}

/** What a request is performed with. */
export interface Performing {
  readonly world: World;
  readonly place: Place;
  readonly begun: Begun;
  readonly halt: Halt;
  readonly tally: Tally;
  /** Those that work in the pipeline. */
  readonly roles: readonly PipelineRole[];
}

type Performer<R> = (request: R, performing: Performing) => Promise<unknown>;

type Performers = {
  readonly [K in PlainRequest["do"]]: Performer<Extract<PlainRequest, { readonly do: K }>>;
};

const performers: Performers = {
  "command-files": ({ commands }, { place }) => Promise.all(commands.map((command) => place.checks.files(command))),
  commit: makeCommit,
  head: (_, { place }) => place.repo.head(),
  snapshot: (_, { place, begun }) => place.repo.snapshot(refName(begun)),
  "anchor-without": ({ at, work }, { place, begun }) => place.repo.anchorWithout(at, work, refName(begun)),
  changes: ({ since, without }, { place }) => place.repo.changes(since, without),
  difference: ({ from, to }, { place }) => place.repo.difference(from, to),
  restore: ({ to }, { place, begun }) => place.repo.restore(to, refName(begun)),
  "undo-work": ({ work }, { place, begun }) => place.repo.undoWork(work, refName(begun)),
  "open-place": openPlace,
  "close-place": ({ place: id }, { world }) => nothing(world.places.close(id)),
  read: ({ path, claimed }, { place }) =>
    claimed ? readIfReadable(place.documents, path) : place.documents.read(path),
  write: ({ path, text }, { place }) => nothing(place.documents.write(path, text)),
  publish: ({ document }, { world }) => nothing(world.publish(document)),
  wait: (request, performing) => nothing(passTime(request, performing)),
  queue: ({ runs }, { world, begun }) => nothing(world.queue.add(runs, `${begun.runId}/${begun.key}`)),
  config: (_, { world }) => world.settings.read(),
  experience: (_, { world, tally, roles }) => gatherExperience(world, tally, roles),
  record: () => Promise.resolve(null),
};

/** What keeps a place from being made is the person's to remove, and no end of the run. */
async function openPlace({ name, from }: OpenRequest, { world, halt }: Performing): Promise<PlaceId | NoPlace> {
  try {
    return await world.places.open(name, from, halt.now);
  } catch (cause) {
    if (!isFromOutside(cause)) throw cause;
    if (halt.now.aborted) throw new Suspended();
    return { why: reasonOf(cause) };
  }
}

type OpenRequest = Extract<PlainRequest, { readonly do: "open-place" }>;

/** These may start at once. Whatever changes something has its begin record written before it starts. */
const onlyLooking: readonly string[] = [
  ...["head", "changes", "difference", "command-files", "read", "config", "experience", "record"],
];

export function changesSomething(request: PlainRequest): boolean {
  return !onlyLooking.includes(request.do);
}

export function performPlain<R extends PlainRequest>(request: R, performing: Performing): Promise<unknown> {
  // The table has for each kind of request its own performer: the compiler cannot follow that through the union.
  const perform = performers[request.do] as Performer<R>;
  return perform(request, performing);
}

/** A ref for this request alone. */
export function refName(begun: Pick<Begun, "key" | "seq">): string {
  return `${begun.seq}-${flatKey(begun.key)}`;
}

/** Names the folder for what is left of its processes: those of an agent or a check. */
export function processId({ seq, request }: { readonly seq: number; readonly request: Request }): string {
  return `${String(seq).padStart(6, "0")}-${request.do === "dispatch" ? request.role : request.do}`;
}

async function nothing(done: Promise<void>): Promise<null> {
  await done;
  return null;
}

/** What is left of the time is never more than was asked for: a clock may have been set back meanwhile. */
async function passTime(request: WaitRequest, { world, begun, halt }: Performing): Promise<void> {
  const { ms, until = begun.since + ms, away } = request;
  const left = Math.min(ms, until - world.clock.now());
  if (left <= 0) return;
  if (away === true && world.patience !== "sleep") {
    if (world.patience === "forget" && isOfEarlierLife(world, until - ms, begun)) return;
    halt.drain("quota");
    throw new Suspended();
  }
  // A wait that is cut short says nothing: what is left of it is waited when the run is resumed.
  await world.clock.sleep(left, halt.asked);
  halt.check();
}

/** Begun in an earlier life, or about what was learnt in one: another branch may have suspended the run in between. */
function isOfEarlierLife({ journal }: World, since: number, { interrupted }: Begun): boolean {
  if (interrupted !== undefined) return true;
  const session = journal.entries.findLast(({ type }) => type === "session");
  return session !== undefined && since < session.at;
}

/** A commit that an earlier life has made is recognised by its trailer. One that a stop broke off says nothing about the work. */
async function makeCommit(request: CommitRequest, { world, place, begun, halt }: Performing): Promise<CommitOutcome> {
  const { runId, seq } = begun;
  for (const earlier of triesBefore(world, begun)) {
    const made = await place.repo.findCommit(request.since, `${runId}/${earlier}`);
    if (made) return made;
  }
  const { do: _do, name: _name, ...order } = request;
  const outcome = await place.repo.commit({ ...order, run: runId, request: `${runId}/${seq}` });
  if (outcome.status === "refused" && halt.now.aborted) throw new Suspended();
  return outcome;
}

/** The begin records of all tries before this one: each of them may have come as far as the commit. */
function triesBefore({ journal }: World, { key, seq, interrupted }: Begun): readonly number[] {
  if (interrupted === undefined) return [];
  const begun = journal.entries.filter((entry) => entry.type === "begin" && entry.key === key && entry.seq < seq);
  return begun.map((entry) => entry.seq).reverse();
}
