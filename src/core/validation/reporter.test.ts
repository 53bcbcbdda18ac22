// How a runner is made to say which tests pass, without a change to the project.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { filesOf } from "../../../test/rig/tree-files.ts";
import { reportingFor } from "./reporter.ts";

const none = filesOf({});
const withTest = (script: string, more: Readonly<Record<string, string>> = {}) =>
  filesOf({ "package.json": JSON.stringify({ scripts: { test: script, ...more } }) });

describe("S3-32, X-5: a reporter is asked for by a variable, else by an option of the runner itself", () => {
  const asked = (command: string, files = none) => {
    const reporting = reportingFor(command, files, "/r");
    return "why" in reporting
      ? reporting.why
      : [reporting.reporter, reporting.command, ...Object.keys(reporting.environment)];
  };
  const cases: readonly (readonly [command: string, script: string | null, expected: unknown])[] = [
    ["npm test", "node --test", ["node --test", "npm test", "NODE_OPTIONS"]],
    ["npm test", "npm run lint && node --test", ["node --test", "npm test", "NODE_OPTIONS"]],
    ["npm test", "node --test --test-reporter=dot", "it asks node --test for a report of its own"],
    ["npm test", "node --test a && node --test b", "it runs node --test more than once"],
    ["npm test", "vitest run", ["vitest", "npm test -- --reporter=default --reporter=json --outputFile.json=/r"]],
    ["pnpm run test", "vitest", ["vitest", "pnpm run test --reporter=default --reporter=json --outputFile.json=/r"]],
    ["npm test", "tsc && vitest run", "its script is more than vitest alone"],
    ["npm test", "jest", ["jest", "npm test -- --json --outputFile=/r"]],
    ["npm test", "mocha", ["mocha", "npm test -- --reporter=json --reporter-option=output=/r"]],
    ["npx jest --ci", null, ["jest", "npx jest --ci --json --outputFile=/r"]],
    ["bun test", null, ["bun", "bun test --reporter=junit --reporter-outfile=/r"]],
    ["python3 -m pytest", null, ["pytest", "python3 -m pytest", "PYTEST_ADDOPTS"]],
    ["go test ./...", null, ["go test", "go test ./... -json"]],
    ["go vet ./... && go test ./...", null, "its script is more than go test alone"],
    ["cargo test", null, ["cargo test", "cargo test"]],
    ["bundle exec rspec", null, ["rspec", "bundle exec rspec", "SPEC_OPTS"]],
    ["vendor/bin/phpunit", null, ["phpunit", "vendor/bin/phpunit --log-junit /r"]],
    ["./mvnw -B test", null, ["maven", "./mvnw -B test"]],
    ["python3 -m unittest discover", null, "no reporter is known for it"],
  ];
  for (const [command, script, expected] of cases)
    test(`${command}${script === null ? "" : ` (${script})`}`, () =>
      assert.deepEqual(asked(command, script === null ? none : withTest(script)), expected));
});
