// Performs a dispatch: exactly one agent process. Its anchor is in the begin record, its process and its usage are noted as they become known,
// and a reader's changes are undone.

import type { CommandRun, DispatchOutcome, Usage } from "../../core/flow/dispatch.ts";
import { addUsage, noUsage, tokensOf } from "../../core/flow/dispatch.ts";
import type { DispatchRequest } from "../../core/flow/flow.ts";
import type { Anchor, State } from "../../core/flow/repository.ts";
import { addNote, type TestFirst } from "../../core/test-first/guard.ts";
import type { AgentEvent, AgentOrder, TurnUsage } from "../../ports/agents.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { DocumentTexts, Note } from "../../ports/journal.ts";
import type { Place } from "../../ports/place.ts";
import type { Ticket } from "../money/budget.ts";
import { soundTurn } from "../money/pricing.ts";
import type { Tally } from "../money/tally.ts";
import { afterReader, movedMeanwhile } from "./ended/reader.ts";
import type { SideBySide } from "./ended/side-by-side.ts";
import { afterWriter } from "./ended/writer.ts";
import { type Halt, Suspended } from "./halt.ts";
import { note } from "./recorder.ts";
import { type Begun, processId } from "./requests.ts";
import type { World } from "./world.ts";

export interface Dispatching {
  readonly world: World;
  readonly place: Place;
  readonly halt: Halt;
  readonly ticket: Ticket;
  readonly tally: Tally;
  readonly begun: Begun;
  readonly request: DispatchRequest;
  readonly role: Setup;
  /** The state before it. */
  readonly before: State;
  /** The same, kept, where it could change something. */
  readonly anchor: Anchor | undefined;
  /** The readers at work in this place that could write, this one among them; not there for any other agent. */
  readonly readers?: SideBySide;
  readonly documents?: DocumentTexts;
  /** `<scope path>/<name>` and the occurrence, for the prompt's last line. */
  readonly step: string;
  readonly attempt: number;
}

/** All an agent's process is started with. */
export type Setup = Omit<AgentOrder, "id" | "prompt" | "folder">;

/** The role as it is dispatched: with what is fixed for it in this pipeline, in its place. */
export function setupOf(world: World, role: Setup, request: DispatchRequest, { root }: Place): Setup {
  return { ...role, system: systemText(world, role.system, request.instructions ?? request.role), cwd: root };
}

/** Undefined when the budget stopped the agent. */
export async function performDispatch(job: Dispatching): Promise<DispatchOutcome | undefined> {
  const { world, request, begun, role, halt, ticket } = job;
  const since = world.clock.now();
  const id = processId({ seq: begun.seq, request });
  const order: AgentOrder = {
    ...role,
    id,
    prompt: `${request.prompt}\n\n${lastLine(job)}`,
    folder: world.dispatches.folder(id),
  };
  const seen = new Witness(job);
  const signal = AbortSignal.any([halt.now, ticket.signal]);
  for await (const event of world.agents.dispatch(order, signal)) await seen.hear(event);
  if (signal.aborted && seen.last?.type === "failed" && seen.last.kind === "aborted") {
    await seen.note({ type: "gone", at: world.clock.now() });
    if (halt.now.aborted) throw new Suspended();
    return undefined;
  }
  await seen.settle(order);
  const left = await leftBy(job, seen.last);
  const common = {
    ...left,
    tree: job.before.tree,
    // A clock may have been set back meanwhile.
    durationMs: Math.max(0, world.clock.now() - since),
    usage: seen.usage,
    commands: seen.commands,
    ...(seen.testFirst && { testFirst: seen.testFirst }),
  };
  return outcome(seen.last, common, world.clock.now());
}

type Left = Omit<Common, "tree" | "durationMs" | "usage" | "commands" | "testFirst">;

async function leftBy(job: Dispatching, last: AgentEvent | undefined): Promise<Left> {
  const { anchor, place, before, request } = job;
  if (anchor === undefined) return { touched: await movedMeanwhile(place, before), restored: false };
  return request.access === "read"
    ? await afterReader({ ...job, anchor })
    : await afterWriter({ ...job, anchor }, last);
}

/** The profile, and what is fixed for the role in this pipeline. */
function systemText({ instructions }: World, profile: string, name: string): string {
  const fixed = instructions?.(name) ?? "";
  return fixed === "" ? profile : `${profile}\n\n${fixed}`;
}

