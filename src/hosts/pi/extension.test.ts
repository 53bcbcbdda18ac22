import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

const folder = import.meta.dirname;

/** What a file brings along when it is loaded, itself included; imports of types alone are gone by then. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.startsWith("/")) return seen;
  for (const [, what = ""] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gm,
  ))
    loadedBy(what.startsWith(".") ? join(dirname(file), what) : what, seen);
  return seen;
}

test("what pi loads at its start is a few small files and no package", () => {
  const loaded = [...loadedBy(join(folder, "extension.ts"))].map((file) =>
    file.startsWith("/") ? relative(folder, file) : file,
  );
  assert.deepEqual(loaded.filter((file) => !file.startsWith("node:")).toSorted(), [
    "extension.ts",
    "kept.ts",
    "load.ts",
    "tools/tools.ts",
  ]);
});

test("what is said when a session starts brings along a little more, unless there is something to say", () => {
  const loaded = [...loadedBy(join(folder, "chat/greeting.ts"))].filter((file) => !file.startsWith("node:"));
  assert.ok(
    loaded.every((file) => file.startsWith("/")),
    "no package",
  );
  assert.ok(loaded.length <= 5, loaded.join(", "));
});
