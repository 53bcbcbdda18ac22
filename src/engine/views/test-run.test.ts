import assert from "node:assert/strict";
import { test } from "node:test";
import { readTestRun } from "./test-run.ts";

const both = { showsGreen: true, showsRed: true };
const green = { showsGreen: true, showsRed: false };
const nothing = { showsGreen: false, showsRed: false };

const commands: readonly (readonly [string, typeof both])[] = [
  ["vitest run auth", both],
  ["npx vitest run auth", both],
  ["npm test", both],
  ["npm run test:unit", both],
  ["npm --silent test 2>&1", both],
  ["pnpm exec jest src", both],
  ["CI=1 NODE_ENV=test yarn test", both],
  ["node --test", both],
  ["node --experimental-strip-types --test test/a.test.ts", both],
  ["node_modules/.bin/vitest run", both],
  ["python -m pytest -q", both],
  ["cd packages/a && pytest", both],
  ["go test ./...", both],
  ["cargo test", both],
  ["make test", both],
  ["set -o pipefail && npm test | tail -5", both],
  // Whether the build or the tests failed cannot be told; that both passed can.
  ["npm run build && npm test", green],
  ["npm test && npm run lint", green],
  // The exit code is another program's.
  ["npm test | tail -20", nothing],
  ["npm test 2>&1 | tail -20", nothing],
  ["npm test || true", nothing],
  ["npm test; echo done", nothing],
  ["npm test\necho done", nothing],
  ["npm test &", nothing],
  // No tests are run.
  ["npm install --save-dev vitest", nothing],
  ["cat vitest.config.ts", nothing],
  ["grep -rn jest src", nothing],
  ["echo 'npm test'", nothing],
  ['git commit -m "fix && npm test"', nothing],
  ["vitest --version", nothing],
  ["npm run testify-docs", nothing],
  ["npm run build", nothing],
  ["", nothing],
];

for (const [command, shows] of commands) {
  test(`the exit code of ${JSON.stringify(command)} says what it can about tests`, () => {
    assert.deepEqual(readTestRun(command), shows);
  });
}

test("a command as long as a file is read in no time to speak of", () => {
  assert.deepEqual(readTestRun(`node ${"-x ".repeat(200_000)}`), nothing);
  assert.deepEqual(readTestRun("a=b ".repeat(200_000)), nothing);
});
