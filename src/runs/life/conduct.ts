// Conducts a run in this process, from an open journal to its end: wires the ports, shows what happens, and leaves
// the tree's state as it has to be. The caller holds the lock.

import type { Pipeline } from "../../core/run/pipeline.ts";
import { uncheckedTexts } from "../../core/run/unchecked.ts";
import { oneLine } from "../../core/text/format.ts";
import type { Asides } from "../../engine/asking/asides.ts";
import type { Ahead } from "../../engine/asking/question-queue.ts";
import { Halt } from "../../engine/drive/halt.ts";
import type { LiveEvent } from "../../engine/drive/recorder.ts";
import { type RunEnd, run } from "../../engine/drive/run.ts";
import type { World } from "../../engine/drive/world.ts";
import { formatReport } from "../../engine/views/files/report.ts";
import { viewOf } from "../../engine/views/fold/run-view.ts";
import { pendingQuestion, type RunView } from "../../engine/views/fold/shape.ts";
import { closingCard } from "../../engine/views/show/closing-card.ts";
import { isOverBudget } from "../../engine/views/show/money.ts";
import { quotaLines, quotaWait } from "../../engine/views/show/status.ts";
import type { EventDraft } from "../../engine/views/tell/output-event.ts";
import { pipelineNamed } from "../../pipelines/pipelines.ts";
import type { Journal, RunHeader } from "../../ports/journal.ts";
import type { Person } from "../../ports/person.ts";
import type { Brought } from "../../ports/trust.ts";
import type { RunEnded } from "../handle.ts";
import { stopWhen } from "../host.ts";
import { Problem } from "../problem.ts";
import { Attention } from "../show/attention.ts";
import { EventTeller } from "../show/event-teller.ts";
import { Projections } from "../show/projections.ts";
import { redactedPerson } from "../show/redacted.ts";
import { Show } from "../show/show.ts";
import type { WireOrder } from "../workplace.ts";
import { type Going, refuseMissing } from "./begin.ts";
import { damageTo, isWhole, type Kept } from "./damage.ts";
import { retire } from "./retire.ts";
import { approveStart } from "./start-approval.ts";
import { RepositoryTrust, stillMeant } from "./trust.ts";
import { unfinishedLines } from "./unfinished.ts";

export interface Conducting extends Going, Omit<WireOrder, "repo" | "roles"> {
  readonly journal: Journal;
  /** What the repository contains that takes effect only if it is trusted. */
  readonly brought: Brought;
  /** Lost when another process has the tree. */
  readonly lease: Kept["lease"];
  /** The first lines on the screen: a recap, or what was repaired. */
  readonly opening: readonly string[];
  /** An answer to the question that waits, given on the command line. */
  readonly ahead?: Ahead | undefined;
}

/** Runs until the run ends or is suspended, and closes its journal. */
export async function conducted(job: Conducting): Promise<RunEnded> {
  const ended = await closing(job).catch(async (error) => Promise.reject((await damageTo(job)) ?? error));
  const damage = ended.end.how === "suspended" ? await damageTo(job) : undefined;
  if (damage !== undefined) throw damage;
  return ended;
}

async function closing(job: Conducting): Promise<RunEnded> {
  try {
    return await conduct(job);
  } finally {
    await job.journal.close();
  }
}

async function conduct(job: Conducting): Promise<RunEnded> {
  const halt = new Halt();
  const { host, place } = job;
  const { entries } = job.journal;
  // The entry that starts a run is written before there is anybody to show it to.
  const unseen = entries.length === 1 ? [...entries] : [];
  const view = viewOf(entries.slice(unseen.length));
  const draining = (): void => show.see({ type: "draining", agents: view.running.size });
  const people = await host.audience({ halt, served: view.served, draining });
  const notifier = { command: "" };
  const attention = new Attention(redactedPerson(people.person, host.redact), {
    clock: place.clock,
    run: async (message) => {
      if (notifier.command !== "") await place.notify(notifier.command, host.redact(message));
    },
  });
  const person = attention.person();
  const log = await place.runs.events(job.runId);
  const trouble = (text: string): void => person.notify(text, "warning");
  const past = entries.slice(unseen.length);
  const events = new EventTeller({ log, past, json: host.json, redact: host.redact, trouble });
  const event = (draft: EventDraft): void => events.tell(draft);
  const show = new Show({ view, person, event, columns: host.columns, clock: place.clock });
  for (const line of job.opening) person.notify(line, "info");
  for (const entry of unseen) show.see({ type: "entry", entry });
  const { lost } = job.lease;
  stopWhen(lost, { halt });
  lost.addEventListener("abort", () => person.notify(String(lost.reason), "warning"));
  job.onBegin({ runId: job.runId, halt, view });
  try {
    const end = await perform(job, halt, show, { person, notifier });
    show.close();
    await tell(job, end, view, person);
    const message = callingWords(end, view, attention.isWatched);
    if (message !== undefined) await attention.call(message);
    return { runId: job.runId, end, isOverBudget: isOverBudget(view), problems: people.problems() };
  } finally {
    show.close();
    log.close();
    people.close();
  }
}

