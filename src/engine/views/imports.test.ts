import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const views = globSync(join(import.meta.dirname, "**/*.ts")).filter((file) => !file.endsWith(".test.ts"));

/** What Node loads for a file: its value imports, over all files it leads to. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, names = "", target = ""] of readFileSync(file, "utf8").matchAll(importing)) {
    if (isTypeOnly(names)) continue;
    if (target.startsWith(".")) loaded(join(dirname(file), target), seen);
    else seen.add(target);
  }
  return seen;
}

const importing = /^(?:import|export)\s+([^;"]*?)\s*from\s+"([^"]+)";/gm;

function isTypeOnly(names: string): boolean {
  if (names.startsWith("type ")) return true;
  const listed = /^\{(.*)\}$/s.exec(names)?.[1]?.split(",") ?? [""];
  return listed.every((name) => (name.trim() === "" ? listed.length > 1 : name.trim().startsWith("type ")));
}

function packagesOf(files: readonly string[]): readonly string[] {
  const targets = files.flatMap((file) => [...loaded(file)]);
  return [...new Set(targets.filter((target) => !target.startsWith("/") && !target.startsWith("node:")))];
}

test("the views load no package but the one that measures columns, for boxes and tables", () => {
  assert.ok(views.length > 10);
  assert.ok(loaded(join(import.meta.dirname, "../../core/run/config.ts")).has("zod"), "the walk must find a package");
  assert.deepEqual(packagesOf(views), ["fast-string-width"]);
});

test("`superteam status` loads no package at all, so that it starts fast", () => {
  assert.deepEqual(packagesOf([join(import.meta.dirname, "../../hosts/cli/commands/status.ts")]), []);
});

test("the views are pure: no promises, no clock, no randomness", () => {
  for (const file of views) {
    const code = readFileSync(file, "utf8").replace(/\/\/.*$/gm, "");
    assert.doesNotMatch(code, /\basync\b|\bawait\b|"node:|Date\.now|new Date\(\)|Math\.random|process\./, file);
  }
});
