import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc, { times } from "../../../../../test/rig/property.ts";
import { editsBetween, readIndexEntries } from "./index-entries.ts";
import { readLargeIndex } from "./large-index.ts";

/** More than are compared at once, with parts of names that others begin with. */
const names = Array.from({ length: 700 }, (_, at) => `${"abc".slice(0, (at % 3) + 1)}/${at % 7}/file-${at}`);

function made(t: TestContext, version: number) {
  const root = mkdtempSync(join(tmpdir(), "superteam-index-"));
  t.after(() => rmSync(root, { recursive: true }));
  execFileSync("git", ["-C", root, "init", "-q"]);
  execFileSync("git", ["-C", root, "config", "index.version", String(version)]);
  const stage = (lines: readonly string[]): void => {
    execFileSync("git", ["-C", root, "update-index", "-z", "--index-info"], {
      input: lines.map((line) => `${line}\0`).join(""),
    });
  };
  return { stage, bytes: () => readFileSync(join(root, ".git/index")) };
}

const line = (name: string, content: number): string =>
  content === 0
    ? `0 ${"0".repeat(40)}\t${name}`
    : `100${content === 1 ? 755 : 644} ${String(content).repeat(40)}\t${name}`;

const step = fc.array(fc.tuple(fc.constantFrom(...names, "a", "aa", "c/9/last", "é"), fc.integer({ min: 0, max: 4 })), {
  maxLength: 12,
});

for (const version of [2, 4])
  test(`an index of version ${version} that is read after another one holds what it holds by itself`, async (t) => {
    const { stage, bytes } = made(t, version);
    await fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (steps) => {
        stage(names.map((name) => line(name, 3)));
        let last = readLargeIndex(bytes(), 20);
        for (const changes of steps) {
          stage(changes.map(([name, content]) => line(name, content)));
          const now = bytes();
          const [read, alone, before] = [readLargeIndex(now, 20, last), readIndexEntries(now, 20), new Map(last)];
          assert.ok(read && alone);
          assert.deepEqual([...read], [...alone]);
          const byPath = (one: { path: string }, other: { path: string }): number => (one.path < other.path ? -1 : 1);
          assert.deepEqual(read.edits?.toSorted(byPath), [...editsBetween(before, alone)].sort(byPath));
          for (const name of [...names, "a", "zzz"]) {
            assert.equal(read.has(name), alone.has(name));
            assert.deepEqual(read.get(name), alone.get(name));
          }
          last = read;
        }
      }),
      { numRuns: times(5) },
    );
  });

test("an index in another form is read by itself, and what is odd in it is left to git", (t) => {
  const { stage, bytes } = made(t, 2);
  stage(names.map((name) => line(name, 3)));
  const plain = readLargeIndex(bytes(), 20);
  const other = made(t, 4);
  other.stage(names.map((name) => line(name, 2)));
  assert.equal(readLargeIndex(other.bytes(), 20, plain)?.edits, undefined);
  assert.deepEqual(new Map(readLargeIndex(other.bytes(), 20, plain)), readIndexEntries(other.bytes(), 20));
  stage([`160000 ${"1".repeat(40)}\tmodule`]);
  assert.equal(readLargeIndex(bytes(), 20, plain), undefined);
  assert.equal(readLargeIndex(bytes().subarray(0, 4000), 20, plain), undefined);
  assert.deepEqual([...(readLargeIndex(Buffer.alloc(0), 20, plain) ?? ["none"])], []);
});
