// The process of a dispatch boots while the tree is saved, and the process that is likely to be needed next is started ahead.

import assert from "node:assert/strict";
import { test } from "node:test";
import { agent, stage } from "../../../test/rig/spending.ts";
import { newJournal } from "../../../test/rig/world.ts";
import type { Flow } from "../../core/flow/flow.ts";
import type { AgentEvent, AgentOrder } from "../../ports/agents.ts";
import { run } from "./run.ts";

/** One scout, and the course of events: what it does, and which role is prepared when. */
async function watchScout(
  next: Readonly<Record<string, string>>,
  resolve: (role: string) => object,
  instructions: Readonly<Record<string, string>> = {},
) {
  const one = stage(await newJournal(), {});
  const course: string[] = [];
  async function* works(): AsyncGenerator<AgentEvent> {
    yield { type: "spawned", process: { pid: 1, birth: "then", tag: "t", backend: "pi" } };
    course.push("starts");
    yield { type: "started", model: "some/model" };
    course.push("ends");
    yield { type: "finished", text: "done", model: "some/model" };
  }
  const prepare = ({ system, prompt }: AgentOrder): number => course.push(`prepared: ${system}${prompt}`);
  const orders: AgentOrder[] = [];
  const dispatch = (order: AgentOrder) => {
    orders.push(order);
    return works();
  };
  const snapshot = one.repo.snapshot;
  const saving = (name: string) => {
    course.push("saved");
    return snapshot(name);
  };
  Object.assign(one.repo, { snapshot: saving });
  Object.assign(one.world.agents, { dispatch, prepare });
  Object.assign(one.world, {
    roles: { resolve: async (role: string) => ({ capabilities: [], model: null, context: "", ...resolve(role) }) },
    next: (role: string) => next[role],
  });
  let answer = "";
  const start = function* (): Flow<void> {
    answer = (yield* agent("a")).status;
  };
  await run(one.world, { start, flows: {}, instructions }, one.halt);
  return { course, answer, sights: one.sights, orders };
}

test("the process of a dispatch boots while the tree is saved, without anything to do yet", async () => {
  const { course } = await watchScout({}, (role) => ({ system: `You are the ${role}.` }));
  assert.deepEqual(course, ["prepared: You are the scout.", "saved", "starts", "ends"]);
});

test("the next role's process is prepared while an agent works, without anything to do yet", async () => {
  const { course } = await watchScout({ scout: "planner" }, (role) => ({ system: `You are the ${role}.` }));
  assert.deepEqual(course.slice(2), ["starts", "prepared: You are the planner.", "ends"]);
});

test("so is the one after it, and no more; a role that follows itself is prepared once", async () => {
  const resolve = (role: string) => ({ system: role });
  const roles = { scout: "planner", planner: "implementer", implementer: "reviewer" };
  const { course } = await watchScout(roles, resolve);
  assert.deepEqual(course.slice(2), ["starts", "prepared: planner", "prepared: implementer", "ends"]);
  const { course: twice } = await watchScout({ scout: "planner", planner: "planner" }, resolve);
  assert.deepEqual(twice.slice(2), ["starts", "prepared: planner", "ends"]);
});

test("A12: what a pipeline fixes for a role follows its profile, also in a spare, and the line that names a dispatch is last", async () => {
  const fixed = { scout: "Look around.", planner: "Plan." };
  const { course, orders } = await watchScout(
    { scout: "planner" },
    (role) => ({ system: `You are the ${role}.` }),
    fixed,
  );
  const own = ["prepared: You are the scout.\n\nLook around.", "saved"];
  assert.deepEqual(course, [...own, "starts", "prepared: You are the planner.\n\nPlan.", "ends"]);
  assert.equal(orders[0]?.system, "You are the scout.\n\nLook around.");
  assert.match(orders[0]?.prompt ?? "", /^[^[]+\n\n\[superteam\] run=\S+ role=scout step=\S+ attempt=1$/);
});

test("nothing more is prepared when no role is named as the next", async () => {
  const { course } = await watchScout({}, () => ({ system: "" }));
  assert.deepEqual(course.slice(2), ["starts", "ends"]);
});

test("a failure to prepare the next agent is reported, and the current one still finishes", async () => {
  const { course, answer, sights } = await watchScout({ scout: "planner" }, (role) => {
    if (role === "planner") throw new Error("its profile is broken");
    return { system: "" };
  });
  assert.deepEqual([course.slice(2), answer], [["starts", "ends"], "finished"]);
  const told = sights.flatMap((sight) => (sight.type === "told" ? [sight.text] : []));
  assert.deepEqual(told, ["The next agent could not be started ahead: its profile is broken"]);
});
