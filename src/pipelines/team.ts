// Roles at work outside of any plan: one, several readers side by side, or a chain in which each is given the answer of
// the one before. Readers are proven to be so; what a writer changes stays in the tree, uncommitted.

import { z } from "zod";
import type { DispatchOutcome } from "../core/flow/dispatch.ts";
import { all, changes, child, defineFlow, type Flow, record, restore, scope, snapshot } from "../core/flow/flow.ts";
import { namesIn } from "../core/flow/keys.ts";
import type { Anchor } from "../core/flow/repository.ts";
import { definePipeline } from "../core/run/pipeline.ts";
import { firstLine, preview } from "../core/text/format.ts";
import { persist, warn } from "../phases/work/consult.ts";
import { type Previous, teamPrompt } from "../prompts/team.ts";
import { roles } from "./shared.ts";

/** More would be a plan. */
export const mostJobs = 8;
/** How many readers run side by side, unless the call wants fewer. */
export const mostAtOnce = 4;

/** Whatever tools a configuration gives it: a reader is one by what it is for. */
export function accessOf(role: string): "read" | "write" {
  return roles.find(({ name }) => name === role)?.access ?? "read";
}

/** What one role is to do. */
export const TeamJob = z.object({ role: z.enum(roles.map(({ name }) => name)), task: z.string().trim().min(1) });
export type TeamJob = z.infer<typeof TeamJob>;

export const TeamInput = z
  .object({
    goal: z.string().trim().min(1),
    how: z.enum(["one", "parallel", "chain"]),
    jobs: z.array(TeamJob).min(1).max(mostJobs),
    atOnce: z.number().int().min(1).max(mostAtOnce).default(mostAtOnce),
  })
  .refine(({ how, jobs }) => how !== "parallel" || jobs.every(({ role }) => accessOf(role) === "read"), {
    error: "a role that writes runs alone",
  });
export type TeamInput = z.infer<typeof TeamInput>;

/** Jobs count from 1. */
const Numbered = TeamJob.extend({
  number: z.number(),
  previous: z.object({ role: z.string(), answer: z.string() }).nullable(),
  /** Files that writers before it in the chain have changed. */
  ours: z.array(z.string()),
});
type Numbered = z.infer<typeof Numbered>;

const Files = z.array(z.object({ path: z.string(), change: z.enum(["added", "modified", "deleted"]) }));

/** `text` is the answer; if it failed or meddled, the reason. */
export const JobResult = z.object({
  number: z.number(),
  role: z.string(),
  status: z.enum(["answered", "failed", "meddled"]),
  text: z.string(),
  /** What was changed while a reader ran: put back when it has meddled, else somebody else's and left as it is. */
  touched: z.array(z.string()),
  /** What a writer has changed, and where the tree before it is kept. */
  changed: Files,
  before: z.string().nullable(),
});
export type JobResult = z.infer<typeof JobResult>;

const Results = z.array(JobResult);

/** The number of the job that a scope is of, wherever it lies: its result is in the journal as soon as it is done. */
export function jobAt(scope: string): number | undefined {
  const number = /^job-(\d+)$/.exec(namesIn(scope).at(-1) ?? "")?.[1];
  return number === undefined ? undefined : Number(number);
}

const job = defineFlow({ kind: "step", input: Numbered, returns: JobResult, run: doJob });
const lane = defineFlow({ kind: "step", input: z.array(Numbered), returns: Results, run: oneByOne });

export const team = definePipeline({
  name: "team",
  title: "roles outside of any plan",
  schedule: [{ phase: "team", label: "team", title: "team" }],
  becomesActive: false,
  input: TeamInput,
  returns: Results,
  flows: { "team-job": job, "team-lane": lane },
  run,
  // Nobody knows who is asked next.
  roles: roles.map(({ next: _, ...role }) => role),
});

function* run(input: TeamInput): Flow<JobResult[]> {
  const work = input.how === "parallel" ? sideBySide(input) : chain(input.jobs);
  const results = yield* scope({ name: "team", kind: "phase", returns: Results }, work);
  yield* record({ type: "report", text: results.map(summary).join("\n") });
  return results;
}

