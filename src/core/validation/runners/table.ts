// The table of runners: how each is made to say which tests pass, and whose command line can run some tests alone.

import { partsOf, type TestCase } from "../results.ts";
import type { TreeFiles } from "../tree-files.ts";

export type ReportFormat =
  | "junit"
  | "node"
  | "jest"
  | "mocha"
  | "rspec"
  | "go"
  | "cargo"
  | "libtest"
  | "trx"
  | "tap"
  | "unittest";

/**
 * Where the report is: in the file that was asked for, in files in a folder of that name, in what is printed, or where the tool always
 * leaves it.
 */
export type ReportSource = "file" | "folder" | "stdout" | { readonly folder: string; readonly isAlwaysFresh: boolean };

/** How the runner fails because there are no tests. */
export interface None {
  readonly says: RegExp;
  /** The code it has for that, where others fail with the same words. */
  readonly exitCode?: number;
}

export interface TestRunner {
  readonly reporter: string;
  readonly format: ReportFormat;
  /** Found anywhere in what the command runs. */
  readonly sign: RegExp;
  /** Not with what the project asks for itself. */
  readonly unless?: RegExp;
  /** A file that says that something else runs the tests. */
  readonly unlessIn?: { readonly path: string; readonly sign: RegExp };
  readonly source?: ReportSource;
  readonly environment?: (file: string) => Readonly<Record<string, string>>;
  /** Added to the command, which then has to be the runner itself. */
  readonly options?: (file: string) => string;
  readonly none?: None;
  /** What it prints when it did not run all tests, where its exit code is that of any failing test. */
  readonly halts?: RegExp;
  /** Failures that it prints and leaves out of its report, where its exit code is that of any failing test. */
  readonly strays?: (printed: string) => readonly TestCase[];
  /** Added to a line that is the runner itself; its report is read without that, too. */
  readonly extra?: (line: string) => string | undefined;
  /** What runs these tests alone, by their names in `Results`, when it is added to the runner; undefined when that cannot be said. */
  readonly only?: (tests: readonly string[], files: TreeFiles) => string | undefined;
}

/** The files that the tests are in, as a runner takes them at the end of its command line. */
function theirFiles(tests: readonly string[], files: TreeFiles): string | undefined {
  const paths = [...new Set(tests.map((test) => partsOf(test)[0] ?? ""))];
  const areFiles = paths.every((path) => /^[^-]/.test(path) && files.text(path) !== undefined);
  return areFiles && paths.length <= mostFiles ? paths.map(quoted).join(" ") : undefined;
}

const mostFiles = 50;
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The file of the report as a word of a command line; most need no quotes. */
const asWord = (file: string): string => (isPlain(file) ? file : quoted(file));
/** The same as an address: no word of NODE_OPTIONS needs quotes then. */
const asAddress = (file: string): string => `file://${encodeURI(file).replaceAll(/[?#]/g, encodeURIComponent)}`;
const isPlain = (file: string): boolean => /^[\w./@:+-]+$/.test(file);

const withWord = (word: string, rest: string | undefined): string | undefined => rest && `${word} ${rest}`;

/** Go's tests, by the names of their functions: a package's path is no file. */
function theirFunctions(tests: readonly string[]): string | undefined {
  const names = [...new Set(tests.map((test) => partsOf(test)[1] ?? ""))];
  return names.every((name) => /^\w+$/.test(name)) ? `-run '^(${names.join("|")})$'` : undefined;
}

/** As many errors outside of all tests as the first group of the sign says. */
const errorsOutside =
  (sign: RegExp) =>
  (printed: string): readonly TestCase[] =>
    Array.from({ length: Number(sign.exec(printed)?.[1] ?? 0) }, () => stray("", "an error outside of all tests"));

const stray = (file: string, what: string): TestCase => ({ file, path: [what], state: "failed" });

/** deno names the file, more than once. */
function uncaughtInFiles(printed: string): readonly TestCase[] {
  const files = [...printed.matchAll(/^(?:\.\/)?(\S.*) \(uncaught error\)$/gm)].map(([, file = ""]) => file);
  return [...new Set(files)].map((file) => stray(file, "an error outside of its tests"));
}

const jest: TestRunner = {
  reporter: "jest",
  format: "jest",
  sign: /\bjest\b/,
  unless: /--(?:json|outputFile)/,
  options: (file) => `--json --outputFile=${asWord(file)}`,
  none: { says: /No tests found, exiting with code 1/ },
  only: (tests, files) => withWord("--runTestsByPath", theirFiles(tests, files)),
};

