// Shows a run while it goes on: what happened as lines, what is happening as a status that moves at least every second,
// and for programs one JSON object per line. It folds what it is given and changes nothing.

import { suspendedEvent, toEvents, toolEvent, warningEvent } from "../../engine/views/events.ts";
import { duration, oneLine } from "../../engine/views/format.ts";
import { narrate } from "../../engine/views/narration.ts";
import { applyEntry, emptyView, type RunView } from "../../engine/views/run-view.ts";
import { actionLine, footer, formatToolAction } from "../../engine/views/status.ts";
import type { Sight } from "../../engine/world.ts";
import type { Entry } from "../../ports/journal.ts";
import type { Person } from "../../ports/person.ts";

export interface ShowOptions {
  /** What happened before this process, folded. */
  readonly view: RunView;
  readonly person: Person;
  /** Where JSON lines go; undefined when nobody asked for them. */
  readonly json: ((line: string) => void) | undefined;
}

/** How many actions of an agent stay visible. */
const activityLines = 6;

/** Folds a journal so far. */
export function viewOf(entries: readonly Entry[]): RunView {
  const view = emptyView();
  for (const entry of entries) applyEntry(view, entry);
  return view;
}

export class Show {
  readonly view: RunView;
  readonly #person: Person;
  readonly #json: ShowOptions["json"];
  readonly #activity: string[] = [];
  #action = "";
  #ticking: NodeJS.Timeout | undefined;

  constructor({ view, person, json }: ShowOptions) {
    this.view = view;
    this.#person = person;
    this.#json = json;
  }

  see(sight: Sight): void {
    if (sight.type === "entry") this.#entry(sight.entry);
    if (sight.type === "agent") this.#agent(sight);
    if (sight.type === "told") this.#person.notify(sight.text, "info");
    if (sight.type === "draining")
      this.#person.notify("Nothing new starts. What runs is let finish; Escape once more stops it.", "info");
  }

  suspended(why: string): void {
    this.#json?.(JSON.stringify(suspendedEvent(this.view, Date.now(), why)));
  }

  close(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#person.status("workflow", undefined);
    this.#person.widget("workflow-activity", undefined);
  }

  #entry(entry: Entry): void {
    applyEntry(this.view, entry);
    for (const event of toEvents(entry, this.view)) this.#json?.(JSON.stringify(event));
    const told = narrate(entry, this.view);
    if (told) this.#person.notify(told.text, told.level);
    if (entry.type === "begin" && entry.request.do === "dispatch") this.#began(entry.request.role, entry.request.name);
    if (entry.type === "settle" && this.view.running.size === 0) this.#rest();
  }

  #agent({ key, role, event }: Sight & { readonly type: "agent" }): void {
    if (event.type === "tool" && event.state === "start") {
      this.#action = actionLine(role, event.name, event.args);
      this.#activity.push(`  ${formatToolAction(event.name, event.args)}`);
      this.#activity.splice(0, this.#activity.length - activityLines);
    }
    if (event.type === "tool") this.#json?.(JSON.stringify(toolEvent(this.view, Date.now(), { key, role, ...event })));
    if (event.type === "silent")
      this.#warn(
        `${role} has given no sign for ${duration(event.forMs)}. It is stopped when that goes on; Escape stops it now.`,
      );
    if (event.type === "trouble") this.#warn(`${role}: ${oneLine(event.detail, 200)}`);
    this.#draw();
  }

  #warn(text: string): void {
    this.#person.notify(text, "warning");
    this.#json?.(JSON.stringify(warningEvent(this.view, Date.now(), text)));
  }

  #began(role: string, name: string): void {
    this.#activity.length = 0;
    this.#action = `⚡ ${role}: ${name.replaceAll("-", " ")}...`;
    this.#ticking ??= setInterval(() => this.#draw(), 1000).unref();
    this.#draw();
  }

  #rest(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#person.status("workflow", undefined);
    this.#person.widget("workflow-activity", undefined);
  }

  #draw(): void {
    const [agent] = this.view.running.values();
    if (agent === undefined) return;
    const elapsed = duration(Date.now() - agent.since);
    this.#person.status("workflow", `${footer(this.view)} · ${this.#action} ${elapsed}`);
    const who = `${agent.role} (${agent.model ?? "waiting for its model"})`;
    this.#person.widget("workflow-activity", [who, ...this.#activity]);
  }
}
