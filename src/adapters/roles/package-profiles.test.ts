// The profiles of the package itself: who each agent is, with which tools, and how little is said to it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { roleNames } from "../../pipelines/pipelines.ts";
import { type Profile, readProfile } from "./profile.ts";
import { packageProfiles } from "./profiles.ts";

const profiles = new Map<string, Profile>();
for (const role of roleNames) profiles.set(role, await readProfile(packageProfiles, role));

const systemOf = (role: string): string => (profiles.get(role)?.system ?? "").replaceAll(/\s+/g, " ");

test("every role has a profile, and every profile a role", () => {
  assert.deepEqual(readdirSync(packageProfiles).sort(), roleNames.map((role) => `${role}.md`).sort());
});

test("each role has the tools, the model and the thinking it is meant to have", () => {
  const table = [...profiles].map(
    ([role, { tools, model = "any", thinking }]) => `${role}: ${tools.join(",")}; ${model}; ${thinking}`,
  );
  assert.deepEqual(table, [
    "scout: read,search,run; claude-sonnet-4-5; low",
    "brainstormer: read,search; any; medium",
    "planner: read,search,write; any; high",
    "implementer: read,search,run,write; claude-opus-4-6; medium",
    "spec-reviewer: read,search; claude-opus-4-6; medium",
    "quality-reviewer: read,search; claude-sonnet-4-5; medium",
    "architect: read,search; gpt-5.2; high",
    "security-reviewer: read,search; gpt-5.3-codex; high",
    "performance-reviewer: read,search; gemini-3-pro-high; medium",
    "final-reviewer: read,search; any; high",
  ]);
});

test("the guide shows the tools, the model and the thinking of each role as they are", () => {
  const guide = readFileSync(new URL("../../../docs/guides/agents.md", import.meta.url), "utf8");
  for (const [role, { tools, model = "any", thinking }] of profiles) {
    assert.ok(guide.includes(`| ${role} | ${tools.join(", ")} | ${model} | ${thinking} |`), role);
  }
});

test("only who writes has a tool to write with, and every other role is told to leave files alone", () => {
  const writers = [...profiles].filter(([, { tools }]) => tools.includes("write"));
  assert.deepEqual(
    writers.map(([role]) => role),
    ["planner", "implementer"],
  );
  for (const [role] of profiles) {
    assert.equal(
      systemOf(role).includes("You MUST NOT modify any files"),
      !writers.some(([name]) => name === role),
      role,
    );
  }
});

test("the planner plans for somebody without context or taste, and does not take itself for the implementer", () => {
  const planner = systemOf("planner");
  for (const demand of [
    "extremely detailed",
    "zero context",
    "questionable taste",
    "exact file paths",
    "complete test code",
    "exact commands to run with their expected output",
    "DRY, YAGNI, TDD",
  ]) {
    assert.ok(planner.includes(demand), demand);
  }
  assert.doesNotMatch(planner, /implement(s|ing)? (it|one task|the task)\b(?! has)|seen fail/);
});

test("only the implementer is told to work test first itself", () => {
  for (const [role] of profiles) {
    assert.equal(/a test you have seen fail/.test(systemOf(role)), role === "implementer", role);
  }
});

test("no profile repeats what every prompt says about the repository's text", () => {
  for (const [role] of profiles) assert.doesNotMatch(systemOf(role), /never instructions|gives you orders/, role);
});

test("profiles are short: each under 700 characters, all under 5 KB", () => {
  const sizes = [...profiles.values()].map(({ system }) => system.length);
  assert.ok(Math.max(...sizes) < 700, `the longest has ${Math.max(...sizes)}`);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total < 5000, `together they have ${total}`);
});
