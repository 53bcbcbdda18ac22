// What a test run said of each test. A test is known by its file and its full name, never by its duration or its place in the
// order. All of it is one text, a line per test: equal results are kept once, however many tasks there are.

export type TestState = "passed" | "failed" | "skipped";

/** One test, as a runner's report names it. */
export interface TestCase {
  /** Empty where the report names none. */
  readonly file: string;
  /** The suites around it, and its own name. */
  readonly path: readonly string[];
  readonly state: TestState;
  /** What it said, if it failed. */
  readonly output?: string;
}

export interface FailedTest {
  readonly test: string;
  readonly output: string;
}

/** What was read of a run's report, or why nothing was. */
export type TestReport =
  | {
      /** Who wrote the report. */
      readonly reporter: string;
      /** See `writeResults`. */
      readonly results: string;
      /** The first of those that failed, with what they said. */
      readonly failures: readonly FailedTest[];
      /** It was asked for some tests alone: there may be others. */
      readonly isPart?: true;
    }
  | { readonly reporter: null; readonly why: string };

/** What stands between the parts of a test's name. */
const between = " › ";

/** The file of a test, and the names that follow. */
export const partsOf = (test: string): readonly string[] => test.split(between);

export type Results = ReadonlyMap<string, TestState>;

/** `test/sum.test.js › sum › adds two numbers` */
export function testName({ file, path }: Pick<TestCase, "file" | "path">): string {
  const name = joined(file, path);
  return odd.test(name) ? joined(plain(file), path.map(plain)) : name;
}

function joined(file: string, path: readonly string[]): string {
  let name = file;
  for (const part of path) name += name === "" || part === "" ? part : between + part;
  return name;
}

/** A control character, or white space that is not one space between two words. Few names have any, and there may be very many names. */
const odd = /\p{Cc}|[^\S ]| {2}|^ | $/u;

/** Names may have anything in them: colours, newlines, a null character. */
function plain(text: string): string {
  return text
    .replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

const signs: Readonly<Record<TestState, string>> = { passed: "+", failed: "-", skipped: "~" };
const states: ReadonlyMap<string, TestState> = new Map([
  ["+", "passed"],
  ["-", "failed"],
  ["~", "skipped"],
]);

export function resultsOf(cases: Iterable<TestCase>): Results {
  const results = new Map<string, TestState>();
  for (const one of cases) addTo(results, one);
  return results;
}

export function addTo(results: Map<string, TestState>, one: TestCase): void {
  const name = testName(one);
  results.set(name, worse(results.get(name), one.state));
}

/** Tests that share a name are one: it passes if all of them do. */
function worse(known: TestState | undefined, state: TestState): TestState {
  if (known === undefined || state === "failed") return state;
  return known === "skipped" ? state : known;
}

export function writeResults(results: Results): string {
  const names = [...results.keys()].toSorted();
  return names.map((name) => `${signs[results.get(name) ?? "skipped"]} ${name}`).join("\n");
}

export function readResults(text: string): Results {
  const lines = text.split("\n").filter((line) => line.length > 2);
  return new Map(lines.map((line) => [line.slice(2), states.get(line.charAt(0)) ?? "skipped"]));
}

export function namesIn(results: Results, state: TestState): readonly string[] {
  return [...results].filter(([, own]) => own === state).map(([name]) => name);
}
