// The result of each test in a run. A test is known by its file and its full name, never by its duration or its place in the order. All results
// are one text with a line per test: equal results are kept once, however many tasks there are.

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
      /** The first of those that failed and said something. */
      readonly failures: readonly FailedTest[];
      /** It was asked for some tests alone: there may be others. */
      readonly isPart?: true;
      /** The command runs other things as well, of which the report says nothing. */
      readonly hasOthers?: true;
      /** No test ran, because there is none: the runner says so. */
      readonly isEmpty?: true;
    }
  | {
      readonly reporter: null;
      readonly why: string;
      /** The runner was asked for a report and wrote none, though it ended well. */
      readonly isSilent?: true;
    };

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
  const count = new ResultCount();
  for (const one of cases) count.add(one);
  return count.results();
}

type Counts = Record<TestState, number>;

/**
 * Results, test by test. Tests that share a name are counted by how they went, never by their order: of three, two of which fail,
 * `x` and `x (2)` fail and `x (3)` passes. So one that breaks is not hidden by one that was red before.
 */
export class ResultCount {
  readonly #results = new Map<string, TestState>();
  /** Only of names that came more than once. */
  readonly #shared = new Map<string, Counts>();

  add(one: TestCase): void {
    const name = testName(one);
    const known = this.#results.get(name);
    if (known === undefined) {
      this.#results.set(name, one.state);
      return;
    }
    const counts = this.#shared.get(name) ?? { passed: 0, failed: 0, skipped: 0, [known]: 1 };
    counts[one.state]++;
    this.#shared.set(name, counts);
  }

  results(): Results {
    for (const [name, { failed, passed, skipped }] of [...this.#shared].toSorted()) {
      const rest: TestState[] = [...times(failed, "failed"), ...times(passed, "passed"), ...times(skipped, "skipped")];
      this.#results.set(name, rest.shift() ?? "skipped");
      let number = 2;
      for (const state of rest) {
        while (this.#results.has(`${name} (${number})`)) number++;
        this.#results.set(`${name} (${number})`, state);
      }
    }
    return this.#results;
  }
}

const times = (count: number, state: TestState): TestState[] => Array.from({ length: count }, () => state);

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