function summary({ number, role, status, text }: JobResult): string {
  return `${number}. ${role} ${status}: ${preview(firstLine(text), 200)}`;
}

/** Each gets the answer of the one before; without one the chain ends. One job is the shortest chain. */
function* chain(jobs: readonly TeamJob[]): Flow<JobResult[]> {
  const results: JobResult[] = [];
  let previous: Previous | null = null;
  for (const [index, given] of jobs.entries()) {
    const result: JobResult = yield* started({ ...given, number: index + 1, previous, ours: filesOf(results) });
    results.push(result);
    if (result.status !== "answered") break;
    previous = { role: result.role, answer: result.text };
  }
  return results;
}

const filesOf = (results: readonly JobResult[]): string[] =>
  results.flatMap(({ changed }) => changed.map(({ path }) => path));

/** Never more than `atOnce`: there are so many lanes, and in each goes one at a time. */
function* sideBySide({ jobs, atOnce }: TeamInput): Flow<JobResult[]> {
  const before = yield* snapshot("before");
  const numbered = jobs.map((given, index): Numbered => ({ ...given, number: index + 1, previous: null, ours: [] }));
  const lanes = Map.groupBy(numbered, ({ number }) => (number - 1) % atOnce);
  const children = [...lanes].map(([at, input]) => ({ flow: "team-lane", name: `lane-${at + 1}`, input }));
  const results = (yield* all<JobResult[]>(children)).flat().toSorted((one, other) => one.number - other.number);
  if (results.some(({ status }) => status === "meddled")) yield* backTo(before);
  return results;
}

/**
 * A reader that begins while another one meddles is given that one's work with the tree, and may bring it back when it is
 * judged itself. What they all were given decides.
 */
function* backTo(before: Anchor): Flow<void> {
  const { restored, moved } = yield* restore("before", before);
  if (restored.length > 0 || moved)
    yield* warn(`Readers running side by side left changes, which were undone: ${restored.slice(0, 10).join(", ")}`);
}

function* oneByOne(jobs: readonly Numbered[]): Flow<JobResult[]> {
  const results: JobResult[] = [];
  for (const one of jobs) results.push(yield* started(one));
  return results;
}

function started(input: Numbered): Flow<JobResult> {
  return child({ flow: "team-job", name: `job-${input.number}`, input });
}

function* doJob({ number, role, task, previous, ours }: Numbered): Flow<JobResult> {
  const access = accessOf(role);
  const prompt = teamPrompt(task, access, previous);
  const outcome = yield* persist({ step: `team.job.${number}`, name: role, role, prompt, access, ours });
  const { status, text } = whatCameOf(role, outcome);
  const since = outcome.status === "finished" && outcome.traces ? outcome.start : undefined;
  const changed = since ? yield* changes(role, since) : null;
  if (status !== "answered") yield* warn(text);
  return {
    number,
    role,
    status,
    text,
    touched: [...outcome.touched],
    changed: [...(changed?.files ?? [])],
    before: outcome.start?.ref ?? null,
  };
}

function whatCameOf(role: string, outcome: DispatchOutcome): Pick<JobResult, "status" | "text"> {
  const { touched, restored } = outcome;
  if (touched.length > 0 && restored) return { status: "meddled", text: meddled(role, touched) };
  if (outcome.status === "finished") return { status: "answered", text: outcome.text };
  const { kind, detail, output } = outcome;
  const said = detail === "" ? output : detail;
  return { status: "failed", text: `${role} failed (${kind})${said === "" ? "" : `: ${preview(said, 1_000)}`}` };
}

function meddled(role: string, touched: readonly string[]): string {
  const more = touched.length > 10 ? ` and ${touched.length - 10} more` : "";
  return `${role} may only read, but ${touched.slice(0, 10).join(", ")}${more} changed while it ran. That was undone, and its answer is not used.`;
}
