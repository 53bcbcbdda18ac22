import assert from "node:assert/strict";
import { test } from "node:test";
import { goalOf, headerProblems } from "./header.ts";

const rest = "**Architecture:** y\n**Tech Stack:** z\n\n### Task 1: it\n\nDo it.\n";

test("the header has a goal, an architecture and a stack, in any usual form", () => {
  for (const good of [
    "## Goal\nx\n\n## Architecture\ny\n\n## Tech Stack\nz",
    "- **Goal**: x\n- **Architecture**: y\n- **Tech stack**: z",
    "Goal: x\nArchitecture: y\nTech Stack: z",
  ]) {
    assert.deepEqual(headerProblems(good), [], good);
  }
  assert.deepEqual(headerProblems("# Plan for the goal: all of it\n\n**Architecture:** y"), [
    'the header of the plan has no "Goal".',
    'the header of the plan has no "Tech Stack".',
  ]);
  const late = "### Task 1: a\n\nGoal: x\nArchitecture: y\nTech Stack: z";
  assert.equal(headerProblems(late).length, 3, "that is no header");
});

for (const goal of [
  "**Goal:** x",
  "**Goal:** 429",
  "**Goal:** 好",
  "**Goal:**\nx",
  "**Goal:**\n\nx",
  "**Goal**\n- x",
  "## Goal\n\nx",
  "## Goal\n\n### Of this release\n\nx",
  "## Goal:\n\n```\nx -> y\n```",
  "**Goal:**\n\n**Goal:** x",
]) {
  test(`${JSON.stringify(goal)} says what the goal is`, () => {
    assert.deepEqual(headerProblems(`# Plan\n\n${goal}\n${rest}`), []);
  });
}

for (const goal of [
  "**Goal:**",
  "**Goal:** ",
  "**Goal:** …",
  "**Goal**",
  "- **Goal**:\n-",
  "## Goal",
  "## Goal\n\n## More\n\nx",
  "**Goal:**\n\n#### More\n\nx",
]) {
  test(`${JSON.stringify(goal)} says nothing`, () => {
    assert.deepEqual(headerProblems(`# Plan\n\n${goal}\n${rest}`), [
      '"Goal" in the header of the plan says nothing: write it on its line, or right below.',
    ]);
  });
}

test("the last part of the header ends where the tasks begin", () => {
  assert.deepEqual(headerProblems(`**Goal:** x\n${rest}`.replace("Stack:** z", "Stack:**")), [
    '"Tech Stack" in the header of the plan says nothing: write it on its line, or right below.',
  ]);
});

test("the goal is given as the header has it", () => {
  for (const [header, goal] of [
    ["**Goal:** limit each client", "limit each client"],
    ["**Goal**: limit *each* client", "limit *each* client"],
    ["Goal:\n\nlimit: each\nclient", "limit: each\nclient"],
    ["## Goal\n\nlimit\n\n### Why\n\nload", "limit\n\n### Why\n\nload"],
    ["**Goal:**\n\n**Goal:** x", "x"],
  ]) {
    assert.equal(goalOf(`# Plan\n\n${header}\n\n${rest}`), goal, header);
  }
  assert.equal(goalOf("# Plan\n\n### Task 1: it\n\nGoal: x"), "");
});
