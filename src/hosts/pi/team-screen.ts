// What is seen of a team at work: pi's status line and the activity of its agents, and a line per job for whoever follows
// the call.

import { type Activity, applySign, doingNow } from "../../engine/views/activity.ts";
import { oneLine } from "../../engine/views/format.ts";
import { emptyView } from "../../engine/views/run-view.ts";
import type { Sight } from "../../engine/world.ts";
import { jobScope, type TeamInput } from "../../pipelines/team.ts";
import type { Person } from "../../ports/person.ts";
import { Show } from "../run/show.ts";
import { personAt, type Session } from "./host.ts";

export interface TeamScreenOptions {
  readonly session: Session;
  readonly input: TeamInput;
  readonly show: (text: string) => void;
  readonly columns: () => number;
}

export class TeamScreen {
  readonly #options: TeamScreenOptions;
  readonly #show: Show;
  readonly #activity: Activity = new Map();
  readonly #done = new Set<number>();
  #shown = "";

  constructor(options: TeamScreenOptions) {
    const { session, columns } = options;
    this.#options = options;
    this.#show = new Show({ view: emptyView(), person: onlyShown(personAt(session)), json: undefined, columns });
  }

  get spentUsd(): number {
    return this.#show.view.spend.total.costUsd;
  }

  see(sight: Sight): void {
    this.#show.see(sight);
    if (sight.type === "agent") applySign(this.#activity, sight);
    if (sight.type === "entry" && sight.entry.type === "leave") {
      const number = jobScope.exec(sight.entry.scope)?.[1];
      if (number !== undefined) this.#done.add(Number(number));
    }
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
      if (this.#done.has(number)) return `✓ ${line}`;
      const agent = running.find(({ where }) => where.scope.endsWith(`/job-${number}`));
      if (agent === undefined) return `○ ${line}`;
      const doing = doingNow(this.#activity.get(agent.key));
      return `▸ ${line}${doing === undefined ? "" : ` — ${doing}`}`;
    });
  }
}

/** Lines that come and go are shown; what would stay in the chat is in the result of the call. */
function onlyShown(person: Person): Person {
  return {
    ...person,
    notify: () => undefined,
    widget: (id, lines) => (id === "workflow-activity" ? person.widget(id, lines) : undefined),
  };
}
