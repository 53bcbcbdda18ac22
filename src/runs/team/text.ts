// The result of a call of the tool `team`, for the model that made it: each answer with its role, its model and its cost, and
// what happened to the tree.

import { addUsage, noUsage, type Usage } from "../../core/flow/dispatch.ts";
import { parentOf } from "../../core/flow/keys.ts";
import { count, duration, exactUsd, nameText } from "../../core/text/format.ts";
import { isUnpriced } from "../../engine/views/fold/ledger.ts";
import { accessOf, type JobResult, jobAt, type TeamJob } from "../../pipelines/team.ts";
import type { Runs } from "../../ports/runs.ts";
import type { TeamRun } from "./team.ts";

/** Characters of answers in one result. */
const room = 40_000;

/** An answer that is too long is kept with the run. */
export async function teamText(run: TeamRun, runs: Runs): Promise<string> {
  const jobs = await Promise.all(run.input.jobs.map((job, index) => jobText(run, runs, job, index + 1)));
  return [heading(run), ...run.told, ...jobs].join("\n\n");
}

function heading({ runId, input, ending, view, results }: TeamRun): string {
  const answered = results.filter(({ status }) => status === "answered").length;
  const how = input.how === "parallel" ? ` side by side, at most ${input.atOnce} at once` : "";
  const jobs =
    input.how === "one" ? "" : `${count(input.jobs.length, "job")}${input.how === "chain" ? " in a chain" : how}; `;
  const spent = `${price(view.spend.total)} in ${duration(view.lastAt - view.startedAt)}`;
  const head = `Team run ${runId}: ${jobs}${answered} of ${input.jobs.length} answered, ${spent}.`;
  return ending.how === "aborted" ? `${head}\nIt was ended: ${ending.detail}\n${onlyWhenAsked}` : head;
}

/** The person who stopped it does not want it again at once. */
const onlyWhenAsked = "Give this work to a team again only when the person asks for it.";

async function jobText(run: TeamRun, runs: Runs, { role }: TeamJob, number: number): Promise<string> {
  const result = run.results.find((one) => one.number === number);
  const { usage, model, tries, ms } = billOf(run, number);
  const bill = tries === 0 ? "" : ` (${model ?? "no model"}, ${price(usage)}, ${duration(ms)})`;
  const head = `## ${number}. ${role}: ${result?.status ?? (tries === 0 ? "not started" : "stopped")}${bill}`;
  if (result === undefined) return head;
  const said = result.status === "answered" ? await answerText(run, runs, result) : result.text;
  return [head, accessOf(role) === "write" ? leftText(result) : proofText(run, result), said].join("\n\n");
}

function leftText({ status, changed, before }: JobResult): string {
  if (status !== "answered") return "Its changes were undone.";
  if (changed.length === 0) return "It changed no file.";
  const what = `${count(changed.length, "file")}, which ${changed.length === 1 ? "is" : "are"} not committed`;
  const files = changed.map(({ path, change }) => `- ${nameText(path)} (${change})`);
  return [`It changed ${what} (the tree before it: ${before}):`, ...files].join("\n");
}

/** If several could have done it, the first to end is named; nothing is proven about the others. */
function proofText({ runId, input, results, armed }: TeamRun, { role, status, touched }: JobResult): string {
  const beside = input.how === "parallel" && results.length > 1;
  if (status === "meddled") {
    const others = beside
      ? " Several ran side by side with tools that can write, so it may have been another one."
      : "";
    return `What was changed is kept under refs/superteam/${runId}/.${others}`;
  }
  if (beside && armed.has(role) && results.some((one) => one.status === "meddled"))
    return "Not proven to have only read: an agent beside it changed files, which were restored, and this one has a tool that can write.";
  if (touched.length === 0) return "Proven: the tree was the same before and after it.";
  return `While it was reading, ${touched.join(", ")} changed. It has no tool for that, so the change came from elsewhere; the answer may be about either state.`;
}

async function answerText({ runId, input }: TeamRun, runs: Runs, result: JobResult): Promise<string> {
  const { number, role, text } = result;
  const limit = Math.floor(room / input.jobs.length);
  if (text.length <= limit) return text.trim();
  const file = await runs.keep(runId, `answers/${number}-${role}.md`, text);
  return `${text.slice(0, limit)}\n[${text.length - limit} more characters. The whole answer: ${file}]`;
}

/** All dispatches of a job: those that had to be repeated cost money too. */
function billOf({ view }: TeamRun, number: number) {
  const own = [...view.spend.dispatches].filter(([key]) => jobAt(parentOf(key)) === number).map(([, line]) => line);
  return {
    usage: own.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
    model: own.at(-1)?.model ?? null,
    tries: own.reduce((sum, { tries }) => sum + tries, 0),
    ms: own.reduce((sum, { ms, earlierMs }) => sum + ms + earlierMs, 0),
  };
}

function price(usage: Usage): string {
  if (isUnpriced(usage)) return "no price known";
  return `${usage.estimated ? "about " : ""}${exactUsd(usage.costUsd)}`;
}

export type TeamDetails = ReturnType<typeof teamDetails>;

export function teamDetails(run: TeamRun) {
  const { runId, input, ending, results } = run;
  const jobs = input.jobs.map(({ role }, index) => {
    const status = results.find(({ number }) => number === index + 1)?.status ?? "none";
    return { role, status, costUsd: billOf(run, index + 1).usage.costUsd };
  });
  return { runId, how: input.how, ended: ending.how, jobs };
}
