import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeRun, readTestRun } from "./test-run.ts";

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
  ["cd web; npm test", both],
  ["cd web\nnpm test", both],
  ["cat > a.test.js <<'EOF'\nit's; npm test || true\nEOF\nnpm test", both],
  ["cd x && \\\n  npm test", both],
  ["cd x &&\n  npm test", both],
  ["timeout 60 npm run test:unit -- --grep a", both],
  ["pnpm --filter web test", both],
  ["yarn workspace web test", both],
  ["npm --prefix web run -s test", both],
  ["npx --yes vitest run", both],
  ["pnpm dlx jest", both],
  ["bundle exec rspec spec/a_spec.rb", both],
  ["vendor/bin/phpunit --filter a", both],
  ["php artisan test", both],
  ["bin/rails test", both],
  ["uv run pytest -q", both],
  ["python manage.py test shop", both],
  ["go -C server test ./...", both],
  ["cargo nextest run", both],
  ["dotnet test Shop.sln", both],
  ["./mvnw -q test", both],
  ["./gradlew :app:test", both],
  ["swift test", both],
  ["mix test test/a_test.exs", both],
  ["make -C lib test", both],
  ["nx test web", both],
  ["docker compose run --rm app npm test", both],
  ["(cd web && npm test)", both],
  ["npx tsx --test test/a.test.ts", both],
  ["node_modules/.bin/tsx --test", both],
  ["yarn vitest run", both],
  ["pnpm --filter web vitest run", both],
  ["yarn workspace web jest", both],
  [".venv/bin/python -m pytest -q", both],
  ["python3.12 -m unittest", both],
  ["pnpm -w test", both],
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
  ["npx tsx test/a.test.ts", nothing],
  ["yarn add --dev vitest", nothing],
  ["pnpm --filter jest build", nothing],
  [".venv/bin/python -m pip install pytest", nothing],
  ["npm run lint -- test", nothing],
  ["go build ./...", nothing],
  ["make", nothing],
  ["pytest.ini", nothing],
  ["", nothing],
];

for (const [command, shows] of commands) {
  test(`the exit code of ${JSON.stringify(command)} says what it can about tests`, () => {
    assert.deepEqual(readTestRun(command), shows);
  });
}

/** Far more than it takes, and far less than where each word or line is looked at from each other one. */
function isQuick(work: () => void, what: string): void {
  const began = performance.now();
  work();
  const ms = performance.now() - began;
  assert.ok(ms < 2_000, `${what}: ${Math.round(ms)} ms`);
}

test("a command as long as a file is read in no time to speak of", () => {
  assert.deepEqual(readTestRun(`node ${"-x ".repeat(200_000)}`), nothing);
  assert.deepEqual(readTestRun("a=b ".repeat(200_000)), nothing);
});

/** Repeated as often as would take long enough, and come to an end, if each way to read them were tried. */
const ambiguous = [
  ["npm", "--filter ", 35],
  ["npm", "--filter run ", 25],
  ["yarn", "-C workspace run ", 25],
  ["go", "-C ", 38],
] as const;

for (const [program, words, times] of ambiguous) {
  test(`a command of many ${JSON.stringify(words)} is read in no time to speak of`, () => {
    const command = `${program} ${words.repeat(times)}build`;
    isQuick(() => assert.deepEqual(readTestRun(command), nothing), command);
  });
}

