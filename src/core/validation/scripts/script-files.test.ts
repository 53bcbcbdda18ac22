// Which files a command runs from, by what its definition says, and what a change of them is.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { filesOf } from "../../../../test/rig/tree-files.ts";
import { namesIn, programsIn, scriptChanges } from "./script-files.ts";

const changed = (text: string, ...paths: readonly string[]): readonly string[] => {
  const now = [{ command: "c", names: namesIn(text), programs: {} }];
  return scriptChanges({ before: now, now, paths }).flatMap((one) => one.changed);
};

describe("a file that a command line names by its path", () => {
  const cases: readonly (readonly [line: string, path: string])[] = [
    ["./test.sh", "test.sh"],
    ["sh -e test", "test"],
    ["node scripts/check.mjs --all", "scripts/check.mjs"],
    ["node scripts/check", "scripts/check.js"],
    ["node ./scripts", "scripts/index.js"],
    ["node --test && bash 'ci/e2e.sh'", "ci/e2e.sh"],
    ["vitest run --config=vitest.ci.ts", "vitest.ci.ts"],
    ["tsc -p tsconfig.build.json", "tsconfig.build.json"],
    ["python -m tools.check", "tools/check.py"],
    ["python3 -m tools.check", "tools/check/__main__.py"],
    ["cd packages/a && node check.mjs", "packages/a/check.mjs"],
    ["npm test -w packages/a\npackages/a: node check.mjs", "packages/a/check.mjs"],
    ["make test\ntest: build\n$(CURDIR)/ci/run.sh", "ci/run.sh"],
    ["make test\nRUN = tools/run.py\npython $(RUN)", "tools/run.py"],
    ["node --test test/a.test.mjs", "test/a.test.mjs"],
    ["npm test\nvitest run", "vitest.config.ts"],
    ["npm test\nnode_modules/.bin/mocha", ".mocharc.yml"],
    ["npm test", ".npmrc"],
    ["python -m pytest", "conftest.py"],
    ["npx --no-install tsc --noEmit", "tsconfig.json"],
    ["cargo test", ".cargo/config.toml"],
    ["npm test -w packages/a\npackages/a: jest", "packages/a/jest.config.js"],
  ];
  for (const [line, path] of cases)
    test(`${JSON.stringify(line)}: ${path}`, () => {
      assert.deepEqual(changed(line, path, "src/other.ts"), [path]);
    });

  const others: readonly (readonly [line: string, path: string])[] = [
    ["npm test", "test"],
    ["npm test", "test/a.test.mjs"],
    ["node --test test/", "test/a.test.mjs"],
    ["node --test 'test/*.test.mjs'", "test/a.test.mjs"],
    ["node check.mjs", "packages/a/check.mjs"],
    ["node --max-old-space-size=4.096", "4/096.js"],
    ["/usr/bin/check src/a.ts", "usr/bin/check"],
    ["vitest run", "jest.config.js"],
    ["node --test", ".npmrc"],
  ];
  for (const [line, path] of others)
    test(`${JSON.stringify(line)} does not name ${path}`, () => assert.deepEqual(changed(line, path), []));
});

test("programs that are installed are found by the words of the line, in the folder of its packages too", () => {
  const files = filesOf({
    "node_modules/.bin/vitest": "",
    "packages/a/node_modules/.bin/jest": "",
    "vendor/bin/phpunit": "",
    "src/run.sh": "",
  });
  const programs = (text: string) => programsIn(text).filter((path) => files.text(path) !== undefined);
  assert.deepEqual(programs("vitest run"), ["node_modules/.bin/vitest"]);
  assert.ok(programsIn("npm test").includes("node_modules/.bin/sh"), "npm looks for its shell there too");
  assert.deepEqual(programs("npx --no-install vitest"), ["node_modules/.bin/vitest"]);
  assert.deepEqual(programs("cd packages/a && jest"), ["packages/a/node_modules/.bin/jest"]);
  assert.deepEqual(programs("vendor/bin/phpunit && sh src/run.sh"), ["vendor/bin/phpunit"]);
});

test("a program that is another one than before is a change that no diff shows, unless the diff has it", () => {
  const at = (id: string) => ({ command: "npm test", names: ["ci.sh"], programs: { "node_modules/.bin/x": id } });
  const none = { command: "npm test", names: ["ci.sh"], programs: {} };
  const changes = (before: object, now: object, ...paths: readonly string[]) =>
    scriptChanges({ before: [before as typeof none], now: [now as typeof none], paths });
  const unseen = { command: "npm test", changed: [], unseen: ["node_modules/.bin/x"] };
  assert.deepEqual(changes(at("1"), at("1")), []);
  assert.deepEqual(changes(at("1"), at("2")), [unseen]);
  assert.deepEqual(changes(at("1"), none), [unseen]);
  assert.deepEqual(changes(none, at("1")), [unseen]);
  assert.deepEqual(changes(at("1"), at("2"), "node_modules/.bin/x"), []);
  assert.deepEqual(changes(at("1"), at("2"), "ci.sh"), [{ ...unseen, changed: ["ci.sh"] }]);
  assert.deepEqual(scriptChanges({ before: [], now: [at("1")], paths: [] }), [], "nothing is known of it before");
  const gone = { ...none, names: [] };
  assert.deepEqual(
    changes(none, gone, "ci.sh"),
    [{ command: "npm test", changed: ["ci.sh"], unseen: [] }],
    "it was named before",
  );
});
