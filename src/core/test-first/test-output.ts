// What the output of a test run shows, for the runners of many languages. Only the forms that runners print are looked for:
// a test may well have "failed" in its name.

/** Some test failed, or could not be loaded. */
export function showsFailing(output: string): boolean {
  return failing.test(withoutColour(output));
}

/** Tests ran, and a summary says so. */
export function showsPassing(output: string): boolean {
  return passing.test(withoutColour(output));
}

/** The run came to no test at all. */
export function foundNoTests(output: string): boolean {
  const text = withoutColour(output);
  return noTests.test(text) || (withoutTests.test(text) && !withTests.test(text));
}

/** The command itself is wrong, or a program that it needs is not there: that says nothing about the code. */
export function couldNotRun(output: string): boolean {
  return unusable.test(withoutColour(output));
}

const colour = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/** The end is where summaries are. */
function withoutColour(output: string): string {
  return output.slice(-100_000).replace(colour, "");
}

/** No form is looked for across lines, nor from each of many places to the end: an output may have any shape. */
const anyOf = (...forms: readonly string[]): RegExp => new RegExp(forms.join("|"), "m");

const failing = anyOf(
  // TAP and node
  "^[ \\t]*not ok \\d",
  "^(?:#|ℹ) fail [1-9]",
  // vitest, jest, mocha, ava, deno, bun
  "^[ \\t]*(?:Tests?|Test (?:Files|Suites)):?[ \\t]+(?:\\d+ \\w+[,|] *)*[1-9]\\d* failed",
  "^ *FAIL +\\S+\\.\\w+",
  "Test suite failed to run",
  "^[ \\t]*[1-9]\\d* (?:failing|tests? failed|failed|fail)[ \\t]*$",
  "^FAILED \\| ",
  // pytest, unittest
  "^=+ .{0,200}\\b[1-9]\\d* (?:failed|errors?)\\b.{0,200} =+$",
  "^[1-9]\\d* (?:failed|errors?)\\b.{0,200} in [\\d.]+s",
  "^E?=* ?ERROR collecting ",
  "^FAILED \\((?:failures|errors)=",
  // go, rust, swift, zig
  "^--- FAIL: |^FAIL\\t\\S|^FAIL$",
  "^test result: FAILED",
  "^[ \\t]*Executed \\d+ tests?, with [1-9]\\d* failures?\\b",
  "^\\d+/\\d+ tests? passed; .{0,200}[1-9]\\d* failed",
  // rspec, minitest, mix, phpunit, pest
  "\\b\\d+ (?:examples?|tests?|doctests?|runs)\\b.{0,80}, [1-9]\\d* (?:failures?|errors?)\\b",
  "\\b\\d+ assertions?, (?:[1-9]\\d* failures?|\\d+ failures?, [1-9]\\d* errors?)",
  "\\b[1-9]\\d* errors? occurred outside of examples",
  "^(?:FAILURES|ERRORS)!$",
  // java, scala, .net, c and c++
  "Tests run: \\d+, (?:Failures: [1-9]|Failures: \\d+, Errors: [1-9])",
  "^> Task \\S{0,200}[tT]est\\S{0,200} FAILED",
  "^\\[error\\] Failed tests:|\\*\\*\\* FAILED \\*\\*\\*",
  "^[ \\t]*Failed![ \\t]+- Failed:",
  "\\b[1-9]\\d* tests? failed out of|^\\[  FAILED  \\]",
  "^Result: FAIL",
);

const passing = anyOf(
  "^(?:#|ℹ) pass [1-9]",
  "^ok \\d",
  "^[ \\t]*(?:Tests?|Test (?:Files|Suites)):?[ \\t]+[1-9]\\d* passed",
  "^[ \\t]*[1-9]\\d* (?:passing|passed|tests? passed|pass)\\b",
  "^=+ .{0,200}\\b[1-9]\\d* passed\\b.{0,200} =+$",
  "^Ran [1-9]\\d* tests? in .{0,80}\\s{0,4}^OK",
  "^ok +\\t?\\S+\\t[\\d.]+s|^--- PASS: |^PASS$",
  "^test result: ok\\. [1-9]",
  "\\b[1-9]\\d* (?:examples?|tests?|runs)\\b.{0,80}, 0 failures",
  "^OK \\([1-9]",
  "Tests run: [1-9]\\d*, Failures: 0, Errors: 0",
  "^[ \\t]*Passed![ \\t]+- Failed:[ \\t]+0",
  "100% tests passed|^\\[  PASSED  \\]",
);

const noTests = anyOf(
  "^(?:#|ℹ) tests 0$",
  "No tests? (?:files? )?(?:were )?found|no tests ran|No tests executed|No test modules found|0 test files matching",
  "^Could not find '",
  "no tests to run",
  "^[ \\t]*0 passing",
  "^0 examples, 0 failures$",
  "^Ran 0 tests",
);

/** Go says this of each package without tests, whatever there is in the others. */
const withoutTests = /^\?[ \t]+\S+[ \t]+\[no test files\]/m;
const withTests = /^(?:ok|FAIL)\s/m;

const unusable = anyOf(
  "Command exited with code (?:126|127|130|137|143)$",
  "Command (?:timed out after|aborted)",
  "command not found|: not found$|is not recognized as",
  "^(?:/\\S*/)?(?:ba|da|z)?sh: .*(?:No such file|syntax error|unexpected|Permission denied|cannot execute)",
  '[Mm]issing script|NO_SCRIPT|Couldn\'t find a script|[Cc]ommand "\\w+" not found|could not determine executable',
  "npm (?:error|ERR!) code E(?:NOENT|JSONPARSE|401|403|404)",
  "[Uu]nknown (?:option|argument|arguments|flag|command)|unrecognized (?:arguments|option)|bad option|invalid option|flag provided but not defined",
  "No rule to make target|No targets specified|does not contain recipe",
  "No module named ['\"]?(?:pytest|unittest|tox|nose2)['\"]?$|file or directory not found:",
  "could not find `Cargo\\.toml`|no such (?:sub)?command|unexpected argument|no test target named",
  "^go: |cannot find main module",
  "bundler: |Could not find gem|Could not locate Gemfile",
  "there is no POM|Unknown lifecycle phase|Task '\\S+' not found in|Unable to locate a Java|JAVA_HOME",
  "MSB1003|Could not find Package\\.swift|Could not find a Mix\\.Project|\\(Mix\\) The task",
  "Cannot connect to the Docker daemon|no configuration file provided",
);
