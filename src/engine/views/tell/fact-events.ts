// Which facts a program that follows the run is told, and how. The others are details of what it is told anyway.

import type { Fact } from "../../../core/flow/fact.ts";
import { type RunView, taskSpend } from "../fold/shape.ts";
import { countTasks } from "../fold/task-progress.ts";
import { budgetOf } from "../show/budget.ts";
import type { EventBody } from "./output-event.ts";

export function factEvents(fact: Fact, view: RunView): readonly EventBody[] {
  switch (fact.type) {
    case "triaged":
    case "part.started":
      return [fact];
    case "forecast":
      return [{ type: "forecast", ...fact.forecast, tasks: countTasks(view).left.length, budget: budgetOf(view) }];
    case "plan.reviewed": {
      const { role, cycle, verdict, findings } = fact;
      return [{ type: "review.finished", of: "plan", task: null, role, round: cycle, verdict, findings }];
    }
    case "review.finished": {
      const { task, role, round, verdict, findings } = fact;
      return [{ type: "review.finished", of: "task", task, role, round, verdict, findings }];
    }
    case "final.reviewed": {
      const { round, verdict, findings } = fact;
      return [{ type: "review.finished", of: "run", task: null, role: "final-reviewer", round, verdict, findings }];
    }
    case "task.settled": {
      const { task, status, commit, rounds } = fact;
      return [{ type: "task.settled", task, status, commit, rounds, costUsd: taskSpend(view, task).costUsd }];
    }
    case "warning":
      return [{ type: "warning", text: fact.text }];
    case "waiver":
      return [{ type: "warning", text: `waived (${fact.step}): ${fact.what}` }];
    default:
      return [];
  }
}
