// How a repository is checked, told from its files alone.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { filesOf } from "../../../test/rig/tree-files.ts";
import { definitionFor } from "./definition.ts";
import { commandsFor, findCommands } from "./find-commands.ts";
import { foundText, withCommands } from "./found-command.ts";

const found = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(findCommands(filesOf(texts)).map(({ key, command }) => [key, command]));
const manifest = (value: object): string => JSON.stringify(value);
const scripts = (value: Readonly<Record<string, string>>) => ({ "package.json": manifest({ scripts: value }) });

describe("S3-19, C-27: commands are found", () => {
  const cases: readonly (readonly [name: string, files: Readonly<Record<string, string>>, expected: object])[] = [
    ["no files", {}, {}],
    ["an npm script", scripts({ test: "node --test" }), { testCommand: "npm test" }],
    ["what npm init writes", scripts({ test: 'echo "Error: no test specified" && exit 1' }), {}],
    ["a script that only says something", scripts({ test: "echo 'no tests; yet' && exit 0" }), {}],
    ["a script that does nothing", scripts({ test: "true", lint: ":" }), {}],
    ["one that says something, and then tests", scripts({ test: "echo go && jest" }), { testCommand: "npm test" }],
    ["a script that watches, and never ends", scripts({ test: "jest --watchAll" }), {}],
    [
      "another script beside the one that watches",
      scripts({ test: "vitest watch", "test:run": "vitest run" }),
      { testCommand: "npm run test:run" },
    ],
    ["a script that does not watch", scripts({ test: "ng test --watch=false" }), { testCommand: "npm test" }],
    ...["tests", "test:unit", "unit", "test:ci", "test:run", "test:once"].map(
      (name) => [`tests called ${name}`, scripts({ [name]: "x" }), { testCommand: `npm run ${name}` }] as const,
    ),
    ...["type-check", "check-types", "check:types", "types", "tsc"].map(
      (name) =>
        [
          `a type check called ${name}`,
          scripts({ [name]: "x", lint: "y" }),
          { validationCommand: `npm run ${name}` },
        ] as const,
    ),
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
    ["an old lock of bun", { ...scripts({ unit: "bun test" }), "bun.lockb": "" }, { testCommand: "bun run unit" }],
    [
      "a manager that nobody knows",
      { "package.json": manifest({ packageManager: "x@1", scripts: { tests: "x" } }) },
      { testCommand: "npm run tests" },
    ],
    [
      "the compiler of pnpm",
      { "package.json": manifest({ dependencies: { typescript: "5" } }), "tsconfig.json": "{}", "pnpm-lock.yaml": "" },
      { validationCommand: "pnpm exec tsc --noEmit" },
    ],
    [
      "the compiler of yarn",
      { "package.json": manifest({ dependencies: { typescript: "5" } }), "tsconfig.json": "{}", "yarn.lock": "" },
      { validationCommand: "yarn tsc --noEmit" },
    ],
    [
      "the compiler of bun",
      { "package.json": manifest({ dependencies: { typescript: "5" } }), "tsconfig.json": "{}", "bun.lock": "" },
      { validationCommand: "bun x tsc --noEmit" },
    ],
    ["a compiler that nobody configured", { "package.json": manifest({ devDependencies: { typescript: "5" } }) }, {}],
    ["a configuration without the compiler", { "package.json": manifest({ name: "a" }), "tsconfig.json": "{}" }, {}],
    [
      "pnpm's workspace",
      {
        "package.json": "{}",
        "pnpm-lock.yaml": "",
        "pnpm-workspace.yaml": "packages:\n  - 'a/*'\n",
        "a/b/package.json": manifest({ scripts: { test: "x" } }),
      },
      { testCommand: "pnpm -r test" },
    ],
    [
      "yarn's workspaces",
      {
        "package.json": manifest({ workspaces: ["a"] }),
        "yarn.lock": "",
        "a/package.json": manifest({ scripts: { test: "x" } }),
      },
      { testCommand: "yarn workspaces foreach --all run test" },
    ],
    [
      "workspaces of yarn 1",
      {
        "package.json": manifest({ workspaces: ["a", "b"] }),
        "yarn.lock": "# THIS IS AN AUTOGENERATED FILE.\n# yarn lockfile v1\n",
        "a/package.json": manifest({ name: "one", scripts: { test: "x" } }),
        "b/package.json": manifest({ name: "two", scripts: { test: "y" } }),
      },
      { testCommand: "yarn workspaces run test" },
    ],
    [
      "bun's workspaces",
      {
        "package.json": manifest({ workspaces: ["a"] }),
        "bun.lock": "",
        "a/package.json": manifest({ scripts: { test: "x" } }),
      },
      { testCommand: "bun run --filter '*' test" },
    ],
    ["a lock of bun without tests", { "bunfig.toml": "", "a.ts": "" }, {}],
    ["tests that bun does not run", { "a.test.ts": "" }, {}],
    ["bun's tests in a folder", { "bun.lockb": "", "src/a_spec.mjs": "" }, { testCommand: "bun test" }],
    ["deno with comments", { "deno.jsonc": "{}" }, { testCommand: "deno test" }],
    [
      "cargo with nextest",
      { "Cargo.toml": "", ".config/nextest.toml": "" },
      { testCommand: "cargo nextest run", validationCommand: "cargo check --all-targets" },
    ],
    ["a workspace of go", { "go.work": "" }, { testCommand: "go test ./...", validationCommand: "go vet ./..." }],
    ["a Python project without pytest", { "pyproject.toml": "[project]" }, {}],
    [
      "pytest with poetry",
      { "tests/conftest.py": "", "poetry.lock": "" },
      { testCommand: "poetry run python -m pytest" },
    ],
    ["pytest with pipenv", { Pipfile: "pytest = '*'" }, { testCommand: "pipenv run python -m pytest" }],
    [
      "pytest in a venv",
      { "requirements-dev.txt": "pytest==8", "venv/bin/python": "" },
      { testCommand: "venv/bin/python -m pytest" },
    ],
    [
      "a package of unit tests",
      { "test/__init__.py": "", "test/test_a.py": "" },
      { testCommand: "python3 -m unittest discover -s test -t ." },
    ],
    ["a unit test at the root", { "test_a.py": "" }, { testCommand: "python3 -m unittest discover" }],
    ["a program that tests nothing", { "a.py": "" }, {}],
    ["maven", { "pom.xml": "" }, { testCommand: "mvn -B test" }],
    ["gradle's wrapper", { "settings.gradle": "", gradlew: "" }, { testCommand: "./gradlew test" }],
    ["a project of dotnet", { "App.fsproj": "" }, { testCommand: "dotnet test" }],
    ["phpunit as it is shipped", { "phpunit.xml.dist": "" }, { testCommand: "vendor/bin/phpunit" }],
    ["a target called check", { makefile: "check:\n\t./a.out\n" }, { testCommand: "make check" }],
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

describe("a command line is known with all that files of the repository make of it", () => {
  const lines = (command: string, texts: Readonly<Record<string, string>>) => definitionFor(command, filesOf(texts));
  const npm = scripts({ test: "jest", "test:ci": "jest --ci", lint: "eslint .", other: "make unit" });
  const member = { "app/package.json": manifest({ scripts: { test: "mocha", posttest: "tsc" } }) };
  const workspace = { "package.json": manifest({ workspaces: ["app"], scripts: { test: "x" } }), ...member };
  const made = { Makefile: "all: test\nRUN = jest\ntest: unit lint\nunit:\n\t$(RUN) unit\n\nlint:\n\tnpm run lint\n" };
  const cases: readonly (readonly [command: string, texts: Readonly<Record<string, string>>, expected: string])[] = [
    ["npm test", npm, "jest"],
    ["CI=1 npm run test:ci -- --coverage", npm, "jest --ci"],
    ["npm test && npm run lint", npm, "test: jest\nlint: eslint ."],
    ["npm run other", { ...npm, ...made }, "make unit\nunit:\n$(RUN) unit\nRUN = jest"],
    ["cd app && npm test", { ...npm, ...member }, "jest\napp: test: mocha\nposttest: tsc"],
    ["npm --prefix=app test", { ...npm, ...member }, "jest\napp: test: mocha\nposttest: tsc"],
    ["npm --prefix . test", npm, "jest"],
    ["npm test -w app", workspace, "x\napp: test: mocha\nposttest: tsc"],
    ["pnpm -r test", workspace, "x\napp: test: mocha\nposttest: tsc"],
    ["make -j2 unit", made, "unit:\n$(RUN) unit\nRUN = jest"],
    ["make", made, "all: test\ntest: unit lint\nunit:\n$(RUN) unit\nlint:\nnpm run lint\nRUN = jest"],
    ["make lint", { ...npm, ...made }, "lint:\nnpm run lint\neslint ."],
    ["deno task check", { "deno.json": '{"tasks":{"check":"deno test -A"}}' }, "deno test -A"],
    ["jest", npm, ""],
    ["npm ci", npm, ""],
    ["make no-such-target", made, ""],
    [
      "make a",
      { Makefile: "X = $(Y)\nY = $(X) $(X)\na: b c\n\t$(X)\nb: a\n\ttrue\nc: a b\n" },
      "a: b c\n$(X)\nb: a\ntrue\nc: a b\nX = $(Y)\nY = $(X) $(X)",
    ],
    [
      "make lists",
      { Makefile: "lists: one\\\n\ttwo \\\n two\none:\n\t1\ntwo:\n\t2\n" },
      "lists: one two  two\none:\n1\ntwo:\n2",
    ],
    [
      "make test",
      { Makefile: "RUN = $(NODE) --test\nNODE ?= node $(FLAGS)\nFLAGS = -r x\nOTHER = y\ntest:\n\t$(RUN)\n" },
      "test:\n$(RUN)\nRUN = $(NODE) --test\nNODE ?= node $(FLAGS)\nFLAGS = -r x",
    ],
  ];
  for (const [command, texts, expected] of cases)
    test(command, () => assert.equal(lines(command, texts).definition, expected));

  test("with the file that says so", () => {
    const rule = (text: string) => `test:\n\t${text}\n`;
    const all = { Makefile: rule("a"), makefile: rule("b"), GNUmakefile: rule("c") };
    const { GNUmakefile: _, ...two } = all;
    assert.deepEqual(lines("make test", all), { from: "GNUmakefile", definition: "test:\nc" });
    assert.deepEqual(lines("make test", two), { from: "makefile", definition: "test:\nb" });
    assert.equal(lines("npm test", npm).from, "package.json");
    assert.equal(lines("make unit", made).from, "Makefile");
    assert.equal(lines("jest", npm).from, "");
  });
});

describe("whatever has a command check less gives it another definition", () => {
  const recipe = "test: unit\n\t$(MAKE) lint\nunit:\n\t$(call run,unit)\nlint:\n\tnpm run lint\nother:\n\techo\n";
  const make = { Makefile: `VERSION = 1\ndefine run\njest $(1)\nendef\n.PHONY: test\n${recipe}` };
  const deep = { Makefile: "test:\n\t@make -C sub -f ci.mk unit\n", "sub/ci.mk": "unit:\n\tjest\n" };
  const npm = scripts({ test: "jest", pretest: "tsc", lint: "eslint ." });
  type Texts = Readonly<Record<string, string>>;
  const before = (line: string) => (texts: Texts) => ({ ...texts, Makefile: `${line}\n${texts["Makefile"]}` });
  const changed = (from: string, to: string) => (texts: Texts) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replace(from, to)]));
  const also = (more: Texts) => (texts: Texts) => ({ ...texts, ...more });
  const cases: readonly (readonly [command: string, texts: Texts, change: (texts: Texts) => Texts])[] = [
    ["make test", make, before("SHELL = /bin/true")],
    ["make test", make, before("override .SHELLFLAGS := -c true")],
    ["make test", make, before("MAKEFLAGS += -n")],
    ["make test", make, before(".IGNORE:")],
    ["make test", make, before("export PATH := fake:$(PATH)")],
    ["make test", make, before("-include more.mk")],
    ["make test", make, before("$(eval SHELL = /bin/true)")],
    ["make test", make, before("ifdef CI")],
    ["make test", make, before("%:\n\ttrue")],
    ["make test", make, before("te%: SHELL = /bin/true")],
    ["make test", make, changed("jest $(1)", "true")],
    ["make test", make, changed("npm run lint", "true")],
    ["make test", { Makefile: "test:\n\tjest\n" }, also({ "test/a.js": "" })],
    ["make test", deep, changed("jest", "true")],
    ["npm test", npm, also({ ".npmrc": "registry=x\nscript-shell=/bin/true\n" })],
    ["npm run lint", npm, also({ ".npmrc": "ignore-scripts = true" })],
    ["npm test", npm, also({ ".npmrc": 'node-options="--require ./x.js"' })],
    ["pnpm test", npm, also({ "pnpm-workspace.yaml": "packages:\n  - a\nscriptShell: /bin/true\n" })],
    ["yarn test", npm, also({ ".yarnrc.yml": "yarnPath: x.cjs\n" })],
    ["bun run test", npm, also({ "bunfig.toml": '[run]\nshell = "bun"\n' })],
    ["npm t", npm, changed("jest", "true")],
  ];
  const definition = (command: string, texts: Texts) => definitionFor(command, filesOf(texts)).definition;
  for (const [at, [command, texts, change]] of cases.entries())
    test(`${command} ${at}`, () => assert.notEqual(definition(command, change(texts)), definition(command, texts)));

  const harmless: typeof cases = [
    ["make test", make, before("# a word")],
    ["make test", make, changed("VERSION = 1", "VERSION = 2")],
    ["make test", make, changed("echo", "printf")],
    ["make test", make, changed(".PHONY: test", ".PHONY: test other")],
    ["make test", make, before("%.o: %.c\n\tcc -c $<")],
    ["make test", make, also({ "test/a.js": "" })],
    ["npm test", npm, also({ ".npmrc": "//registry.npmjs.org/:_authToken=secret\nsave-exact=true\n" })],
  ];
  for (const [at, [command, texts, change]] of harmless.entries())
    test(`what does not, leaves it as it is ${at}`, () =>
      assert.equal(definition(command, change(texts)), definition(command, texts)));
});

