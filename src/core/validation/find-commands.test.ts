// How a repository is checked, told from its files alone.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { filesOf } from "../../../test/rig/tree-files.ts";
import { findCommands } from "./find-commands.ts";
import { commandsFor, withCommands } from "./found-command.ts";

const found = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(findCommands(filesOf(texts)).map(({ key, command }) => [key, command]));
const manifest = (value: object): string => JSON.stringify(value);
const scripts = (value: Readonly<Record<string, string>>) => ({ "package.json": manifest({ scripts: value }) });

describe("S3-19, C-27: commands are found", () => {
  const cases: readonly (readonly [name: string, files: Readonly<Record<string, string>>, expected: object])[] = [
    ["no files", {}, {}],
    ["an npm script", scripts({ test: "node --test" }), { testCommand: "npm test" }],
    ["what npm init writes", scripts({ test: 'echo "Error: no test specified" && exit 1' }), {}],
    ["an empty script", scripts({ test: " " }), {}],
    ["a manifest that is no JSON", { "package.json": "{" }, {}],
    ["a manifest that is a list", { "package.json": "[1]" }, {}],
    ["pnpm", { ...scripts({ test: "vitest" }), "pnpm-lock.yaml": "" }, { testCommand: "pnpm run test" }],
    ["yarn", { ...scripts({ test: "jest" }), "yarn.lock": "" }, { testCommand: "yarn run test" }],
    ["bun's lock", { ...scripts({ test: "bun test" }), "bun.lock": "" }, { testCommand: "bun run test" }],
    [
      "the manager that the manifest names",
      { "package.json": manifest({ packageManager: "pnpm@9.0.0", scripts: { test: "vitest" } }) },
      { testCommand: "pnpm run test" },
    ],
    [
      "a type check beside the tests",
      scripts({ test: "node --test", typecheck: "tsc", lint: "eslint ." }),
      { validationCommand: "npm run typecheck", testCommand: "npm test" },
    ],
    ["lint, where there is no type check", scripts({ lint: "eslint ." }), { validationCommand: "npm run lint" }],
    [
      "the compiler without a script",
      { "package.json": manifest({ devDependencies: { typescript: "5" } }), "tsconfig.json": "{}" },
      { validationCommand: "npx --no-install tsc --noEmit" },
    ],
    [
      "workspaces whose root has no tests",
      {
        "package.json": manifest({ workspaces: ["packages/*"] }),
        "packages/a/package.json": manifest({ scripts: { test: "node --test" } }),
        "packages/b/package.json": manifest({}),
      },
      { testCommand: "npm test --workspaces --if-present" },
    ],
    [
      "workspaces without any tests",
      { "package.json": manifest({ workspaces: ["packages/*"] }), "packages/a/package.json": manifest({}) },
      {},
    ],
    ["deno", { "deno.json": "{}" }, { testCommand: "deno test" }],
    ["deno's task", { "deno.json": '{"tasks":{"test":"deno test -A"}}' }, { testCommand: "deno task test" }],
    ["bun's own tests", { "bun.lock": "", "a.test.ts": "" }, { testCommand: "bun test" }],
    ["cargo", { "Cargo.toml": "" }, { testCommand: "cargo test", validationCommand: "cargo check --all-targets" }],
    ["go", { "go.mod": "" }, { testCommand: "go test ./...", validationCommand: "go vet ./..." }],
    ["pytest in pyproject", { "pyproject.toml": "[tool.pytest]" }, { testCommand: "python3 -m pytest" }],
    ["pytest with uv", { "pytest.ini": "", "uv.lock": "" }, { testCommand: "uv run python -m pytest" }],
    [
      "pytest in the project's own environment",
      { "conftest.py": "x = 1", ".venv/bin/python": "" },
      { testCommand: ".venv/bin/python -m pytest" },
    ],
    ["unittest", { "tests/test_a.py": "" }, { testCommand: "python3 -m unittest discover -s tests" }],
    ["maven's wrapper", { "pom.xml": "", mvnw: "" }, { testCommand: "./mvnw -B test" }],
    ["gradle", { "build.gradle.kts": "" }, { testCommand: "gradle test" }],
    ["dotnet", { "App.sln": "" }, { testCommand: "dotnet test" }],
    ["phpunit", { "phpunit.xml": "" }, { testCommand: "vendor/bin/phpunit" }],
    ["rspec", { ".rspec": "" }, { testCommand: "bundle exec rspec" }],
    ["make", { Makefile: "build:\n\tcc a.c\ntest: build\n\t./a.out\n" }, { testCommand: "make test" }],
    ["a Makefile without such a target", { Makefile: "test-all := 1\nbuild:\n\tcc a.c\n" }, {}],
    ["scripts before a Makefile", { ...scripts({ test: "x" }), Makefile: "test:\n\ty\n" }, { testCommand: "npm test" }],
  ];
  for (const [name, files, expected] of cases) test(name, () => assert.deepEqual(found(files), expected));
});

test("a command is known with the script it names, and with those that the script runs", () => {
  const definitionOf = (texts: Readonly<Record<string, string>>) => findCommands(filesOf(texts))[0]?.definition;
  assert.equal(definitionOf(scripts({ test: "node --test" })), "node --test");
  assert.equal(
    definitionOf(scripts({ pretest: "npm run build", test: "npm run unit", unit: "vitest", build: "tsc", other: "x" })),
    "test: npm run unit\npretest: npm run build\nbuild: tsc\nunit: vitest",
  );
  assert.equal(definitionOf(scripts({ test: "npm run test" })), "npm run test", "a circle ends");
  const parts = { "test:a": "jest", "test:b": "tsc", build: "x" };
  const partLines = "\ntest:a: jest\ntest:b: tsc";
  for (const test of [
    "run-p test:*",
    "concurrently 'npm:test:*'",
    "npm run test:a&&npm run test:b",
    "node --run test:a; node --run test:b",
  ])
    assert.equal(definitionOf(scripts({ test, ...parts })), `test: ${test}${partLines}`);
  const member = manifest({ scripts: { test: "npm run unit", unit: "jest" } });
  assert.equal(
    definitionOf({ "package.json": manifest({ workspaces: ["a"] }), "a/package.json": member }),
    "a: test: npm run unit\nunit: jest",
  );
  assert.equal(definitionOf({ Makefile: "test: a\n\tone\n\ttwo\n\nb:\n\tthree\n" }), "test: a\none\ntwo");
  assert.equal(definitionOf({ "go.mod": "" }), "");
});

test("C-27, C-40: what the configuration sets is used, empty turns off, and what it leaves open is found", () => {
  const commands = findCommands(filesOf(scripts({ test: "a", lint: "b" })));
  assert.deepEqual(withCommands({}, commands), { validationCommand: "npm run lint", testCommand: "npm test" });
  assert.deepEqual(withCommands({ testCommand: "" }, commands), { validationCommand: "npm run lint", testCommand: "" });
  assert.deepEqual(withCommands({}, []), { validationCommand: "", testCommand: "" });
  const left = commandsFor({ validationCommand: "mine" }, commands).map(({ key }) => key);
  assert.deepEqual(left, ["testCommand"]);
});
