// How a test command is made to say which tests pass: by a variable where its runner reads one, else by an option when the
// command is the runner itself. The project's files are never touched. What has no row here is judged by its exit code. The same
// table says whose command line can run some tests alone.

import { definitionOf } from "./package-commands.ts";
import { partsOf } from "./results.ts";
import { jsonIn, type TreeFiles, textsOf } from "./tree-files.ts";

export type ReportFormat =
  | "junit"
  | "node"
  | "jest"
  | "mocha"
  | "rspec"
  | "go"
  | "cargo"
  | "libtest"
  | "tap"
  | "unittest";

/** Where the report is: in the file that was asked for, in what is printed, or where the tool always leaves it. */
export type ReportSource = "file" | "stdout" | { readonly folder: string; readonly isAlwaysFresh: boolean };

export interface Reporting {
  /** The runner, for people. */
  readonly reporter: string;
  readonly format: ReportFormat;
  readonly source: ReportSource;
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  /** It runs some of the tests alone: those that were asked for, and maybe others. */
  readonly isPart: boolean;
  readonly none: None | undefined;
}

/** How the runner fails because there are no tests. */
export interface None {
  readonly says: RegExp;
  /** The code it has for that, where others fail with the same words. */
  readonly exitCode?: number;
}

interface Row {
  readonly reporter: string;
  readonly format: ReportFormat;
  /** Found anywhere in what the command runs. */
  readonly sign: RegExp;
  /** Not with what the project asks for itself. */
  readonly unless?: RegExp;
  readonly source?: ReportSource;
  readonly environment?: (file: string) => Readonly<Record<string, string>>;
  /** Added to the command, which then has to be the runner itself. */
  readonly options?: (file: string) => string;
  readonly none?: None;
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

const jest: Row = {
  reporter: "jest",
  format: "jest",
  sign: /\bjest\b/,
  unless: /--(?:json|outputFile)/,
  options: (file) => `--json --outputFile=${asWord(file)}`,
  none: { says: /No tests found, exiting with code 1/ },
  only: (tests, files) => withWord("--runTestsByPath", theirFiles(tests, files)),
};

const rows: readonly Row[] = [
  {
    reporter: "node --test",
    format: "node",
    sign: /\b(?:node|tsx)\b[^|;&]*\s--test(?=\s|$|["'])/,
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
    only: theirFiles,
  },
  {
    reporter: "bun",
    format: "junit",
    sign: /\bbun\s+test\b/,
    unless: /--reporter/,
    options: (file) => `--reporter=junit --reporter-outfile=${asWord(file)}`,
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
  { reporter: "phpunit", format: "junit", sign: /\bphpunit\b/, options: (file) => `--log-junit ${asWord(file)}` },
  {
    reporter: "maven",
    format: "junit",
    sign: /\bmvnw?\b/,
    source: { folder: "surefire-reports", isAlwaysFresh: false },
  },
  {
    reporter: "gradle",
    format: "junit",
    sign: /\bgradlew?\b/,
    // It leaves the tests alone when nothing changed; what they said is still true then.
    source: { folder: "test-results", isAlwaysFresh: true },
  },
];

export interface ReportWanted {
  /** Where a report may be written. */
  readonly file: string;
  /** The tests that are of interest; the runner runs all where it cannot do otherwise. */
  readonly only?: readonly string[];
}

export function reportingFor(
  command: string,
  files: TreeFiles,
  { file, only = [] }: ReportWanted,
): Reporting | { readonly why: string } {
  const script = scriptBehind(command, files);
  const all = `${command}\n${script.definition}`;
  const row = rows.find(({ sign }) => sign.test(all));
  if (row === undefined) return { why: "no reporter is known for it" };
  const { reporter, format, source = "file", unless, environment, options, none } = row;
  if (unless?.test(all)) return { why: `it asks ${reporter} for a report of its own` };
  const runs = (script.definition || command).matchAll(new RegExp(row.sign, "g"));
  if ([...runs].length > 1 && source === "file") return { why: `it runs ${reporter} more than once` };
  const isRunner = row.sign.test(script.line) && isSimple(script.line);
  if (options && !isRunner) return { why: `its script is more than ${reporter} alone` };
  const some = isRunner && only.length > 0 ? row.only?.(only, files) : undefined;
  const added = [options?.(file), isRunner ? row.extra?.(script.line) : undefined, some]
    .filter((one) => one !== undefined)
    .join(" ");
  return {
    reporter,
    format,
    source,
    command: added === "" ? command : `${command}${script.separator}${added}`,
    environment: environment?.(file) ?? {},
    isPart: some !== undefined,
    none,
  };
}

interface Script {
  /** The line that is run in the end. */
  readonly line: string;
  /** All that it runs by name. */
  readonly definition: string;
  /** What stands before options for that line. */
  readonly separator: string;
}

/** The script that a package manager's command runs; any other command is its own. */
function scriptBehind(command: string, files: TreeFiles): Script {
  const match = /^(npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)$/.exec(command.trim());
  const scripts = textsOf(jsonIn(files, "package.json")?.["scripts"]);
  const [, manager = "", name = ""] = match ?? [];
  const line = scripts[name];
  if (line === undefined) return { line: command, definition: "", separator: " " };
  return { line, definition: definitionOf(scripts, name), separator: manager === "npm" ? " -- " : " " };
}

/** One command: options at the end of the line are its options. */
const isSimple = (line: string): boolean => !/[|;&\n`<>]|\$\(/.test(line);
