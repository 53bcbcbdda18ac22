// The ports of one life, over the machine. Every call is a point at which others may come first, before it acts and after.

import type { World } from "../../../src/engine/drive/world.ts";
import type { InboxMessage, InboxReply } from "../../../src/ports/runs.ts";
import { openJournal } from "../machine/journal.ts";
import { type Machine, mustBeOnDisk, paths } from "../machine/machine.ts";
import { answerTo } from "../person.ts";
import { simulatedAgents } from "./agents.ts";
import { simulatedPlaces } from "./places.ts";
import { runCheck, simulatedRepo } from "./repo.ts";
import { noFiles, runSuite } from "./suite.ts";
import { broughtBy, simulatedSettings, simulatedTexts, simulatedTrust } from "./texts.ts";
import { writing } from "./trouble.ts";

export interface Life {
  readonly world: World;
  readonly say: (message: InboxMessage) => void;
}

export function bornOn(machine: Machine, agrees: number): Life {
  const hearers = new Set<(message: InboxMessage) => void>();
  const journal = openJournal(machine);
  const trust = simulatedTrust(machine, journal);
  const settings = simulatedSettings(machine, () => trust.held);
  const ports = {
    settings,
    roles: { resolve: async (role: string) => roleOf(role) },
    places: simulatedPlaces(machine, {
      root: "/tree",
      repo: simulatedRepo(machine),
      checks: {
        run: (_command, _signal, { tests, only = [] } = {}) => (tests ? runSuite(machine, only) : runCheck(machine)),
        files: noFiles,
      },
      documents: simulatedTexts(machine),
    }),
    next: () => undefined,
  };
  const world: World = {
    ...ports,
    journal,
    preflight: async (asides) => {
      await trust.open(broughtBy(machine), asides, false);
      return ports;
    },
    renew: (asides) => trust.renew(asides),
    agents: simulatedAgents(machine),
    person: simulatedPerson(machine, agrees),
    clock: machine.scheduler,
    inbox: {
      listen: (hear) => {
        hearers.add(hear);
        return () => hearers.delete(hear);
      },
      receipt: async (id, reply) => takeReceipt(machine, id, reply),
    },
    dispatches: { folder: (id) => id, goneAt: async (id) => machine.gone.get(id), besides: () => Promise.resolve([]) },
    history: { read: async () => ({ runs: [], skipped: 0 }) },
    queue: { add: (runs, mark) => writing(machine, "put runs in line", () => putInLine(machine, runs, mark)) },
    patience: "sleep",
    session: { pid: 1, versions: {} },
    publish: (document) =>
      writing(machine, `publish ${document}`, () => machine.hands.write(paths[document], `${document}\n`)),
    watch: () => undefined,
  };
  machine.stoppedAt = undefined;
  machine.said.length = 0;
  return { world, say: (message) => sayTo(machine, hearers, message) };
}

function simulatedPerson(machine: Machine, agrees: number): World["person"] {
  return {
    ask: async (question, signal) => {
      mustBeOnDisk(machine, beginningOf(machine, question.id), `${question.id} is shown before it`);
      machine.shown = question;
      await machine.scheduler.point(`the person reads ${question.id}`);
      machine.shown = undefined;
      return signal.aborted ? undefined : answerTo(machine, question, agrees);
    },
    notify: () => undefined,
    status: () => undefined,
    widget: () => undefined,
  };
}

/** As adapters/store/queue.ts does it: what was put there under a mark does not come again. */
function putInLine({ line, marks, trace }: Machine, runs: readonly { readonly goal: string }[], mark: string): void {
  if (marks.has(mark)) return;
  marks.add(mark);
  line.push(...runs.map(({ goal }) => goal));
  trace.push(`  ${runs.length} runs are queued`);
}

/** The record with which a question begins; none is after all others. */
function beginningOf({ entries }: Machine, id: string): number {
  const found = entries.findLast(
    (entry) => entry.type === "begin" && entry.request.do === "ask" && entry.request.question.id === id,
  );
  return found?.seq ?? Number.POSITIVE_INFINITY;
}

function sayTo(machine: Machine, hearers: ReadonlySet<(message: InboxMessage) => void>, message: InboxMessage): void {
  if (hearers.size > 0) machine.said.push(message.id);
  for (const hear of hearers) hear(message);
}

/** E7: one receipt per message, and what it confirms is on disk. */
function takeReceipt(machine: Machine, id: string, reply: InboxReply): void {
  const { receipts, seen, entries } = machine;
  if (receipts.has(id)) seen.push(`a message of another process has two receipts: ${reply.text}`);
  receipts.set(id, reply);
  const [, question, answer] = /^Answered (\S+): (.*)$/s.exec(reply.text) ?? [];
  if (!reply.ok || question === undefined) return;
  const isThere = entries.some(
    (entry) => entry.type === "settle" && entry.outcome === answer && entry.key.includes(question),
  );
  if (!isThere) seen.push(`another process is told that its answer to ${question} counts, and it is not on disk`);
}

function roleOf(role: string) {
  const isWriter = ["implementer", "planner"].includes(role);
  return {
    role,
    backend: "simulated",
    system: "",
    context: "",
    capabilities: isWriter
      ? (["read", "write"] as const)
      : role === "scout"
        ? (["read", "run"] as const)
        : (["read"] as const),
    model: null,
    thinking: "medium",
    cwd: "/tree",
    timeoutMs: 3_600_000,
    stuckMs: 600_000,
    silentMs: 90_000,
    environment: [],
  };
}
