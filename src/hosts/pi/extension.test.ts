import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { mayHaveRun } from "./extension.ts";

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

test("what pi is told to load is JavaScript, which its loader leaves to the runtime, and brings along the extension alone", () => {
  const { pi, type } = JSON.parse(readFileSync(join(folder, "../../../package.json"), "utf8"));
  assert.deepEqual([pi.extensions, type], [["./src/hosts/pi/entry.js"], "module"]);
  assert.deepEqual([...loadedBy(join(folder, "entry.js"))], [join(folder, "entry.js")]);
  const named = readFileSync(join(folder, "entry.js"), "utf8").matchAll(/"(\.[^"]+)"/g);
  assert.deepEqual(
    [...named].map(([, file]) => file),
    ["../../../dist/hosts/pi/extension.js", "./extension.ts"],
  );
});

test("what is said when a session starts brings along a little more", () => {
  const loaded = [...loadedBy(join(folder, "chat/greeting.ts"))].filter((file) => !file.startsWith("node:"));
  assert.ok(
    loaded.every((file) => file.startsWith("/")),
    "no package",
  );
  assert.ok(loaded.length <= 5, loaded.join(", "));
});

test("a run is looked for where one is active, below that folder, and in a linked worktree; not in any other tree", (t) => {
  const root = mkdtempSync(join(tmpdir(), "superteam-extension-"));
  t.after(() => rmSync(root, { recursive: true }));
  const below = join(root, "src/deep");
  mkdirSync(below, { recursive: true });
  assert.deepEqual([root, below].map(mayHaveRun), [false, false], "no tree");
  mkdirSync(join(root, ".git/superteam"), { recursive: true });
  assert.equal(mayHaveRun(root), true, "no tree by itself, and perhaps a part of one");
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  assert.deepEqual([root, below].map(mayHaveRun), [false, false], "no run");
  writeFileSync(join(root, ".git/superteam/active"), "20261115-093000-ab12\n");
  assert.deepEqual([root, below].map(mayHaveRun), [true, true], "a run");
  rmSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".git"), "gitdir: /elsewhere/.git/worktrees/one\n");
  assert.deepEqual([root, below].map(mayHaveRun), [true, true], "a linked worktree");
});
