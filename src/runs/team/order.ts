// What the caller of `team` has asked for, turned into an input of the pipeline or refused with a reason.

import { z } from "zod";
import { inShort } from "../../core/run/document-paths.ts";
import type { PipelineRole } from "../../core/run/pipeline.ts";
import { fit } from "../../core/text/fit.ts";
import { accessOf, mostAtOnce, mostJobs, TeamInput, type TeamJob, team } from "../../pipelines/team.ts";
import { Problem } from "../problem.ts";

const Given = z.object({ role: z.string().trim(), task: z.string().trim() });

/** Exactly one of: a role and a task, `parallel`, `chain`. */
const Order = Given.partial().extend({
  parallel: z.array(Given).optional(),
  chain: z.array(Given).optional(),
  atOnce: z.number().optional(),
});

type Order = z.infer<typeof Order>;
type Given = z.infer<typeof Given>;

/** Throws a Problem with what to do instead. */
export function teamOrder(given: unknown): TeamInput {
  const order = Order.safeParse(fit(Order, given).value);
  if (!order.success) throw refusal(z.prettifyError(order.error));
  const { how, jobs } = shapeOf(order.data);
  const known = jobs.map(checked);
  if (known.length > mostJobs) throw refusal(`${known.length} jobs are too many: at most ${mostJobs} in one call.`);
  if (how === "parallel") refuseWriters(known);
  const { atOnce } = order.data;
  const input = TeamInput.safeParse({ goal: goalOf(how, known), how, jobs: known, atOnce });
  if (input.success) return input.data;
  throw refusal(`atOnce is how many run side by side: a whole number from 1 to ${mostAtOnce}.`);
}

function shapeOf({ role, task, parallel, chain }: Order): { how: TeamInput["how"]; jobs: readonly Given[] } {
  const one = role !== undefined || task !== undefined;
  const shapes = [one, parallel !== undefined, chain !== undefined].filter(Boolean).length;
  if (shapes !== 1) throw refusal("Give exactly one of: role and task; parallel; chain.");
  if (parallel) return { how: "parallel", jobs: parallel };
  if (chain) return { how: "chain", jobs: chain };
  return { how: "one", jobs: [{ role: role ?? "", task: task ?? "" }] };
}

function checked({ role, task }: Given): TeamJob {
  if (!team.roles.some(({ name }) => name === role))
    throw refusal(`There is no role "${role}". Readers: ${readers}. Writers: ${writers}.`);
  if (task === "")
    throw refusal(`The ${role} has no task: say everything it needs to know, because it sees nothing else.`);
  return { role, task };
}

const named = (access: PipelineRole["access"]): string =>
  team.roles.flatMap((role) => (role.access === access ? [role.name] : [])).join(", ");
const readers = named("read");
const writers = named("write");

function refuseWriters(jobs: readonly TeamJob[]): void {
  const writer = jobs.find(({ role }) => accessOf(role) === "write")?.role;
  if (writer === undefined) return;
  throw refusal(
    `The ${writer} writes, and two that change the same tree at once would spoil each other's work: only readers run side by side (${readers}). Give the ${writer} a call of its own, or a place in a chain.`,
  );
}

function goalOf(how: TeamInput["how"], jobs: readonly TeamJob[]): string {
  const [first] = jobs;
  if (first === undefined) throw refusal(`There is nothing to do: ${how} is empty.`);
  if (how === "one") return inShort(`team: ${first.role}: ${first.task}`);
  const who = jobs.map(({ role }) => role).join(how === "chain" ? " → " : ", ");
  return `team, ${how}: ${who}`;
}

function refusal(why: string): Problem {
  return new Problem(`${why} Nothing was started.`, "wrong-usage");
}
