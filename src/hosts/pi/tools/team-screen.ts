// What the person sees of a team: pi's status line, the activity of its agents, and a line per job in the tool call.

import { systemClock } from "../../../adapters/process/clock.ts";
import { oneLine } from "../../../core/text/format.ts";
import type { LiveEvent } from "../../../engine/drive/recorder.ts";
import { doingNow } from "../../../engine/views/fold/activity.ts";
import { RunView } from "../../../engine/views/fold/shape.ts";
import { jobAt, type TeamInput } from "../../../pipelines/team.ts";
import type { Person } from "../../../ports/person.ts";
import { Show } from "../../../runs/show/show.ts";
import { resultIn } from "../../../runs/team/team.ts";
import { personAt, type Session } from "../host.ts";

export interface TeamScreenOptions {
  readonly session: Session;
  readonly input: TeamInput;
  readonly show: (text: string) => void;
  readonly columns: () => number;
}

export class TeamScreen {
  readonly #options: TeamScreenOptions;
  readonly #show: Show;
  /** What is shown before the jobs that came to an end. */
  readonly #marks = new Map<number, string>();
  #shown = "";

  constructor(options: TeamScreenOptions) {
    const { session, columns } = options;
    this.#options = options;
    this.#show = new Show({
      view: new RunView(),
      person: onlyShown(personAt(session)),
      event: undefined,
      columns,
      clock: systemClock,
    });
  }

  see(sight: LiveEvent): void {
    this.#show.see(sight);
    const result = sight.type === "entry" ? resultIn(sight.entry) : undefined;
    if (result) this.#marks.set(result.number, result.status === "answered" ? "✓" : "✗");
    const text = this.#lines().join("\n");
    if (text === this.#shown) return;
    this.#shown = text;
    this.#options.show(text);
  }

  close(): void {
    this.#show.close();
  }

  #lines(): readonly string[] {
    const running = [...this.#show.view.running.values()];
    return this.#options.input.jobs.map(({ role, task }, index) => {
      const number = index + 1;
      const line = `${number}. ${role}: ${oneLine(task, 60)}`;
      const mark = this.#marks.get(number);
      if (mark !== undefined) return `${mark} ${line}`;
      const agent = running.find(({ where }) => jobAt(where.scope) === number);
      if (agent === undefined) return `○ ${line}`;
      const doing = doingNow(this.#show.activity.get(agent.key));
      return `▸ ${line}${doing === undefined ? "" : ` — ${doing}`}`;
    });
  }
}

/** Lines that come and go are shown; what would stay in the chat is in the result of the call. */
function onlyShown(person: Person): Person {
  return {
    ...person,
    notify: () => undefined,
    widget: (id, lines) => (id === "workflow-activity" ? person.widget?.(id, lines) : undefined),
  };
}
