// Performs a request that has no outcome yet: it is begun in the journal, carried out, and settled there (E1). One that was
// begun and interrupted is put right first (E3).

import type { DispatchOutcome } from "../../core/flow/dispatch.ts";
import type { AnyRequest, CheckRequest, DispatchRequest, Request, RestartRequest } from "../../core/flow/flow.ts";
import { asideQuestion, flatKey } from "../../core/flow/keys.ts";
import type { Question } from "../../core/flow/question.ts";
import { couldWrite } from "../../core/run/capability.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { Recalled } from "../../ports/journal.ts";
import { asidesOf } from "../asking/asides.ts";
import type { QuestionQueue } from "../asking/question-queue.ts";
import type { Budget } from "../money/budget.ts";
import type { Cursor } from "./cursor.ts";
import { performDispatch, setupOf } from "./dispatching.ts";
import { checkWords, runCheck, wasUndone } from "./ended/check.ts";
import { undoInterrupted } from "./ended/interrupted.ts";
import type { Readers } from "./ended/side-by-side.ts";
import { givenTexts } from "./given-documents.ts";
import { Suspended } from "./halt.ts";
import { append, settle } from "./recorder.ts";
import { settleAccounts } from "./recovery.ts";
import { type Begun, changesSomething, type Performing, type PlainRequest, performPlain } from "./requests.ts";

/** One request where a flow stands: its key, and what the journal knows of it. */
export interface RequestTurn<R extends Request = Request> {
  readonly request: R;
  readonly key: string;
  readonly occurrence: number;
  readonly cursor: Cursor;
  readonly past: Recalled | undefined;
}

export interface Parts extends Omit<Performing, "place" | "begun"> {
  readonly runId: string;
  readonly questions: QuestionQueue;
  readonly budget: Budget;
  readonly readers: Readers;
  /** The run's documents that agents change only when they are sent to write them. */
  readonly guarded: readonly string[];
}

/** A race and a restart are the runner's own. */
type Performed = Exclude<Request, AnyRequest | RestartRequest>;

export async function perform({ request, ...turn }: RequestTurn<Performed>, parts: Parts): Promise<unknown> {
  try {
    if (request.do === "ask") return await ask(turn, request.question, parts);
    if (request.do === "dispatch") return await dispatch({ request, ...turn }, parts);
    if (request.do === "check") return await check({ request, ...turn }, parts);
    return await performOther({ request, ...turn }, parts);
  } catch (error) {
    // Ctrl-C reaches git as well: what it then says is about the stop, not about the request.
    const isGit = error instanceof OutsideFailure && error.kind === "git-failed";
    if (parts.halt.now.aborted && isGit) throw new Suspended();
    throw error;
  }
}

async function performOther(turn: RequestTurn<PlainRequest>, parts: Parts): Promise<unknown> {
  const { world } = parts;
  const writing = begin(turn, parts);
  // A journal that cannot be written is reported by the settle below as well; this one must not go unheard meanwhile.
  writing.catch(() => undefined);
  // What only looks may start at once: its begin record is on its way, and doing it again would change nothing.
  const unwritten = { key: turn.key, seq: 0, since: 0, runId: parts.runId, interrupted: turn.past?.seq };
  const begun = changesSomething(turn.request) ? await writing : unwritten;
  const place = await world.places.at(turn.cursor.place);
  if (turn.request.do === "config") await renew(parts);
  const outcome = await performPlain(turn.request, { ...parts, place, begun });
  const [settled] = await Promise.all([settle(world, turn.key, outcome), writing]);
  return settled;
}

/** What the repository contains decides about some requests: its settings, its commands (S2). */
async function renew({ world, questions, halt }: Parts): Promise<void> {
  await world.renew?.(asidesOf(world, questions, halt));
}

/** The tree is saved before it: what a check that is killed did is undone like an agent's (E3). */
async function check(turn: RequestTurn<CheckRequest>, parts: Parts): Promise<unknown> {
  const { request, key, past, cursor } = turn;
  const { world, halt } = parts;
  const place = await world.places.at(cursor.place);
  if (past && !wasUndone(world.journal, key, past)) {
    await undoInterrupted(world, { key, past, role: checkWords(request) }, askAbout(turn, parts));
  }
  await renew(parts);
  const anchor = await place.repo.snapshot(`${flatKey(key)}-t${(past?.tries ?? 0) + 1}`);
  halt.check();
  const { seq } = await begin(turn, parts, { anchor });
  const outcome = await runCheck(request, { world, place, halt, key, seq, given: anchor });
  return await settle(world, key, outcome);
}