/** Names the dispatch, for logs, traces of providers and scripted models. Last, so that all before it can be cached. */
function lastLine({ begun, request, step, attempt }: Dispatching): string {
  return `[superteam] run=${begun.runId} role=${request.role} step=${step} attempt=${attempt}`;
}

/** The two processes that are likely to be needed next boot while this one waits for its model: a quick agent is done before one has. */
async function prepareNext({ world, begun, request }: Dispatching): Promise<void> {
  const next = world.next(request.role);
  const roles = [next, next && world.next(next)].filter((role) => role !== undefined);
  try {
    for (const role of new Set(roles)) {
      // The next implementer most likely begins a task.
      const order = await world.roles.resolve(role, { testFirst: true });
      const system = systemText(world, order.system, role);
      world.agents.prepare({ ...order, system, id: `${begun.seq}-spare`, prompt: "", folder: "" });
    }
  } catch (error) {
    // A problem with the next agent must not disturb the current one: it is reported when its turn comes.
    world.watch({ type: "told", text: `The next agent could not be started ahead: ${reasonOf(error)}` });
  }
}

/** What is heard of one agent, noted as it is known. */
class Witness {
  readonly #job: Dispatching;
  last: AgentEvent | undefined;
  usage = noUsage;
  readonly commands: CommandRun[] = [];
  /** What the guard did about its tools. */
  testFirst: TestFirst | undefined;

  constructor(job: Dispatching) {
    this.#job = job;
  }

  async hear(heard: AgentEvent): Promise<void> {
    const { world, begun, request } = this.#job;
    const event = heard.type === "usage" ? { ...heard, ...(await this.#sound(heard)) } : heard;
    this.last = event;
    if (event.type === "spawned" || event.type === "started") await this.note(event);
    if (event.type === "started") await prepareNext(this.#job);
    if (heard.type === "usage" && event.type === "usage") await this.#enter(event, heard.usage);
    if (event.type === "tool" && event.state === "end") this.commands.push(...commandOf(event));
    if (event.type === "tool" && event.guard) this.testFirst = addNote(this.testFirst, event.guard);
    world.watch({ type: "agent", key: begun.key, role: request.role, event });
  }

  note(body: Note): Promise<void> {
    return note(this.#job.world, this.#job.begun.key, body);
  }

  /** Enters an estimate for an agent that finished and never said what it used. */
  async settle({ prompt, system, context }: AgentOrder): Promise<void> {
    if (this.last?.type !== "finished" || tokensOf(this.usage) > 0 || this.usage.costUsd > 0) return;
    const { model, text } = this.last;
    const asked = prompt.length + system.length + context.length;
    const { ledger, expectedUsd } = this.#job.ticket;
    await this.#enter(ledger.estimate(model, asked, text.length, expectedUsd));
  }

  #sound(heard: TurnUsage): Promise<TurnUsage> {
    const { world, tally, role, place, ticket, request } = this.#job;
    const dispatch = { ...role, role: request.role, cwd: place.root, expectedUsd: ticket.expectedUsd };
    return soundTurn(world, tally, heard, dispatch);
  }

  async #enter(turn: TurnUsage, reported?: Usage): Promise<void> {
    await this.note({ type: "usage", ...turn });
    this.usage = addUsage(this.usage, turn.usage);
    await this.#job.ticket.ledger.tell(turn, reported);
  }
}

/** Commands are kept short: they are for red and green on the screen, the raw stream has them whole. */
function commandOf(event: AgentEvent & { readonly type: "tool" }): CommandRun[] {
  if (event.does !== "run" || event.command === undefined) return [];
  return [{ command: event.command.slice(0, 200), failed: event.failed }];
}

type Common = Omit<DispatchOutcome & { status: "finished" }, "status" | "text" | "model">;

function outcome(last: AgentEvent | undefined, common: Common, now: number): DispatchOutcome {
  if (last?.type === "finished") return { status: "finished", text: last.text, model: last.model, ...common };
  if (last?.type === "failed") {
    const { kind, detail, output, model, retryAfterMs } = last;
    const retry = retryAfterMs === undefined ? {} : { retryAfterMs, retryAt: now + retryAfterMs };
    return { status: "failed", kind, detail, output, model, ...retry, ...common };
  }
  throw new Error(`an agent's last event was ${last?.type ?? "none"}: the backend broke its contract`);
}
