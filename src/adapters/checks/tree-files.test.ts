import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { treeFiles } from "./tree-files.ts";

test("texts are read at the top and below, names are in order, and what is not there is nothing", (t) => {
  const files = treeFiles(treeWith(t, { "package.json": "{}", "packages/a/package.json": "a", "packages/b.txt": "" }));
  assert.deepEqual(
    ["package.json", "packages/a/package.json", "packages/b.txt"].map(files.text),
    ["{}", "a", ""],
    "there",
  );
  assert.deepEqual(
    ["Cargo.toml", "packages", "packages/a/b/package.json", "packages/b.txt/package.json"].map(files.text),
    [undefined, undefined, undefined, undefined],
    "not there, or no file",
  );
  assert.deepEqual(["", "packages", "packages/b.txt", "tests"].map(files.names), [
    ["package.json", "packages"],
    ["a", "b.txt"],
    [],
    [],
  ]);
});

test("a tree is read once, and by whoever asks anew as it is then", (t) => {
  const root = treeWith(t, { "a.txt": "before" });
  const files = treeFiles(root);
  assert.equal(files.text("a.txt"), "before");
  writeFileSync(join(root, "a.txt"), "after");
  assert.deepEqual([files.text("a.txt"), treeFiles(root).text("a.txt")], ["before", "after"]);
});

function treeWith(t: TestContext, texts: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "superteam-tree-files-"));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