test("a command is told with the file that says so, and with what it runs", () => {
  const told = (texts: Readonly<Record<string, string>>) => findCommands(filesOf(texts)).map(foundText);
  assert.deepEqual(told(scripts({ test: "npm run a", a: "jest", lint: "eslint" })), [
    "npm run lint (package.json: eslint)",
    "npm test (package.json: test: npm run a; a: jest)",
  ]);
  assert.deepEqual(
    told({ "package.json": manifest({ devDependencies: { typescript: "5" } }), "tsconfig.json": "{}" }),
    ["npx --no-install tsc --noEmit (tsconfig.json)"],
  );
  assert.deepEqual(told({ "deno.json": '{"tasks":{"test":"deno test -A"}}' }), [
    "deno task test (deno.json: deno test -A)",
  ]);
  assert.deepEqual(told({ "Cargo.toml": "" }), ["cargo check --all-targets (Cargo.toml)", "cargo test (Cargo.toml)"]);
  assert.deepEqual(told({ Makefile: "test: a\n\tone" }), ["make test (Makefile: test: a; one)"]);
  const signs = ["pom.xml", ".rspec", "conftest.py", "tests/test_a.py", "go.work"];
  assert.deepEqual(
    signs.map((name) => /\((.*)\)/.exec(told({ [name]: "" }).at(-1) ?? "")?.[1]),
    ["pom.xml", ".rspec", "conftest.py", "tests", "go.work"],
  );
});