const redOutputs: readonly (readonly [string, string])[] = [
  ["node --test", "TAP version 13\nnot ok 1 - adds\n# fail 1"],
  ["node --test a.test.mjs", "✖ a.test.mjs\nℹ tests 1\nℹ fail 1\nError [ERR_MODULE_NOT_FOUND]: Cannot find module"],
  ["npx vitest run", " FAIL  src/a.test.ts > adds\n Test Files  1 failed (1)\n      Tests  2 failed | 3 passed (5)"],
  ["npx jest", "FAIL src/a.test.js\n  ● Test suite failed to run\n    Cannot find module './a' from 'src/a.test.js'"],
  ["npx jest", "Tests:       1 failed, 2 passed, 3 total"],
  ["npx mocha", "  2 passing (4ms)\n  1 failing\n"],
  ["npx mocha", "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'src/a.js' imported from test/a.js"],
  ["bun test", " 1 pass\n 2 fail\n"],
  ["deno test", "FAILED | 0 passed | 1 failed (3ms)"],
  ["pytest -q", "F\n1 failed, 2 passed in 0.03s"],
  [
    "pytest",
    "==== ERRORS ====\n___ ERROR collecting test_a.py ___\nE   ModuleNotFoundError: No module named 'a'\n==== 1 error in 0.05s ====",
  ],
  ["python -m unittest", "ImportError: Failed to import test module: test_a\nFAILED (errors=1)"],
  ["go test ./...", "./a_test.go:5:2: undefined: Add\nFAIL\texample.com/a [build failed]\nFAIL"],
  ["go test ./...", "--- FAIL: TestAdd (0.00s)\nFAIL\texample.com/a\t0.002s"],
  ["cargo test", "error[E0425]: cannot find function `add`\nerror: could not compile `a` (lib test)"],
  ["cargo test", "test result: FAILED. 0 passed; 1 failed;"],
  ["bundle exec rspec", "3 examples, 1 failure"],
  ["bundle exec rspec", "0 examples, 0 failures, 1 error occurred outside of examples"],
  ["bin/rails test", "3 runs, 3 assertions, 1 failures, 0 errors, 0 skips"],
  ["mix test", "5 tests, 1 failure"],
  ["vendor/bin/phpunit", "FAILURES!\nTests: 1, Assertions: 1, Failures: 1."],
  ["mvn test", "[ERROR] COMPILATION ERROR :\n[ERROR] cannot find symbol"],
  ["mvn test", "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0"],
  ["./gradlew test", "> Task :test FAILED\n3 tests completed, 1 failed"],
  ["dotnet test", "Failed!  - Failed:     1, Passed:     2"],
  ["dotnet test", "error CS0103: The name 'Add' does not exist in the current context"],
  ["swift test", "Executed 3 tests, with 1 failure (0 unexpected) in 0.1 seconds"],
  ["ctest", "67% tests passed, 1 tests failed out of 3"],
  ["make test", "assertion failed\nmake: *** [Makefile:3: test] Error 1"],
  // Whatever started them, failing tests are failing tests.
  ["./scripts/verify.sh", "not ok 1 - adds"],
  ["npm run build && npm test", "\u001b[31m# fail 1\u001b[39m"],
  ["bash -c 'npm test'", " Test Files  1 failed (1)"],
];

for (const [command, output] of redOutputs) {
  test(`red: ${command} with ${JSON.stringify(output)}`, () => {
    assert.equal(judgeRun({ command, failed: true, output: `${output}\n\nCommand exited with code 1` }), "red");
  });
}

test("what was printed counts where the exit code is another program's", () => {
  const piped = { command: "npm test 2>&1 | tail -20", failed: false };
  assert.equal(judgeRun({ ...piped, output: "not ok 1 - adds\n# fail 1" }), "red");
  assert.equal(judgeRun({ ...piped, output: "ok 1 - adds\n# pass 1\n# fail 0" }), "green");
  assert.equal(judgeRun({ ...piped, output: "" }), undefined);
  assert.equal(judgeRun({ command: "npm test || true", failed: false, output: "1 failed, 2 passed in 0.03s" }), "red");
});

test("a run that passed is green, whatever the tests are called", () => {
  const output = "✔ says how many have failed: 3 failed\nℹ pass 1\nℹ fail 0";
  assert.equal(judgeRun({ command: "node --test", failed: false, output }), "green");
  assert.equal(
    judgeRun({ command: "go test ./...", failed: false, output: "?   \ta\t[no test files]\nok  \tb\t0.1s" }),
    "green",
  );
});

