// A plan as the person sees it before they approve it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Plan } from "../../core/plan/plan.ts";
import { type PlanPreview, previewLines } from "./preview.ts";

type Tasks = readonly Readonly<Record<string, unknown>>[];
const planned = (...tasks: Tasks) =>
  Plan.parse({
    tasks: tasks.map((task, index) => ({
      id: index + 1,
      title: `Part ${index + 1}`,
      description: "Do.",
      files: [`src/${index + 1}.ts`],
      ...task,
    })),
  }).tasks;
const required = (...ids: readonly string[]) => ids.map((id) => ({ id, text: `It does ${id}.` }));
const lines = (given: Partial<PlanPreview>) =>
  previewLines({
    tasks: planned({}),
    requirements: [],
    verdicts: [],
    isReviewed: true,
    remarks: { waivers: [], deferred: [] },
    costs: new Map(),
    forecast: ["The forecast."],
    ...given,
  });

test("the headline says which requirements no task covers, which reviewer objects, and how many remarks there are", () => {
  const tasks = planned({ covers: ["R1", "R2"] }, { covers: ["R2"] });
  const requirements = required("R1", "R2", "R3");
  const verdicts = [
    { role: "architect", verdict: "approved" as const },
    { role: "spec-reviewer", verdict: "needs_revision" as const },
  ];
  const remarks = { waivers: ["W"], deferred: ["D"] };
  const [headline] = lines({ tasks, requirements, verdicts, remarks });
  assert.equal(headline, "Plan has 2 tasks · not covered: R3 · architect ✓ spec-reviewer ✗ · 2 remarks");
  const [covered] = lines({ tasks, requirements: requirements.slice(0, 2), verdicts, isReviewed: false });
  assert.equal(covered, "Plan has 2 tasks · R1 to R2 all covered · changed since its review");
  assert.equal(lines({ tasks, requirements: requirements.slice(0, 1) })[0], "Plan has 2 tasks · R1 covered");
  assert.equal(lines({})[0], "Plan has 1 task");
});

test("each requirement is shown with the tasks that meet it, within 80 columns", () => {
  const tasks = planned({ covers: ["R1"] }, { covers: ["R1"] });
  const [first, second] = lines({
    tasks,
    requirements: [{ id: "R1", text: "x".repeat(200) }, ...required("R2")],
  }).slice(-4);
  assert.match(first ?? "", /^ {2}R1 {2}x+… {2}task 1, 2$/);
  assert.match(second ?? "", /^ {2}R2 {2}It does R2\. +no task$/);
  assert.deepEqual([first?.length, second?.length], [76, 76]);
});

test("a task shows its facts beside its title while there is room, and else below it", () => {
  const facts = { complexity: "hard", covers: ["R1"], dependsOn: [] };
  const costs = new Map([[1, 0.5]]);
  const shown = (title: string) => lines({ tasks: planned({ ...facts, title }), costs }).slice(2, 5);
  assert.deepEqual(shown("Short"), [`${"1. Short".padEnd(36)}  hard    R1        ~$0.50`, "     src/1.ts", ""]);
  assert.equal(shown("y".repeat(33))[0]?.length, 62, "a title that just fits");
  assert.deepEqual(shown("y".repeat(34)), [`1. ${"y".repeat(34)}`, "     hard  R1  ~$0.50", "     src/1.ts"]);
  const wide = { ...facts, covers: ["R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"] };
  assert.match(lines({ tasks: planned(wide), costs })[3] ?? "", /^ {5}hard {2}R1 R2 .* R8 {2}~\$0\.50$/);
});

test("five criteria of a task are shown, two where there are many tasks, and how many more there are", () => {
  const criteria = (count: number) => Array.from({ length: count }, (_, index) => `It does ${index + 1}.`);
  const shown = (tasks: number, count: number) =>
    lines({ tasks: planned(...Array.from({ length: tasks }, () => ({ criteria: criteria(count) }))) }).filter((line) =>
      /^ {5}(?:- |\()/.test(line),
    );
  assert.deepEqual(
    shown(1, 5),
    criteria(5).map((text) => `     - ${text}`),
  );
  assert.equal(shown(1, 7).at(-1), "     (2 more criteria)");
  assert.equal(shown(6, 6).filter((line) => line.includes("(1 more")).length, 6);
  assert.deepEqual(shown(7, 3).slice(0, 3), ["     - It does 1.", "     - It does 2.", "     (1 more criteria)"]);
});

test("remarks and the forecast come last, and nothing is headed that is not there", () => {
  const remarks = { waivers: ["Let\nthrough."], deferred: ["Put off."] };
  assert.deepEqual(lines({ remarks }).slice(-6), [
    "",
    "Remarks of the reviewers:",
    "- Let through.",
    "- Put off.",
    "",
    "The forecast.",
  ]);
  assert.deepEqual(lines({}).slice(3), ["     src/1.ts", "", "The forecast."]);
});