/** A question of the engine itself: journaled beside the request, not as a step of the flow. */
const askAbout =
  ({ key, cursor, past }: RequestTurn, parts: Parts) =>
  (question: Question): Promise<string> =>
    ask({ key: asideQuestion(key, question.id, past?.tries ?? 0), cursor }, question, parts);

/** A try that the budget stopped has no outcome: it is the next one's past. */
async function dispatch(turn: RequestTurn<DispatchRequest>, parts: Parts): Promise<unknown> {
  for (let past = turn.past; ; past = parts.world.journal.recall(turn.key)) {
    const outcome = await tryDispatch({ ...turn, past }, parts);
    if (outcome) return settle(parts.world, turn.key, outcome);
  }
}

async function tryDispatch(turn: RequestTurn<DispatchRequest>, parts: Parts): Promise<DispatchOutcome | undefined> {
  const { request, key, occurrence: attempt, cursor, past } = turn;
  const { world, halt, budget, tally, readers } = parts;
  if (past) {
    const interrupted = { key, past, role: request.role };
    await settleAccounts(world, tally, interrupted);
    await undoInterrupted(world, interrupted, askAbout(turn, parts));
  }
  // A role that is not available, such as with a broken configuration, fails here, before anything has begun.
  const role = await world.roles.resolve(request.role, request);
  const { difficulty = null } = request;
  const ticket = await budget.admit(key, { role: request.role, difficulty, model: role.model });
  const couldMeddle = request.access === "read" && couldWrite(role);
  const group = couldMeddle ? { readers: readers.join(cursor.place) } : {};
  try {
    const place = await world.places.at(cursor.place);
    const setup = setupOf(world, role, request, place);
    // It boots while the tree is saved. Before it is given its prompt it can do nothing, and all of this is on record.
    if (!ticket.signal.aborted) world.agents.prepare({ ...setup, id: flatKey(key), prompt: "", folder: "" });
    // Whoever has nothing to write with leaves nothing to undo: what changes meanwhile is the person's (E3b).
    const isArmed = request.access === "write" || couldMeddle;
    const taken = isArmed ? await place.repo.snapshot(`${flatKey(key)}-t${(past?.tries ?? 0) + 1}`) : undefined;
    const before = taken ?? (await place.repo.look());
    const anchor = taken && (group.readers?.share(taken) ?? taken);
    const given = isArmed ? await givenTexts(place, request.documents ?? [], parts.guarded) : {};
    if (ticket.signal.aborted) return undefined;
    // The person may have asked for a halt while the tree was saved or the budget was waited for.
    halt.check();
    const begun = await begin(turn, parts, { ...(anchor ? { anchor } : {}), ...given });
    const job = { world, place, halt, ticket, tally, begun, request, role: setup, anchor, before, attempt };
    return await performDispatch({ ...job, step: stepOf(cursor, request), ...group, ...given });
  } finally {
    if (couldMeddle) readers.leave(cursor.place);
    ticket.release();
  }
}

const stepOf = ({ path }: Cursor, { name }: DispatchRequest): string => `${path === "" ? "" : `${path}/`}${name}`;

function ask({ key, cursor }: Pick<RequestTurn, "key" | "cursor">, question: Question, parts: Parts): Promise<string> {
  return parts.questions.ask(key, question, { order: cursor.order, place: cursor.place, halt: parts.halt });
}

export async function begin(
  { key, request, past, cursor }: RequestTurn,
  { world, runId }: Pick<Parts, "world" | "runId">,
  extra: Pick<Recalled, "anchor" | "documents"> = {},
): Promise<Begun> {
  const tries = (past?.tries ?? 0) + 1;
  const body = { type: "begin", key, request, tries, place: cursor.place, ...extra } as const;
  const { seq, at } = await append(world, body);
  return { key, seq, since: past?.at ?? at, runId, interrupted: past?.seq };
}
