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
    const reporting = reportingFor(command, files, { file: "/r" });
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
    ["npm test", "tsc && vitest", ["vitest", "npm test -- --reporter=default --reporter=json --outputFile.json=/r"]],
    ["npm test", "vitest run && tsc", "its script is more than vitest alone"],
    ["npm test", "tsc; vitest run", "its script is more than vitest alone"],
    ["npm test", "tsc || vitest run", "its script is more than vitest alone"],
    ["npm test", "serve & vitest run", "its script is more than vitest alone"],
    ["npm test", "vitest run | tee log", "its script is more than vitest alone"],
    ["npm test", "sh -c 'tsc && vitest run'", "its script is more than vitest alone"],
    ["npm test", "npm run build && jest --ci", ["jest", "npm test -- --json --outputFile=/r"]],
    ["npm test", "jest", ["jest", "npm test -- --json --outputFile=/r"]],
    ["npm test", "mocha", ["mocha", "npm test -- --reporter=json --reporter-option=output=/r"]],
    ["npx jest --ci", null, ["jest", "npx jest --ci --json --outputFile=/r"]],
    ["bun test", null, ["bun", "bun test --reporter=junit --reporter-outfile=/r"]],
    ["python3 -m pytest", null, ["pytest", "python3 -m pytest", "PYTEST_ADDOPTS"]],
    ["go test ./...", null, ["go test", "go test ./... -json"]],
    ["go vet ./... && go test ./...", null, ["go test", "go vet ./... && go test ./... -json"]],
    ["go test ./a && go test ./b", null, "its script is more than go test alone"],
    ["cargo test", null, ["cargo test", "cargo test --no-fail-fast"]],
    ["cargo test -- --test-threads=1", null, ["cargo test", "cargo test -- --test-threads=1"]],
    ["cargo test --no-fail-fast", null, ["cargo test", "cargo test --no-fail-fast"]],
    ["bundle exec rspec", null, ["rspec", "bundle exec rspec", "SPEC_OPTS"]],
    ["vendor/bin/phpunit", null, ["phpunit", "vendor/bin/phpunit --log-junit /r"]],
    ["./mvnw -B test", null, ["maven", "./mvnw -B test"]],
    ["npm test", "react-scripts test", ["jest", "npm test -- --watchAll=false --json --outputFile=/r"]],
    ["npm test", "jest --json", "it asks jest for a report of its own"],
    ["npm test", "vitest --reporter=dot", "it asks vitest for a report of its own"],
    ["npm test", "mocha -R dot", "it asks mocha for a report of its own"],
    ["bun test --reporter=dots", null, "it asks bun for a report of its own"],
    ["pytest --junitxml=a", null, "it asks pytest for a report of its own"],
    ["go test -json ./...", null, "it asks go test for a report of its own"],
    [
      "npx playwright test",
      null,
      [
        "playwright",
        "npx playwright test --reporter=list,junit",
        "PLAYWRIGHT_JUNIT_OUTPUT_NAME",
        "PLAYWRIGHT_JUNIT_OUTPUT_FILE",
      ],
    ],
    ["npx playwright test --reporter=dot", null, "it asks playwright for a report of its own"],
    ["npm test", "cargo test -p a && cargo test -p b", ["cargo test", "npm test"]],
    ["npm run-script test", "mocha", ["mocha", "npm run-script test -- --reporter=json --reporter-option=output=/r"]],
    ["npm run other", "mocha", "no reporter is known for it"],
    ["npm test", "ava", ["ava", "npm test -- --tap"]],
    ["npm test", "ava --tap", "it asks ava for a report of its own"],
    ["npm test", "node test/ava.config.js", "no reporter is known for it"],
    [
      "cargo nextest run",
      null,
      [
        "cargo nextest",
        "cargo nextest run --no-fail-fast --message-format libtest-json",
        "NEXTEST_EXPERIMENTAL_LIBTEST_JSON",
      ],
    ],
    ["cargo nextest run --message-format libtest-json", null, "it asks cargo nextest for a report of its own"],
    ["cargo nextest list", null, "no reporter is known for it"],
    ["dotnet test", null, ["dotnet test", "dotnet test --logger trx --results-directory /r"]],
    ["dotnet test App.sln --logger trx", null, "it asks dotnet test for a report of its own"],
    ["dotnet test -- NUnit.NumberOfTestWorkers=1", null, "it asks dotnet test for a report of its own"],
    [
      "dotnet build && dotnet test",
      null,
      ["dotnet test", "dotnet build && dotnet test --logger trx --results-directory /r"],
    ],
    ["deno test", null, ["deno", "deno test --junit-path=/r"]],
    ["deno test --junit-path=own.xml", null, "it asks deno for a report of its own"],
    ["npm test --workspaces --if-present", null, "no reporter is known for it"],
    ["gradle test", null, ["gradle", "gradle test"]],
    ["python3 -m unittest discover", null, ["unittest", "python3 -m unittest discover -v 2>&1"]],
    ["python3 -m unittest -q", null, "it asks unittest for a report of its own"],
    ["make unittest", null, "no reporter is known for it"],
  ];
  for (const [command, script, expected] of cases)
    test(`${command}${script === null ? "" : ` (${script})`}`, () =>
      assert.deepEqual(asked(command, script === null ? none : withTest(script)), expected));
});