export const runners: readonly TestRunner[] = [
  {
    reporter: "node --test",
    format: "node",
    sign: /\b(?:node|tsx)\b[^|;&]*\s--test(?=[\s"';&|)]|$)/,
    unless: /--test-reporter/,
    // A reporter of superteam's own, in the file beside the report.
    environment: (file) => ({
      NODE_OPTIONS: `--test-reporter=spec --test-reporter-destination=stdout --test-reporter=${asAddress(file)}.mjs --test-reporter-destination=stdout`,
    }),
    only: theirFiles,
  },
  {
    reporter: "vitest",
    format: "jest",
    sign: /\bvitest\b/,
    unless: /--(?:reporter|outputFile)/,
    options: (file) => `--reporter=default --reporter=json --outputFile.json=${asWord(file)}`,
    none: { says: /No test files found/ },
    strays: errorsOutside(/\bcaught (\d+) unhandled errors?\b/),
    only: theirFiles,
  },
  jest,
  // It watches unless it is told not to.
  {
    ...jest,
    sign: /\breact-scripts\s+test\b/,
    options: (file) => `--watchAll=false --json --outputFile=${asWord(file)}`,
  },
  {
    reporter: "mocha",
    format: "mocha",
    sign: /\bmocha\b/,
    unless: /--reporter|\s-R\b/,
    options: (file) => `--reporter=json --reporter-option=output=${asWord(file)}`,
    none: { says: /No test files found/ },
    only: theirFiles,
  },
  {
    reporter: "playwright",
    format: "junit",
    sign: /\bplaywright\s+test\b/,
    unless: /--reporter/,
    environment: (file) => ({ PLAYWRIGHT_JUNIT_OUTPUT_NAME: file, PLAYWRIGHT_JUNIT_OUTPUT_FILE: file }),
    options: () => "--reporter=list,junit",
    none: { says: /\bNo tests found/ },
    strays: errorsOutside(/^ *(\d+) errors? (?:was|were) not a part of any test\b/m),
    only: theirFiles,
  },
  {
    reporter: "bun",
    format: "junit",
    sign: /\bbun\s+test\b/,
    unless: /--reporter/,
    options: (file) => `--reporter=junit --reporter-outfile=${asWord(file)}`,
    none: { says: /^No tests found!/m },
    strays: errorsOutside(/^ *\d+ fail\n *(\d+) errors?$/m),
    only: theirFiles,
  },
  {
    reporter: "deno",
    format: "junit",
    sign: /\bdeno\s+test\b/,
    unless: /--(?:reporter|junit-path)/,
    options: (file) => `--junit-path=${asWord(file)}`,
    none: { says: /\bNo test modules found/ },
    strays: uncaughtInFiles,
    only: theirFiles,
  },
  {
    reporter: "pytest",
    format: "junit",
    sign: /\bpytest\b|\bpy\.test\b/,
    unless: /--junit-?xml/,
    environment: (file) => ({ PYTEST_ADDOPTS: `--junitxml=${asWord(file)} -o junit_family=xunit1` }),
    none: { says: /\bno tests ran\b/, exitCode: 5 },
    only: theirFiles,
  },
  {
    reporter: "unittest",
    format: "unittest",
    sign: /-m\s+unittest\b/,
    unless: /\s(?:-q|--quiet)\b/,
    source: "stdout",
    options: () => "-v 2>&1",
    none: { says: /^Ran 0 tests\b/m, exitCode: 5 },
  },
  {
    reporter: "ava",
    format: "tap",
    sign: /(?:^|[\s/])ava(?=\s|$)/,
    unless: /\s(?:--tap|-t)\b/,
    source: "stdout",
    options: () => "--tap",
  },
  {
    reporter: "go test",
    format: "go",
    sign: /\bgo\s+test\b/,
    unless: /\s-json\b|\s-args\b/,
    source: "stdout",
    // Not by GOFLAGS: other commands of go take it too, and `go vet -json` always exits with 0.
    options: () => "-json",
    none: { says: /^no packages to test$/m },
    only: theirFunctions,
  },
  {
    reporter: "cargo nextest",
    format: "libtest",
    sign: /\bcargo\s+nextest\s+r(?:un)?\b/,
    unless: /--message-format/,
    source: "stdout",
    environment: () => ({ NEXTEST_EXPERIMENTAL_LIBTEST_JSON: "1" }),
    // Otherwise the tests after the first that fails do not run.
    options: () => "--no-fail-fast --message-format libtest-json",
    none: { says: /\bno tests to run\b/, exitCode: 4 },
  },
  {
    reporter: "cargo test",
    format: "cargo",
    sign: /\bcargo\s+test\b/,
    source: "stdout",
    // Otherwise the programs after the first that fails do not run.
    extra: (line) => (/\s(?:--no-fail-fast|--)(?:\s|$)/.test(line) ? undefined : "--no-fail-fast"),
  },
  {
    reporter: "rspec",
    format: "rspec",
    sign: /\brspec\b/,
    environment: (file) => ({ SPEC_OPTS: `--format progress --format json --out ${asWord(file)}` }),
    only: theirFiles,
  },
  {
    reporter: "dotnet test",
    format: "trx",
    sign: /\bdotnet\s+test\b/,
    // What stands behind `--` is for the test platform.
    unless: /--results-directory|\btrx\b|\s--(?:\s|$)/,
    unlessIn: { path: "global.json", sign: /Microsoft\.Testing\.Platform/ },
    source: "folder",
    options: (file) => `--logger trx --results-directory ${asWord(file)}`,
    halts: /: error (?:CS|FS|BC|MSB|NU|NETSDK)\d+\b|^Test Run Aborted|active test run was aborted/im,
  },
  {
    reporter: "phpunit",
    format: "junit",
    sign: /\bphpunit\b/,
    options: (file) => `--log-junit ${asWord(file)}`,
    none: { says: /^No tests executed!/m },
  },
  {
    reporter: "maven",
    format: "junit",
    sign: /\bmvnw?\b/,
    source: { folder: "surefire-reports", isAlwaysFresh: false },
    // In none of its modules.
    none: { says: /^(?![\s\S]*Tests run: [1-9])[\s\S]*\bNo tests to run\./ },
    halts: /COMPILATION ERROR|Failed to execute goal \S*maven-compiler-plugin/,
  },
  {
    reporter: "gradle",
    format: "junit",
    sign: /\bgradlew?\b/,
    // It leaves the tests alone when nothing changed; what they said is still true then.
    source: { folder: "test-results", isAlwaysFresh: true },
    none: { says: /^(?![\s\S]*> Task \S*:test(?! NO-SOURCE)\s)[\s\S]*> Task \S*:test NO-SOURCE/ },
    halts: /Execution failed for task '\S*:compile\w*'/,
  },
];
