import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Pen, untilTask2 } from "../../../test/rig/sample-journal.ts";
import { until } from "../../../test/rig/until.ts";
import { systemClock } from "../../adapters/process/clock.ts";
import type { LiveEvent } from "../../engine/drive/recorder.ts";
import { viewOf } from "../../engine/views/fold/run-view.ts";
import type { EventDraft } from "../../engine/views/tell/output-event.ts";
import type { AgentEvent } from "../../ports/agents.ts";
import type { Person } from "../../ports/person.ts";
import { Show } from "./show.ts";

/** Somebody who only looks: what is on their screen now, and what they were told. */
function onlooker() {
  const slots = new Map<string, string>();
  const widgets = new Map<string, readonly string[]>();
  const told: string[] = [];
  const put = <T>(things: Map<string, T>, name: string, thing: T | undefined): void => {
    if (thing === undefined) things.delete(name);
    else things.set(name, thing);
  };
  const person: Person = {
    ask: () => Promise.resolve(undefined),
    notify: (message, level) => told.push(`${level}: ${message}`),
    status: (slot, text) => put(slots, slot, text),
    widget: (id, lines) => put(widgets, id, lines),
  };
  return { person, slots, widgets, told };
}

const key = "execute/task-2/dispatch:spec-review#2";
const agent = (event: AgentEvent): LiveEvent => ({ type: "agent", key, role: "spec-reviewer", event });

/** A run that is shown from its first entry to a reviewer at work. `isNow` has that happen right now. */
function shown(isNow = false) {
  const seen = onlooker();
  const events: EventDraft[] = [];
  const show = new Show({
    view: viewOf([]),
    person: seen.person,
    event: (event) => events.push(event),
    columns: () => 76,
    clock: systemClock,
  });
  const pen = untilTask2().dispatchBegins(key, "spec-reviewer", 2);
  const since = isNow ? Date.now() - (pen.entries.at(-1)?.at ?? 0) : 0;
  for (const entry of pen.entries) show.see({ type: "entry", entry: { ...entry, at: entry.at + since } });
  const goOn = (): void => {
    for (const entry of pen.entries.slice(show.view.seq)) show.see({ type: "entry", entry });
  };
  return { ...seen, show, pen, goOn, events };
}

test("where nothing is drawn over, nothing is laid out", () => {
  const { widget: _, ...person } = onlooker().person;
  const columns = (): number => assert.fail("nobody sees how wide it is");
  const show = new Show({ view: viewOf([]), person, event: undefined, columns, clock: systemClock });
  for (const entry of untilTask2().dispatchBegins(key, "spec-reviewer", 2).entries) show.see({ type: "entry", entry });
  show.see(agent({ type: "tool", state: "start", name: "read", does: "read", path: "src/a.ts", failed: false }));
  show.close();
});

test("U9: what an agent uses is an event, and so is why a run is suspended", () => {
  const { show, events } = shown();
  const before = events.length;
  show.see(agent({ type: "tool", state: "start", name: "read", does: "read", path: "src/a.ts", failed: false }));
  show.suspended("stopped");
  show.close();
  const told = events.slice(before).map((event) => [event.type, "action" in event ? event.action : ""]);
  assert.deepEqual(told, [
    ["tool", "reading src/a.ts"],
    ["run.suspended", ""],
  ]);
});

test("while an agent works its box, the bar and both status lines are there, and go when it is over", async () => {
  const { show, slots, widgets, pen, goOn } = shown();
  show.see(agent({ type: "tool", state: "start", name: "read", does: "read", path: "src/a.ts", failed: false }));
  assert.equal(slots.get("workflow"), "⚡ Workflow: execute (task 2/3 — reviewing) | $1.70");
  assert.match(slots.get("workflow-action") ?? "", /^⚡ spec-reviewer: reading src\/a\.ts\.\.\. \d/);
  assert.match(widgets.get("workflow-activity")?.[0] ?? "", /^┌─ ⚡ Task 2\/3: spec review ─+┐$/);
  assert.match(widgets.get("workflow-activity")?.[2] ?? "", /└ read src\/a\.ts/);
  assert.match(widgets.get("workflow-progress")?.[1] ?? "", /■{10}□{10} 53% {2}\(task 2\/3\)/);
  pen.settle(key, null);
  goOn();
  await until(() => !widgets.has("workflow-activity"));
  assert.deepEqual([...slots.keys()], ["workflow"]);
  assert.deepEqual([...widgets.keys()], ["workflow-progress"]);
  show.close();
  assert.deepEqual([slots.size, widgets.size], [0, 0]);
});

