// What keeps the program easy to find your way in: no cycle of imports, one home for each type, folders that are read at
// a glance, and nothing that depends on a text where a type would do.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { codeOf, importsOf, sources } from "./rig/sources.ts";

const mostFiles = 14;

test("no files import each other in a circle, types and dynamic imports included", () => {
  const targets = new Map(sources.map((file) => [file, importsOf(file)]));
  const reached = new Map(sources.map((file) => [file, reachableFrom(file, targets)]));
  const circles = sources.flatMap((file) => {
    const circle = [...(reached.get(file) ?? [])].filter((other) => reached.get(other)?.has(file));
    return circle.length === 0 ? [] : [circle.toSorted().join(" ")];
  });
  assert.deepEqual([...new Set(circles)].toSorted(), []);
});

/** The file itself is among them only when it is in a circle. */
function reachableFrom(file: string, targets: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of targets.get(next) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}

test("a type's name is exported by one file", () => {
  const homes = new Map<string, string[]>();
  for (const file of sources) {
    const exported = codeOf(file).matchAll(/^export\s+(?:abstract\s+)?(?:interface|type|class)\s+(\w+)/gm);
    for (const [, name = ""] of exported) homes.set(name, [...(homes.get(name) ?? []), file]);
  }
  assert.ok(homes.size > 100);
  assert.deepEqual(
    [...homes].filter(([, files]) => new Set(files).size > 1),
    [],
  );
});

test("there is nothing among the sources that nobody would look for there", () => {
  const files = globSync("{src,test,scripts,bench,examples}/**/*", { withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const ended = /\.(?:ts|mjs|js|md|json|jsonl|txt|svg)$/;
  assert.deepEqual(
    files.map(({ name }) => name).filter((name) => !ended.test(name)),
    [],
  );
});

test(`no folder has more than ${mostFiles} source files`, () => {
  const folders = Map.groupBy(sources, (file) => dirname(file));
  assert.deepEqual(
    [...folders].filter(([, files]) => files.length > mostFiles).map(([folder, files]) => `${folder} ${files.length}`),
    [],
  );
});

test("keys of the journal are built and parsed in one module", () => {
  const marks = /#\$\{|@\$\{|#\\d|@\\d|~ask|~record|\bkey\.(?:split|startsWith|endsWith|includes|replace(?:All)?)\(/;
  const journaled = /^src\/(?:engine|runs|hosts|phases|pipelines|ports|adapters\/(?:journal|store))\//;
  const byHand = sources.filter((file) => journaled.test(file) && marks.test(codeOf(file)));
  assert.deepEqual(byHand, []);
  assert.match(codeOf("src/core/flow/keys.ts"), marks);
});

test("no error is recognised by its name", () => {
  const named = sources.filter((file) => /\berror\.name\b|\bcause\.name\b|\.constructor\.name\b/.test(codeOf(file)));
  assert.deepEqual(named, []);
});

test("entries get into a journal in one place, and are shown from there", () => {
  const writers = sources.filter(
    (file) => file !== "src/engine/drive/recorder.ts" && /\bjournal\.append\(/.test(codeOf(file)),
  );
  assert.deepEqual(writers, []);
});

test("keys of the journal are built and parsed in one module", () => {
  // What only keys have: an aside's mark, an epoch, an occurrence, and a request's kind before its name.
  const grammar = /~(?:ask|record)\b|@\\d|#\$\{|\/(?:dispatch|ask|check|commit|snapshot|publish|record):|#0~/;
  const others = sources.filter((file) => file !== "src/core/flow/keys.ts" && !file.startsWith("src/demo/"));
  assert.deepEqual(
    others.filter((file) => grammar.test(codeOf(file))),
    [],
  );
});

test("property tests take fast-check from the rig, which fixes the seed", () => {
  const imported = /^import .* "fast-check"/m;
  const files = globSync("{src,test}/**/*.ts").filter((file) => imported.test(readFileSync(file, "utf8")));
  assert.deepEqual(files, ["test/rig/property.ts"]);
});

test("no test waits without a limit: loops that pause are in the rig", () => {
  const loop =
    /(?:while \(.*\)|for \(;;\)) (?:\{\n\s*)?await (?:new Promise|\w*(?:pause|passes|delay|turnOfTheLoop)\w*\()/i;
  const files = globSync(["src/**/*.test.ts", "test/**/*.ts"]).filter((file) => loop.test(readFileSync(file, "utf8")));
  assert.deepEqual(files, []);
});