/** What is worth calling somebody for. A run that a person at a screen has left is none. */
function callingWords({ how }: RunEnd, view: RunView, isWatched: boolean): string | undefined {
  const goal = oneLine(view.goal, 80);
  if (how === "finished") return `Finished: ${goal}`;
  if (how === "failed") return `Failed: ${goal}`;
  const question = pendingQuestion(view)?.question;
  return how === "suspended" && !isWatched && question ? `A question waits: ${oneLine(question.title)}` : undefined;
}

interface Listener {
  readonly person: Person;
  /** The person's command for notifications, once the settings that hold are known. */
  readonly notifier: { command: string };
}

async function perform(job: Conducting, halt: Halt, show: Show, { person, notifier }: Listener): Promise<RunEnd> {
  const { place, journal } = job;
  const header = headerOf(journal);
  const { pipeline: told, input } = header;
  const pipeline = pipelineOf(told.name);
  const trouble = (text: string): void => person.notify(text, "warning");
  const projections = new Projections({ files: place.projections, view: show.view, redact: job.host.redact, trouble });
  projections.recall(journal.entries);
  const unheard = place.onSlowGit((text) => person.notify(text, "info"));
  const repo = await place.openRepo(job.runId, pipeline.documents(input));
  const order = { ...job, repo, roles: pipeline.roles };
  const ports = await place.wire(order);
  const look = () => place.brought(job.settings);
  const trust = new RepositoryTrust({ journal, memory: place.trust, settings: job.settings, look });
  const preflight = async (asides: Asides) => {
    await approveStart(header, show.view.goal, asides);
    await trust.open(job.brought, asides, job.options.trust ?? false);
    const granted = await place.grant(order, () => trust.held);
    const config = await granted.settings.read();
    notifier.command = config.notify;
    await refuseMissing(job.backends, config);
    if (!config.validationCommand && !config.testCommand) await asides.warn(uncheckedTexts.none, "unchecked");
    return granted;
  };
  const renew = (asides: Asides) => trust.renew(asides);
  const ahead = stillMeant(job.ahead, journal, job.brought);
  const publish: World["publish"] = (document) => projections.publish(document);
  const watch = (sight: LiveEvent): void => {
    show.see(sight);
    if (sight.type === "entry") projections.update();
    job.host.watch?.(sight);
  };
  try {
    const end = await run({ ...ports, preflight, renew, journal, person, ahead, watch, publish }, pipeline, halt);
    if (end.how === "suspended") show.suspended(end.why);
    else await retire(place, show.view, end.how);
    // Nobody goes back to these any more. What was taken back stays under its ref.
    if (end.how === "finished") await repo.forgetStates();
    await projections.close(end.how !== "suspended");
    return end;
  } catch (error) {
    // Nothing may be written after the lock is released. Report the error that ended the run, not what it did to the views.
    await projections.close(false).catch(() => undefined);
    throw error;
  } finally {
    unheard();
    await ports.agents.close();
  }
}

function headerOf({ entries: [first] }: Journal): RunHeader {
  if (first?.type === "run") return first.header;
  throw new Problem("The journal of this run does not say what it is for. superteam abort ends it.", "failed");
}

function pipelineOf(name: string): Pipeline {
  const pipeline = pipelineNamed(name);
  if (pipeline) return pipeline;
  throw new Problem(
    `This run is a "${name}", which this version of superteam does not know. Continue with the version it was started with, or end it: superteam abort`,
    "not-possible",
  );
}

async function tell(job: Conducting, end: RunEnd, view: RunView, person: Person): Promise<void> {
  const { place, host, journal } = job;
  if (end.how === "suspended") {
    const lines = host.onlyNow || !(await isWhole(job)) ? [] : suspensionLines(end.why, view, place.clock.now());
    for (const line of lines) person.notify(line, "info");
    return;
  }
  const left = end.how === "finished" ? [] : await unfinishedLines(place, journal.entries);
  person.notify(formatReport(view), "info");
  if (left.length > 0) person.notify(left.join("\n"), "warning");
  const card = end.how === "finished" ? closingCard(view) : [];
  if (card.length > 0) person.notify(card.join("\n"), "info");
  if (end.how === "failed")
    person.notify("The run failed. superteam log shows what happened; superteam run starts again.", "error");
  if (end.how === "aborted")
    person.notify("The run was ended. Its journal is kept; superteam log shows it.", "warning");
}

/** Why it is suspended, if an answer is not enough, and how to continue. */
function suspensionLines(why: string, view: RunView, now: number): readonly string[] {
  const until = quotaWait(view);
  const suspended = "The run is suspended. Nothing is lost: superteam resume continues from here.";
  if (why === "quota" && until !== undefined) return [suspended, ...quotaLines(until, now)];
  if (!isOverBudget(view)) return [suspended];
  return [
    suspended,
    "Its budget is used up. Decide: superteam answer. Raise the limit: superteam resume --budget <dollars>",
  ];
}
