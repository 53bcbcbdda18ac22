// The mutation command: what it says of a change that tests notice, of one that they miss, and of one that never ends.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { sample, wilson } from "../scripts/mutate/sample.ts";

const counting = `import { strictEqual } from "node:assert";

/** Ends at once; negated, never for 0. */
export function countDown(from: number): string {
  let left = from;
  while (left > 0) left -= 1;
  return "done";
}

export function isLarge(value: number): boolean {
  return value >= 10;
}

export function unheardOf(): boolean {
  return true;
}

export function nameOf(value: number): "small" | "other" {
  return value < 10 ? "small" : "other";
}

export function check(value: number): void {
  if (value < 0) throw new Error("A message may say anything.");
  strictEqual(value, value);
}
`;

const tests = `import assert from "node:assert";
import { test } from "node:test";
import { check, countDown, isLarge, nameOf } from "./counting.ts";

test("counts down", () => assert.equal(countDown(0), "done"));
test("knows large numbers, but not where they begin", () => assert.deepEqual([isLarge(3), isLarge(30)], [false, true]));
test("checks", () => check(1));
test("names", () => assert.notEqual(nameOf(20), "small"));
`;

const ofCounting = { "src/sums/counting.ts": counting, "src/sums/counting.test.ts": tests };

function project(t: TestContext, files: Readonly<Record<string, string>> = ofCounting): string {
  const root = mkdtempSync(join(tmpdir(), "superteam-mutate-test-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const settings = { "package.json": "{}", "tsconfig.json": '{"include": ["src"]}' };
  for (const [path, text] of Object.entries({ ...files, ...settings })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function mutate(root: string, ...args: readonly string[]): { readonly status: number | null; readonly said: string } {
  const command = resolve("scripts/mutate/main.ts");
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { cwd: root, env: { ...env, TMPDIR: root }, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], options);
  return { status, said: stdout + stderr };
}

test("mutants that are killed, survive, never end, that only the compiler refuses, or that no test executes are told apart", (t) => {
  const root = project(t);
  const { status, said } = mutate(root, "src/sums");
  assert.equal(status, 0, said);
  const survivors = said.split("\n").filter((line) => /^(?:survived|unreached) /.test(line));
  assert.deepEqual(survivors.sort(), [
    "survived  src/sums/counting.ts:11  >=  ->  >",
    "survived  src/sums/counting.ts:19  <  ->  <=",
    "survived  src/sums/counting.ts:23  <  ->  <=",
    "survived  src/sums/counting.ts:24  strictEqual(value, value);  removed",
    "survived  src/sums/counting.ts:6  >  ->  >=",
    "unreached  src/sums/counting.ts:15  true  ->  false",
    "unreached  src/sums/counting.ts:6  -=  ->  +=",
  ]);
  assert.match(said, /src\/sums: .* killed \d+, timed out 1, refused 4, survived 5, unreached 2/);
  assert.equal(readFileSync(join(root, "src/sums/counting.ts"), "utf8"), counting);
});

test("a test that fails by itself stops the command: it would kill every mutant", (t) => {
  const root = project(t);
  writeFileSync(join(root, "src/sums/counting.test.ts"), `${tests}test("fails", () => assert.fail());\n`);
  const { status, said } = mutate(root, "src/sums", "--sample", "1");
  assert.equal(status, 1);
  assert.match(said, /counting\.test\.ts fails without any mutant/);
});

test("a folder without sources, and a sample that is no number, are refused", (t) => {
  const root = project(t);
  assert.match(mutate(root, "src/none").said, /No source to mutate in src\/none/);
  assert.match(mutate(root, "src/sums", "--sample", "few").said, /--sample needs a number from 1, and "few" is none/);
});

test("the same seed chooses the same mutants, another seed others, and none twice", () => {
  const all = Array.from({ length: 100 }, (_, index) => index);
  const first = sample(all, 20, 1);
  assert.deepEqual(sample(all, 20, 1), first);
  assert.notDeepEqual(sample(all, 20, 2), first);
  assert.equal(new Set(sample(all, 100, 3)).size, 100);
  assert.equal(sample(all, 300, 1).length, 100);
});

test("the interval of a score is Wilson's", () => {
  const rounded = (hits: number, of: number) => wilson(hits, of).map((share) => Number(share.toFixed(3)));
  assert.deepEqual(rounded(8, 10), [0.49, 0.943]);
  assert.deepEqual(rounded(10, 10), [0.722, 1]);
  assert.deepEqual(rounded(0, 0), [0, 1]);
});

const broken = `let isBroken = false;
export function isFine(value: number): boolean {
  if (value < 0) isBroken = true;
  return !isBroken;
}
`;
const ofBroken = `import assert from "node:assert";
import { test } from "node:test";
import { isFine } from "./broken.ts";
test("is fine", () => assert.ok(isFine(1)));
`;

test("a mutant that leaves its damage behind is killed, and tried no more than twice", { timeout: 120_000 }, (t) => {
  const root = project(t, { "src/sums/broken.ts": broken, "src/sums/broken.test.ts": ofBroken });
  const { status, said } = mutate(root, "src/sums");
  assert.equal(status, 0, said);
  assert.match(said, /^src\/sums: .* killed 4, .* survived 1, unreached 1$/m);
});