test("the script behind a task of deno is asked", () => {
  const asked = (task: string) => {
    const files = filesOf({ "deno.json": JSON.stringify({ tasks: { test: task } }) });
    const reporting = reportingFor("deno task test", files, { file: "/r" });
    return "why" in reporting ? reporting.why : reporting.command;
  };
  assert.equal(asked("deno test -A"), "deno task test --junit-path=/r");
  assert.equal(asked("deno test && deno lint"), "its script is more than deno alone");
});

test("a report is looked for where its runner leaves it, in the form it has there", () => {
  const where = (command: string) => {
    const reporting = reportingFor(command, none, { file: "/r" });
    return "why" in reporting ? reporting.why : [reporting.format, reporting.source];
  };
  assert.deepEqual(where("node --test"), ["node", "file"]);
  assert.deepEqual(["npx vitest", "npx jest"].map(where), [
    ["jest", "file"],
    ["jest", "file"],
  ]);
  assert.deepEqual(["npx mocha", "rspec", "bun test", "pytest", "phpunit"].map(where), [
    ["mocha", "file"],
    ["rspec", "file"],
    ["junit", "file"],
    ["junit", "file"],
    ["junit", "file"],
  ]);
  assert.deepEqual(["go test", "cargo test"].map(where), [
    ["go", "stdout"],
    ["cargo", "stdout"],
  ]);
  assert.deepEqual(where("mvn test"), ["junit", { folder: "surefire-reports", isAlwaysFresh: false }]);
  assert.deepEqual(where("dotnet test"), ["trx", "folder"]);
  assert.deepEqual(where("gradle test"), ["junit", { folder: "test-results", isAlwaysFresh: true }]);
});

test("dotnet test that runs by Microsoft.Testing.Platform, as global.json says, knows no loggers", () => {
  const files = filesOf({ "global.json": JSON.stringify({ test: { runner: "Microsoft.Testing.Platform" } }) });
  const reporting = reportingFor("dotnet test", files, { file: "/r" });
  assert.ok("why" in reporting);
  assert.match(reporting.why, /Microsoft\.Testing\.Platform/);
});

test("variables name the file that the report goes to", () => {
  for (const command of ["node --test", "npx playwright test", "pytest", "rspec"]) {
    const reporting = reportingFor(command, none, { file: "/tmp/report-7" });
    assert.ok(!("why" in reporting));
    for (const [name, value] of Object.entries(reporting.environment)) assert.match(value, /\/tmp\/report-7/, name);
  }
});

