import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundCommand } from "../../core/validation/found-command.ts";
import type { SettingChange } from "../../ports/settings.ts";
import { noGrant } from "../../ports/trust.ts";
import { trustQuestion } from "./trust-text.ts";

const check: FoundCommand = {
  key: "validationCommand",
  command: "npm run check",
  from: "package.json",
  definition: "node check.mjs",
};

/** What a repository with this check would do that sets it so. */
function saidOf(change: SettingChange, held: readonly FoundCommand[] = []): readonly string[] {
  const brought = { config: "{}", profiles: [], commands: [check], own: [], ignored: [], hash: "h" };
  const asked = { isChanged: false, held: { ...noGrant, commands: held }, where: "trust.json" };
  return trustQuestion(brought, [change], asked)
    .message.split("\n")
    .filter((line) => line.startsWith("  "));
}

const byNpm = "  It runs this command after each change: npm run check (package.json: node check.mjs)";

test("a command that a repository's settings name is said once, with what its files make of it", () => {
  const set = { path: "validationCommand", from: undefined, to: "npm run check" };
  assert.deepEqual(saidOf(set), [byNpm]);
  assert.deepEqual(saidOf({ ...set, from: "" }), [byNpm]);
});

test("what a repository's command takes the place of is said, and so is a setting whose command is trusted", () => {
  const set = { path: "validationCommand", from: "make", to: "npm run check" };
  const bySetting = "  It runs this command after each change: npm run check (now: make)";
  assert.deepEqual(saidOf(set), [bySetting, byNpm]);
  assert.deepEqual(saidOf({ ...set, from: undefined }, [check]), [bySetting.replace(" (now: make)", "")]);
});
