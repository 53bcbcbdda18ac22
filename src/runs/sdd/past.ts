// What runs have done of a plan's tasks, from their journals. A task is known by its number and its title: one that was
// rewritten is another task.

import type { TaskStatus } from "../../core/flow/fact.ts";
import type { Task } from "../../core/plan/plan.ts";
import { changedFiles } from "../../engine/views/fold/outcomes.ts";
import { viewOf } from "../../engine/views/fold/run-view.ts";
import { type LoadedPlan, SddInput, sdd } from "../../pipelines/sdd.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { Entry } from "../../ports/journal.ts";
import type { Workplace } from "../workplace.ts";

/** One run of a task. */
interface Attempt {
  readonly run: string;
  readonly task: Pick<Task, "id" | "title">;
  readonly status: TaskStatus;
  readonly commit: string | null;
  readonly files: readonly string[];
  readonly costUsd: number;
}

export type TaskState =
  | { readonly is: "done"; readonly commit: string | null; readonly files: readonly string[] }
  | { readonly is: "active"; readonly status: TaskStatus }
  | { readonly is: "skipped" }
  /** `lost` is a commit that was made for it and is not in the checked-out history. */
  | { readonly is: "open"; readonly lost: string | null };

export interface KnownTask {
  readonly task: Task;
  readonly state: TaskState;
  readonly costUsd: number;
}

export interface KnownPlan extends LoadedPlan {
  readonly tasks: readonly KnownTask[];
  /** Journals that could not be read, a line each. */
  readonly troubles: readonly string[];
}

export async function knownPlan(place: Workplace, loaded: LoadedPlan): Promise<KnownPlan> {
  const active = await place.runs.readActive();
  const { attempts, troubles } = await attemptsAt(place, loaded.path);
  const tasks: KnownTask[] = [];
  for (const task of loaded.plan.tasks) {
    const own = attempts.filter(({ task: { id, title } }) => id === task.id && title === task.title);
    const costUsd = own.reduce((sum, attempt) => sum + attempt.costUsd, 0);
    tasks.push({ task, state: await stateOf(place, own, active), costUsd });
  }
  return { ...loaded, tasks, troubles };
}

/** What is at work now comes first; of what is past, the last that is still there. */
async function stateOf(
  { branches }: Workplace,
  attempts: readonly Attempt[],
  active: string | undefined,
): Promise<TaskState> {
  const current = attempts.find(({ run }) => run === active);
  if (current) return { is: "active", status: current.status };
  let lost: string | null = null;
  for (const { run, status, commit, files } of attempts.toReversed()) {
    if (status !== "complete") continue;
    if (commit === null) return { is: "done", commit, files };
    const landed = await branches.findInHistory({ sha: commit, run });
    if (landed !== undefined) return { is: "done", commit: landed, files };
    lost ??= commit;
  }
  return attempts.at(-1)?.status === "skipped" ? { is: "skipped" } : { is: "open", lost };
}

/** Oldest first. */
async function attemptsAt({ runs }: Workplace, path: string) {
  const attempts: Attempt[] = [];
  const troubles: string[] = [];
  for (const run of await runs.list()) {
    try {
      // The journals of other pipelines may be long, and are not read.
      if ((await runs.pipelineOf(run)) === sdd.name) attempts.push(...attemptIn(await runs.read(run), path));
    } catch (error) {
      troubles.push(`Run ${run} cannot be read and is ignored: ${reasonOf(error)}`);
    }
  }
  return { attempts, troubles };
}

function attemptIn(entries: readonly Entry[], path: string): readonly Attempt[] {
  const view = viewOf(entries);
  const [first] = entries;
  const input = first?.type === "run" ? SddInput.safeParse(first.header.input).data : undefined;
  if (input === undefined || input.documents.plan !== path) return [];
  const { task } = input;
  const { status = "pending", commit = null } = view.tasks.get(`${task.id}`) ?? {};
  const { costUsd } = view.spend.total;
  return [{ run: view.runId, task, status, commit, files: changedFiles(view), costUsd }];
}
