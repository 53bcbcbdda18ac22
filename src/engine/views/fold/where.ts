// Where in a run a scope path or a request key belongs, for a person: the phase, the task, and the path without the
// epochs and occurrences that only the journal needs. The parts of a run in batches have the same phases, one after
// another: a phase is the same phase in all of them.

import { namesIn, parentOf } from "../../../core/flow/keys.ts";
import type { PipelineOutline } from "../../../core/run/pipeline.ts";

/** Where in the run something belongs. `scope` is the path without epochs. */
export interface Where {
  readonly scope: string;
  readonly phase: string | null;
  readonly task: string | null;
}

export function whereIsScope(path: string): Where {
  const segments = namesIn(path);
  const task = segments.find((segment) => segment.startsWith(taskPrefix));
  return {
    scope: segments.join("/"),
    phase: inPart(segments)[0] ?? null,
    task: task === undefined ? null : task.slice(taskPrefix.length),
  };
}

export function whereIsRequest(key: string): Where {
  return whereIsScope(parentOf(key));
}

/** The path within its part, if it is in one: empty for the part itself, and for the whole run. */
export function pathInPart(scope: string): string {
  return inPart(scope.split("/")).join("/");
}

/** True for the scope itself and for everything below it; the root is the empty path. */
export function isWithin(where: Where, scope: string): boolean {
  return scope === "" || where.scope === scope || where.scope.startsWith(`${scope}/`);
}

export interface InPipeline {
  readonly pipeline: PipelineOutline;
}

/** What the run's schedule says of a phase. */
export function phaseNamed(run: InPipeline, name: string | null) {
  return run.pipeline.schedule.find(({ phase }) => phase === name);
}

/** What the run's pipeline says of a role; undefined for one of another version. */
export function roleNamed(run: InPipeline, name: string) {
  return run.pipeline.roles.find((role) => role.name === name);
}

const taskPrefix = "task-";

function inPart(segments: readonly string[]): readonly string[] {
  return /^part-\d+$/.test(segments[0] ?? "") ? segments.slice(1) : segments;
}
