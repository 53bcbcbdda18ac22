import assert from "node:assert/strict";
import { test } from "node:test";
import { teamTool } from "../../hosts/pi/tools/tools.ts";
import { roleNames } from "../../pipelines/pipelines.ts";
import { mostJobs } from "../../pipelines/team.ts";
import { teamOrder } from "./order.ts";

const scout = { role: "scout", task: "Look at\nthe parser." };
const refusal = (given: unknown): string => {
  try {
    teamOrder(given);
  } catch (error) {
    assert.ok(error instanceof Error);
    assert.equal(error.name, "Problem", error.stack);
    return error.message;
  }
  return assert.fail("it was not refused");
};

test("each way of giving work becomes an input, with a goal that tells it from others", () => {
  const one = teamOrder(scout);
  assert.deepEqual(one, { goal: "team: scout: Look at", how: "one", jobs: [scout], atOnce: 4 });
  const parallel = teamOrder({ parallel: [scout, scout], atOnce: 2 });
  assert.deepEqual([parallel.how, parallel.goal, parallel.atOnce], ["parallel", "team, parallel: scout, scout", 2]);
  const chain = teamOrder({ chain: [scout, { role: "implementer", task: "Do it." }] });
  assert.deepEqual([chain.how, chain.goal], ["chain", "team, chain: scout → implementer"]);
});

test("what is no order is refused with what to do instead", () => {
  assert.match(refusal({}), /^Give exactly one of: role and task; parallel; chain\. Nothing was started\.$/);
  assert.match(refusal({ ...scout, parallel: [scout] }), /exactly one/);
  assert.match(refusal({ role: "scout" }), /The scout has no task/);
  assert.match(refusal({ role: "../scout", task: "x" }), /There is no role "\.\.\/scout"\. Readers: scout, /);
  assert.match(refusal({ chain: Array.from({ length: mostJobs + 1 }, () => scout) }), /9 jobs are too many: at most 8/);
  assert.match(refusal({ parallel: [scout], atOnce: 5 }), /atOnce is .* a whole number from 1 to 4\./);
  assert.match(refusal({ parallel: [scout, { role: "planner", task: "x" }] }), /Give the planner a call of its own/);
  assert.match(refusal({ parallel: "scout" }), /expected object/);
});

test("the tool's description names every role there is", () => {
  for (const role of roleNames) assert.ok(new RegExp(`\\b${role}\\b`).test(teamTool.description), role);
});
