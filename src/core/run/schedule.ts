// The order of a run. A pipeline declares it; a loop appends to it by the fact `schedule.appended`.

/** One phase in the order of a run. JSON. */
export interface ScheduleEntry {
  /** The name of its scope: in keys, events and costs. */
  readonly phase: string;
  /** Its heading, such as `Plan review`. */
  readonly label: string;
  /** What is done in it, such as `Reviewing the plan`. */
  readonly title: string;
  /** The part of the way it belongs to, such as `plan`, where several phases make up one. */
  readonly stage?: string;
  /** Who does the work in it: code and the person, one agent, reviewers, or the agents of each task. */
  readonly type?: "inline" | "dispatch" | "review" | "tasks";
  readonly produces?: readonly string[];
  /** What an earlier entry has to have produced. */
  readonly requires?: readonly string[];
  /** What is counted during it: how far the design is, the current task, all tasks as a bar. */
  readonly counts?: readonly ("design" | "task" | "bar")[];
  /**
   * What an agent is at, by the name of its dispatch or by its role: `section-#` is for any number, `*` for every other
   * name. A `*` in the text stands for the name in words.
   */
  readonly steps?: Readonly<Record<string, string>>;
  /** The same where it heads what the agent does; unset: as in `steps`. */
  readonly headings?: Readonly<Record<string, string>>;
  /** What the screen says when a dispatch of this name begins, and when it has finished. */
  readonly begun?: Readonly<Record<string, string>>;
  readonly finished?: Readonly<Record<string, string>>;
}
