// How a repository without scripts of its own is tested, judged by the files that each tool leaves there.

import type { CommandKey, FoundCommand } from "./found-command.ts";
import { makeCommands } from "./make-file.ts";
import { jsonIn, type TreeFiles, textsOf } from "./tree-files.ts";

type Look = (files: TreeFiles) => readonly FoundCommand[];

const plain = (key: CommandKey, command: string, from: string): FoundCommand => {
  return { key, command, from, definition: "" };
};
const tests = (command: string, from: string): FoundCommand => plain("testCommand", command, from);
const quick = (command: string, from: string): FoundCommand => plain("validationCommand", command, from);
const firstOf = (files: TreeFiles, names: readonly (string | RegExp)[]): string | undefined =>
  files.names("").find((name) => names.some((one) => (typeof one === "string" ? one === name : one.test(name))));

const deno: Look = (files) => {
  const from = firstOf(files, ["deno.json", "deno.jsonc"]);
  if (from === undefined) return [];
  const task = textsOf(jsonIn(files, from)?.["tasks"])["test"];
  return [task === undefined ? tests("deno test", from) : tests("deno task test", from)];
};

const bun: Look = (files) => {
  const from = firstOf(files, ["bun.lock", "bun.lockb", "bunfig.toml"]);
  const isTested = ["", "test", "tests", "src"].some((folder) =>
    files.names(folder).some((name) => /[._](?:test|spec)\.[cm]?[jt]sx?$/.test(name)),
  );
  return from !== undefined && isTested ? [tests("bun test", from)] : [];
};

const cargo: Look = (files) => {
  if (files.text("Cargo.toml") === undefined) return [];
  const hasNextest = files.names(".config").includes("nextest.toml");
  return [
    tests(hasNextest ? "cargo nextest run" : "cargo test", "Cargo.toml"),
    quick("cargo check --all-targets", "Cargo.toml"),
  ];
};

const go: Look = (files) => {
  const from = firstOf(files, ["go.work", "go.mod"]);
  return from === undefined ? [] : [tests("go test ./...", from), quick("go vet ./...", from)];
};

/** pytest where something asks for it, else the tests that unittest would find. */
const python: Look = (files) => {
  const asking = pytestFiles.find(([path, sign]) => {
    const text = files.text(path);
    return text !== undefined && sign.test(text);
  })?.[0];
  const runner = pythonRunner(files);
  const pytest = asking ?? writtenForPytest(files);
  if (pytest !== undefined) return [tests(`${runner} -m pytest`, pytest)];
  const folder = ["tests", "test"].find((name) => files.names(name).some(isUnitTest));
  if (folder !== undefined) {
    const isPackage = files.names(folder).includes("__init__.py");
    return [tests(`${runner} -m unittest discover -s ${folder}${isPackage ? " -t ." : ""}`, folder)];
  }
  const own = files.names("").find(isUnitTest);
  return own === undefined ? [] : [tests(`${runner} -m unittest discover`, own)];
};

/** A test file in which unittest would find nothing: it takes classes alone. */
function writtenForPytest(files: TreeFiles): string | undefined {
  const paths = ["", "tests/", "test/"].flatMap((folder) =>
    files
      .names(folder.slice(0, -1))
      .filter((name) => /^test_.*\.py$|_test\.py$/.test(name))
      .slice(0, mostLookedInto)
      .map((name) => `${folder}${name}`),
  );
  return paths.find((path) => /^(?:import pytest|from pytest\b|(?:\w+ )?def test_)/m.test(files.text(path) ?? ""));
}

const mostLookedInto = 20;

const isUnitTest = (name: string): boolean => /^test.*\.py$/.test(name);
const mentioned = /\bpytest\b/;
const pytestFiles: readonly (readonly [path: string, sign: RegExp])[] = [
  ["pytest.ini", /^/],
  ["conftest.py", /^/],
  ["tests/conftest.py", /^/],
  ["pyproject.toml", mentioned],
  ["setup.cfg", mentioned],
  ["tox.ini", mentioned],
  ["requirements.txt", mentioned],
  ["requirements-dev.txt", mentioned],
  ["dev-requirements.txt", mentioned],
  ["Pipfile", mentioned],
];

/** The project's own environment before the system's. */
function pythonRunner(files: TreeFiles): string {
  const locked = { "uv.lock": "uv run python", "poetry.lock": "poetry run python", Pipfile: "pipenv run python" };
  const found = Object.entries(locked).find(([name]) => files.names("").includes(name));
  if (found) return found[1];
  const own = [".venv", "venv"].find((folder) => files.names(`${folder}/bin`).includes("python"));
  return own === undefined ? "python3" : `${own}/bin/python`;
}

const maven: Look = (files) => {
  if (files.text("pom.xml") === undefined) return [];
  return [tests(`${files.names("").includes("mvnw") ? "./mvnw" : "mvn"} -B test`, "pom.xml")];
};

const gradle: Look = (files) => {
  const from = firstOf(files, ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"]);
  return from === undefined
    ? []
    : [tests(`${files.names("").includes("gradlew") ? "./gradlew" : "gradle"} test`, from)];
};

const dotnet: Look = (files) => {
  const from = firstOf(files, [/\.slnx?$/, /\.(?:cs|fs|vb)proj$/]);
  return from === undefined ? [] : [tests("dotnet test", from)];
};

const php: Look = (files) => {
  const from = firstOf(files, ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"]);
  return from === undefined ? [] : [tests("vendor/bin/phpunit", from)];
};

const ruby: Look = (files) => (files.text(".rspec") === undefined ? [] : [tests("bundle exec rspec", ".rspec")]);

/** make comes last. */
export const toolchains: readonly Look[] = [
  deno,
  bun,
  cargo,
  go,
  python,
  maven,
  gradle,
  dotnet,
  php,
  ruby,
  makeCommands,
];