test("pytest is asked for by any file that lists it", () => {
  for (const name of ["setup.cfg", "tox.ini", "requirements.txt", "dev-requirements.txt"]) {
    assert.deepEqual(found({ [name]: "pytest" }), { testCommand: "python3 -m pytest" }, name);
    assert.deepEqual(found({ [name]: "flask" }), {}, name);
  }
});

test("tests that unittest would not find are pytest's", () => {
  const pytest = { testCommand: "python3 -m pytest" };
  assert.deepEqual(found({ "tests/test_a.py": "import os\n\ndef test_a():\n    pass\n" }), pytest);
  assert.deepEqual(found({ "a_test.py": "import pytest\n", Makefile: "test:\n\tpytest" }), pytest);
  const unittest = "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self): pass\n";
  assert.deepEqual(found({ "tests/test_a.py": unittest }), { testCommand: "python3 -m unittest discover -s tests" });
});

test("C-27, C-40: what the configuration sets is used, empty turns off, and what it leaves open is found", () => {
  const commands = findCommands(filesOf(scripts({ test: "a", lint: "b" })));
  assert.deepEqual(withCommands({}, commands), { validationCommand: "npm run lint", testCommand: "npm test" });
  assert.deepEqual(withCommands({ testCommand: "" }, commands), { validationCommand: "npm run lint", testCommand: "" });
  assert.deepEqual(withCommands({}, []), { validationCommand: "", testCommand: "" });
  const files = filesOf(scripts({ test: "a", lint: "b" }));
  const left = commandsFor({ validationCommand: "mine" }, files).map(({ key }) => key);
  assert.deepEqual(left, ["testCommand"]);
});

test("S2: a command that the configuration sets is known with what a file defines it to be, like one that was found", () => {
  const files = filesOf(scripts({ test: "a", lint: "b" }));
  assert.deepEqual(commandsFor({ validationCommand: "", testCommand: "npm test" }, files), [
    { key: "testCommand", command: "npm test", from: "package.json", definition: "a" },
  ]);
});