test("a folder for temporary files may have spaces and quotes in its name", () => {
  const file = `/tmp/it's "a b"/report`;
  const asked = (command: string) => {
    const reporting = reportingFor(command, none, { file });
    assert.ok(!("why" in reporting));
    return [reporting.command, ...Object.values(reporting.environment)].join(" ");
  };
  const inShell = `'/tmp/it'\\''s "a b"/report'`;
  assert.equal(asked("npx jest"), `npx jest --json --outputFile=${inShell}`);
  for (const command of ["npx vitest", "npx mocha", "bun test", "phpunit", "pytest", "rspec"])
    assert.ok(asked(command).includes(inShell), asked(command));
  assert.ok(
    asked("node --test").includes("--test-reporter=file:///tmp/it's%20%22a%20b%22/report.mjs "),
    asked("node --test"),
  );
  assert.ok(asked("npx playwright test").endsWith(`${file} ${file}`), "a variable that is nothing but the file");
});

describe("S3-37: tests that failed are run again alone where the runner's command line can select them", () => {
  const files = {
    "package.json": JSON.stringify({
      scripts: { test: "node --test", both: "tsc && node --test", beside: "tsc; node --test", v: "vitest run" },
    }),
    "test/a b.test.js": "",
    "test/it's.js": "",
  };
  const alone = (command: string, ...only: readonly string[]) => {
    const reporting = reportingFor(command, filesOf(files), { file: "/r", only });
    assert.ok(!("why" in reporting));
    return reporting.isPart ? reporting.command : "all";
  };
  const one = "test/a b.test.js › outer › adds";

  test("by their files, each once and quoted", () => {
    assert.equal(alone("npm test", one, "test/a b.test.js › other"), "npm test -- 'test/a b.test.js'");
    assert.equal(alone("npm run both", one), "npm run both -- 'test/a b.test.js'");
    assert.match(
      alone("npm run v", one, "test/it's.js › x"),
      /--outputFile\.json=\/r 'test\/a b\.test\.js' 'test\/it'\\''s\.js'$/,
    );
    for (const command of ["npx mocha", "npx playwright test", "bun test", "python3 -m pytest", "bundle exec rspec"])
      assert.match(alone(command, one), / 'test\/a b\.test\.js'$/, command);
    assert.match(alone("npx jest", one), / --runTestsByPath 'test\/a b\.test\.js'$/);
  });

  test("go's by the names of their functions", () => {
    assert.equal(alone("go test ./...", "p › TestA › one", "q › TestB"), "go test ./... -json -run '^(TestA|TestB)$'");
  });

  test("all are run where a test has no file, where nobody knows how to select, or where the script does more", () => {
    assert.equal(alone("npm test", "tests with subtests: 1"), "all");
    assert.equal(alone("npm test", one, "gone.js › x"), "all");
    assert.equal(alone("npm run beside", one), "all");
    assert.equal(alone("cargo test", "tests::bad"), "all");
    assert.equal(alone("go test", "p › does not build or run"), "all");
    assert.equal(alone("npm test"), "all");
    const many = Array.from({ length: 51 }, (_, index) => [`t${index}.js`, ""]);
    const reporting = reportingFor("node --test", filesOf(Object.fromEntries(many)), {
      file: "/r",
      only: many.map(([path]) => `${path} › x`),
    });
    assert.ok(!("why" in reporting) && !reporting.isPart, "a command line has an end");
  });
});

test("T3: a script that continues after its runner has failed, or runs something beside it, may fail for something else", () => {
  const hasOthers = (script: string, more: Readonly<Record<string, string>> = {}) => {
    const reporting = reportingFor("npm test", withTest(script, more), { file: "/r" });
    assert.ok(!("why" in reporting), script);
    return reporting.hasOthers;
  };
  const parts = { unit: "node --test", lint: "eslint ." };
  for (const script of [
    "node --test; eslint .",
    "node --test || eslint .",
    "eslint . & node --test",
    "run-p unit lint",
    "run-s -c unit lint",
    "npm-run-all --parallel unit lint",
    "npm-run-all2 --continue-on-error unit lint",
    "concurrently npm:unit npm:lint",
  ])
    assert.equal(hasOthers(script, parts), true, script);
  for (const script of ["node --test", "eslint . && node --test 2>&1", "run-s unit lint", "npm-run-all unit lint"])
    assert.equal(hasOthers(script, parts), false, script);
  assert.equal(hasOthers("node --test", { posttest: "a; b" }), true);
});
