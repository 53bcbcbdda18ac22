// What a run's schedule says of a phase.

import type { ScheduleEntry } from "../../../core/run/pipeline.ts";
import type { RunView } from "./shape.ts";

export function phaseNamed({ pipeline }: RunView, name: string | null): ScheduleEntry | undefined {
  return pipeline.schedule.find(({ phase }) => phase === name);
}

/** Whether the phase that goes on counts this. */
export function isCounting(view: RunView, what: NonNullable<ScheduleEntry["counts"]>[number]): boolean {
  return phaseNamed(view, view.phase)?.counts?.includes(what) ?? false;
}
