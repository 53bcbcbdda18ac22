// A small dashboard: reads the events of a run and prints its tasks as they move.
// Run it: superteam log --json --follow | node examples/06-follow-a-run.ts

import { createInterface } from "node:readline";
import { RunEvent } from "../src/index.ts";

const tasks = new Map<string, { readonly title: string; status: string }>();

for await (const line of createInterface({ input: process.stdin })) {
  const read = RunEvent.safeParse(JSON.parse(line));
  // A newer superteam may have events that this program does not know.
  if (!read.success) continue;
  const event = read.data;
  if (event.type === "run.started") console.log(event.resumed ? "continues" : event.goal);
  if (event.type === "plan.written")
    for (const { id, title } of event.tasks) tasks.set(id, { title, status: "planned" });
  if (event.type === "task.started") move(event.task, "at work");
  if (event.type === "task.settled") move(event.task, `${event.status}, $${event.costUsd.toFixed(2)}`);
  if (event.type === "question.asked") console.log(`? ${event.question.title}`);
  if (event.type === "run.finished") console.log(`${event.how}: $${event.costUsd.toFixed(2)}`);
}

function move(id: string, status: string): void {
  const task = tasks.get(id);
  if (!task) return;
  task.status = status;
  console.log(`${id}. ${task.title}: ${task.status}`);
}
