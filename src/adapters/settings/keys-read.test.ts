import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Config } from "../../core/run/config.ts";
import { leavesOf } from "./schema-keys.ts";

const root = join(import.meta.dirname, "../..");
const declarations = ["config.ts", "failure-action.ts"].map((file) => join("core", "run", file));
const code = globSync("**/*.ts", { cwd: root })
  .filter((file) => !file.endsWith(".test.ts") && !declarations.includes(file))
  .map((file) => readFileSync(join(root, file), "utf8").replace(/\/\/.*$|\/\*[\s\S]*?\*\//gm, ""))
  .join("\n");

/** What the code calls the object a key is taken from: the whole configuration, or one role's part of it. */
const holders: Readonly<Record<string, string>> = { "": "(?:config(?:\\(\\)\\))?|settings)", "agents.*": "own" };

function isRead(leaf: string): boolean {
  const cut = leaf.lastIndexOf(".");
  const [parent, key] = [leaf.slice(0, Math.max(0, cut)), leaf.slice(cut + 1)];
  const holder = holders[parent] ?? parent.split(".").at(-1);
  // Who meets such a failure names its type.
  if (parent === "failureActions") return code.includes(`"${key}"`);
  if (key === "*") return new RegExp(`\\b${holder}\\??\\[`).test(code);
  const named = new RegExp(`\\b${holder}\\??\\.${key}\\b`);
  const unpacked = new RegExp(`\\{[^{}]*\\b${key}\\b[^{}]*\\} = (?:yield\\* |\\w+\\.)?${holder}\\b`);
  return named.test(code) || unpacked.test(code);
}

test("a key that no code reads is found out", () => {
  assert.equal(isRead("review.noSuchKey"), false);
  assert.equal(isRead("noSuchKey"), false);
});

for (const leaf of leavesOf(Config)) {
  test(`the configuration key ${leaf} is read by some code`, () => {
    assert.ok(isRead(leaf), `${leaf} is in the schema, but nothing reads it`);
  });
}