const noRuns: readonly (readonly [string, string])[] = [
  ["vitest run", "bash: line 1: vitest: command not found\n\nCommand exited with code 127"],
  ["npx vitest", "npm error could not determine executable to run"],
  ["npm test", 'npm error Missing script: "test"'],
  ["npm test", "sh: 1: vitest: not found"],
  ["npm test", "npm error code ENOENT\nnpm error syscall open\nnpm error path /x/package.json"],
  ["pnpm test", "ERR_PNPM_NO_SCRIPT  Missing script: test"],
  ["cd nowhere && npm test", "bash: line 1: cd: nowhere: No such file or directory"],
  ["npm test)", "bash: -c: line 1: syntax error near unexpected token `)'"],
  ["python -m pytest", "/usr/bin/python: No module named pytest"],
  ["pytest tests/none.py", "ERROR: file or directory not found: tests/none.py\nno tests ran in 0.00s"],
  ["pytest --colour", "usage: pytest [options]\nerror: unrecognized arguments: --colour"],
  ["npx vitest run none", "No test files found, exiting with code 1"],
  ["npx jest none", "No tests found, exiting with code 1"],
  ["node --test none.mjs", "Could not find 'none.mjs'"],
  ["cargo test", "error: could not find `Cargo.toml` in `/x` or any parent directory"],
  ["go test ./...", "go: cannot find main module, but found .git/config in /x"],
  ["make test", "make: *** No rule to make target 'test'.  Stop."],
  ["mvn test", "The goal you specified requires a project to execute but there is no POM in this directory"],
  ["./gradlew unit:test", "Task 'test' not found in project ':unit'."],
  ["dotnet test", "MSBUILD : error MSB1003: Specify a project or solution file."],
  ["npm test", "waiting\n\nCommand timed out after 60 seconds"],
  ["npm test", "Killed\n\nCommand exited with code 137"],
  ["npm run build && npm test", "src/a.ts(1,1): error TS2304: Cannot find name 'a'."],
  ["npm run lint", "1 problem (1 error)"],
  ["./scripts/verify.sh", "something is wrong"],
  // These show what a run has said before.
  ["cat out.txt && false", "not ok 1 - adds"],
  ["grep -rn 'not ok' logs; git status", "not ok 1 - adds"],
];

for (const [command, output] of noRuns) {
  test(`no test has failed: ${command} with ${JSON.stringify(output)}`, () => {
    assert.equal(judgeRun({ command, failed: true, output }), undefined);
  });
}

test("a run that came to no test is not green", () => {
  for (const output of ["# tests 0\n# pass 0", "?   \texample.com/a\t[no test files]", "Ran 0 tests in 0.000s\n\nOK"]) {
    assert.equal(judgeRun({ command: "go test ./...", failed: false, output }), undefined, output);
  }
});

test("packages without tests say nothing about those with some, whichever come first", () => {
  const output = "ok  \tb\t0.1s\n?   \ta\t[no test files]\n";
  assert.equal(judgeRun({ command: "go test ./...", failed: false, output }), "green");
});

const shapes = [
  "1 test ",
  "= 1 failed ",
  "FAIL ",
  "\n? a [no test files]",
  "1 passed, ",
  "\n",
  " \n",
  "\t",
  "1",
  "Tests\n",
  "Ran 1 test in\n",
  "? a [no test files]\n",
];

for (const piece of shapes) {
  test(`an output of nothing but ${JSON.stringify(piece)} is read in no time to speak of`, () => {
    const output = piece.repeat(50_000);
    for (const failed of [true, false]) {
      for (const end of ["", "\nFAIL\t", "x"]) {
        isQuick(() => void judgeRun({ command: "npm test | cat", failed, output: output + end }), JSON.stringify(end));
        isQuick(() => void judgeRun({ command: "npm test", failed, output: output + end }), JSON.stringify(end));
      }
    }
  });
}

test("a task with a name without an end is read in no time to speak of", () => {
  const output = `> Task :${"test".repeat(25_000)}`;
  isQuick(() => void judgeRun({ command: "./gradlew test", failed: true, output }), "a task");
});