test("U12: the box stays where the next agent follows at once, and goes before a question", () => {
  const { show, slots, widgets, pen, goOn } = shown();
  const title = (): string => /Task 2\/3: \w+ \w+/.exec(widgets.get("workflow-activity")?.[0] ?? "")?.[0] ?? "none";
  pen.settle(key, null);
  goOn();
  assert.equal(title(), "Task 2/3: spec review");
  const next = "execute/task-2/dispatch:quality-review#1";
  pen.dispatchBegins(next, "quality-reviewer", 2);
  goOn();
  assert.equal(title(), "Task 2/3: quality review");
  pen.settle(next, null);
  const question = { id: "x", title: "t", message: "m", kind: "confirm" } as const;
  pen.begin("execute/task-2/ask:x#1", { do: "ask", question });
  goOn();
  assert.deepEqual([title(), slots.get("workflow-action")], ["none", undefined]);
  show.close();
});

test("an agent that only thinks is seen to be at work: its time goes on every second, until it is over", async () => {
  const { show, slots, pen, goOn } = shown(true);
  const time = (): string => / (\d+s)$/.exec(slots.get("workflow-action") ?? "")?.[1] ?? "";
  const seen = new Set<string>();
  // Nothing is heard of the agent meanwhile: only the clock goes on.
  for (let look = 0; look < 100 && seen.size < 3; look++) {
    seen.add(time());
    await setTimeout(100);
  }
  assert.ok(seen.size >= 3 && !seen.has(""), [...seen].join());
  pen.settle(key, null);
  goOn();
  await setTimeout(1100);
  assert.equal(time(), "");
  show.close();
});

test("the cost on the screen grows with each turn of a running agent", () => {
  const { show, slots, pen, goOn } = shown();
  pen.usage(key, 0.25);
  goOn();
  assert.equal(slots.get("workflow"), "⚡ Workflow: execute (task 2/3 — reviewing) | $1.95");
  show.close();
});

test("the status follows every fact", () => {
  const { show, slots, pen, goOn } = shown();
  pen.settle(key, null);
  for (const status of ["fixing", "reviewing", "escalated", "implementing"] as const) {
    pen.fact("execute/task-2", { type: "task.status", task: "2", status, round: 1 });
    goOn();
    assert.equal(slots.get("workflow"), `⚡ Workflow: execute (task 2/3 — ${status}) | $1.70`);
  }
  show.close();
});

test("an agent that fails again and again is warned of on the screen and in the events", () => {
  const { show, told, events } = shown();
  for (let n = 0; n < 3; n++) {
    show.see(agent({ type: "tool", state: "end", name: "bash", does: "run", command: "make", failed: true }));
  }
  const warnings = events.filter((event) => event.type === "warning");
  assert.match(told.at(-1) ?? "", /^warning: spec-reviewer may be in trouble: its last three tool calls failed/);
  assert.match(warnings.at(-1)?.text ?? "", /may be in trouble/);
  show.close();
});

test("a check that runs is shown with its command and how long it takes", () => {
  const seen = onlooker();
  const show = new Show({
    view: viewOf([]),
    person: seen.person,
    event: undefined,
    columns: () => 76,
    clock: systemClock,
  });
  const pen = new Pen().run("g").begin("check:validation#1", { do: "check", name: "validation", command: "make" });
  for (const entry of pen.entries) show.see({ type: "entry", entry });
  assert.match(seen.slots.get("workflow-action") ?? "", /^⚡ Running validation: make\.\.\. \d/);
  assert.equal(seen.widgets.size, 0);
  show.close();
});

test("the end is a status and a line, and the bar goes with it", () => {
  const { show, slots, widgets, told, pen, goOn } = shown();
  pen.settle(key, null).add({ type: "end", ending: { how: "finished", value: null } });
  goOn();
  assert.equal(slots.get("workflow"), "⚡ Complete! 1/3 tasks. $1.70 total.");
  assert.equal(told.at(-1), "info: ⚡ Complete! 1/3 tasks. $1.70 total.");
  assert.equal(widgets.size, 0);
  show.close();
});
