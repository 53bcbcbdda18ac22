// Shows a live run: what happened as lines, what is happening as a status that moves at least every second,
// and for programs one JSON object per line. It folds what it is given and changes nothing.

import { duration } from "../../core/text/format.ts";
import type { LiveEvent } from "../../engine/drive/recorder.ts";
import { type Activity, applySign } from "../../engine/views/fold/activity.ts";
import { applyEntry } from "../../engine/views/fold/run-view.ts";
import type { RunView } from "../../engine/views/fold/shape.ts";
import { activityWidget, agentStatus } from "../../engine/views/show/activity-widget.ts";
import { progressWidget } from "../../engine/views/show/progress-widget.ts";
import { footer } from "../../engine/views/show/status.ts";
import { agentWarning } from "../../engine/views/tell/agent-warning.ts";
import { narrate } from "../../engine/views/tell/entries.ts";
import { suspendedEvent, toEvents, toolEvent, warningEvent } from "../../engine/views/tell/events.ts";
import type { EventDraft } from "../../engine/views/tell/output-event.ts";
import { workStatus } from "../../engine/views/tell/step-status.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Entry } from "../../ports/journal.ts";
import type { Person } from "../../ports/person.ts";

export interface ShowOptions {
  /** What happened before this process, folded. */
  readonly view: RunView;
  readonly person: Person;
  /** Where events go; undefined where nobody keeps them. */
  readonly event: ((event: EventDraft) => void) | undefined;
  /** How wide widgets may be. */
  readonly columns: () => number;
  readonly clock: Clock;
}

/** For how long an agent that has ended is still shown: where the next one follows at once, the screen would jump twice. */
const lingerMs = 400;
/** Without a reason of ours each abort would make an error that nobody reads. */
const over = "over";

export class Show {
  readonly view: RunView;
  readonly #person: Person;
  readonly #options: ShowOptions;
  readonly activity: Activity = new Map();
  #ticking: AbortController | undefined;
  /** Set while what is at work is shown, and has ended. */
  #leaving: AbortController | undefined;
  #isShown = false;

  constructor(options: ShowOptions) {
    this.view = options.view;
    this.#person = options.person;
    this.#options = options;
  }

  see(sight: LiveEvent): void {
    if (sight.type === "entry") this.#entry(sight.entry);
    if (sight.type === "agent") this.#agent(sight);
    if (sight.type === "told") this.#person.notify(sight.text, "info");
    if (sight.type === "draining")
      this.#person.notify("Pausing after the running agents. Press Escape again to stop them now.", "info");
  }

  suspended(why: string): void {
    this.#emit(suspendedEvent(this.view, this.#options.clock.now(), why));
  }

  close(): void {
    this.#rest();
    this.#clear();
    this.#person.status("workflow", undefined);
    this.#person.widget?.("workflow-progress", undefined);
  }

  #entry(entry: Entry): void {
    applyEntry(this.view, entry);
    for (const event of toEvents(entry, this.view)) this.#emit(event);
    const told = narrate(entry, this.view);
    if (told) this.#person.notify(told.text, told.level);
    if (entry.type === "settle") this.activity.delete(entry.key);
    if (entry.type !== "note" && entry.type !== "settle")
      this.#person.widget?.("workflow-progress", progressWidget(this.view, this.#options.columns()));
    this.#person.status("workflow", footer(this.view));
    if (entry.type === "end" || (entry.type === "begin" && entry.request.do === "ask")) this.#clear();
    this.#draw();
  }

  #agent(sign: LiveEvent & { readonly type: "agent" }): void {
    applySign(this.activity, sign, this.view);
    const { key, role, event } = sign;
    if (event.type === "tool") this.#emit(toolEvent(this.view, this.#options.clock.now(), { key, role, ...event }));
    const warning = agentWarning(this.activity, sign);
    if (warning !== undefined) {
      this.#person.notify(warning, "warning");
      this.#emit(warningEvent(this.view, this.#options.clock.now(), warning));
    }
    this.#draw();
  }

  #emit(event: EventDraft): void {
    this.#options.event?.(event);
  }

  /** What is running: agents, else a command or a wait. Redrawn every second, because it shows for how long. */
  #draw(): void {
    const now = this.#options.clock.now();
    const status = this.#agentNow(now) ?? this.#workNow(now);
    if (status === undefined) {
      this.#rest();
      if (this.#isShown && this.#leaving === undefined) void this.#leave();
      return;
    }
    this.#leaving?.abort(over);
    this.#leaving = undefined;
    this.#isShown = true;
    if (this.#ticking === undefined) void this.#tick();
    this.#person.status("workflow-action", status);
    this.#person.widget?.("workflow-activity", activityWidget(this.view, this.activity, this.#options.columns()));
  }

  async #tick(): Promise<void> {
    this.#ticking = new AbortController();
    const { signal } = this.#ticking;
    for (;;) {
      await this.#options.clock.sleep(1000, signal);
      if (signal.aborted) return;
      this.#draw();
    }
  }

  #agentNow(now: number): string | undefined {
    const agent = [...this.view.running.values()].at(-1);
    return agent && `${agentStatus(this.view, this.activity)} ${duration(now - agent.at)}`;
  }

  #workNow(now: number): string | undefined {
    return [...this.view.open.values()].flatMap((open) => workStatus(open, now) ?? [])[0];
  }

  #rest(): void {
    this.#ticking?.abort(over);
    this.#ticking = undefined;
  }

  async #leave(): Promise<void> {
    const leaving = new AbortController();
    this.#leaving = leaving;
    await this.#options.clock.sleep(lingerMs, leaving.signal);
    if (!leaving.signal.aborted) this.#clear();
  }

  #clear(): void {
    this.#leaving?.abort(over);
    this.#leaving = undefined;
    this.#isShown = false;
    this.#person.status("workflow-action", undefined);
    this.#person.widget?.("workflow-activity", undefined);
  }
}
