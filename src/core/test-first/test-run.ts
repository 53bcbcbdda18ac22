// What a command an agent ran says about tests. Where the exit code is the test run's own it counts, unless the run never
// came to a test; where it is not, only what was printed counts. A command that is not known says nothing, so this is
// careful instead of clever.

import { couldNotRun, foundNoTests, showsFailing, showsPassing } from "./test-output.ts";

export interface TestRun {
  /** Exit code 0 means that the tests passed. */
  readonly showsGreen: boolean;
  /** Another exit code means that the tests failed. */
  readonly showsRed: boolean;
}

export interface CommandEnd {
  readonly command: string;
  readonly failed: boolean;
  /** What it printed, or the end of that. */
  readonly output: string;
}

/** Red or green; undefined when nothing can be said. A test that cannot even be loaded is red, a runner that cannot is not. */
export function judgeRun({ command, failed, output }: CommandEnd): "red" | "green" | undefined {
  const steps = stepsIn(command).map(bare);
  if (steps.every((step) => looking.test(step))) return undefined;
  const { showsGreen, showsRed } = readTestRun(command);
  if (!failed && showsGreen) return foundNoTests(output) ? undefined : "green";
  if (showsFailing(output)) return "red";
  if (failed) return showsRed && !couldNotRun(output) && !foundNoTests(output) ? "red" : undefined;
  return showsPassing(output) && steps.some((step) => runner.test(step)) ? "green" : undefined;
}

const nothing: TestRun = { showsGreen: false, showsRed: false };

/** By the command alone. */
export function readTestRun(command: string): TestRun {
  // Only the last of several commands says how they all ended.
  const last = plain(command)
    .split(/[;\n]/)
    .filter((part) => part.trim() !== "")
    .at(-1);
  // After these the exit code is that of something else, or of nothing.
  if (last === undefined || /\|\||&(?!&)(?<!&&)/.test(last) || isPiped(last, command)) return nothing;
  const steps = last.split("&&").map(bare);
  const at = steps.findIndex((step) => runner.test(step));
  if (at < 0) return nothing;
  return {
    showsGreen: true,
    showsRed: at === steps.length - 1 && steps.slice(0, at).every((step) => quiet.test(step)),
  };
}

/** Longer commands are scripts. */
const longest = 20_000;
const document = /<<-?\s*(["']?)(\w+)\1([^\n]*)\n(?:[^\n]*\n)*?[ \t]*\2(?=\n|$)/g;
const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/g;
const redirection = /\d*>&\d|&>>?/g;

/** Without what is only text: documents, quotes, redirections. */
function plain(command: string): string {
  if (command.length > longest) return "";
  return command
    .replace(document, "$3")
    .replace(/\\\n/g, " ")
    .replace(quoted, "''")
    .replace(redirection, " ")
    .trim()
    .replace(/&&\s*\n/g, "&& ");
}

function stepsIn(command: string): readonly string[] {
  return plain(command)
    .split(/[;\n&|]+/)
    .filter((step) => step.trim() !== "");
}

function isPiped(part: string, command: string): boolean {
  return part.includes("|") && !/\bpipefail\b/.test(command);
}

const starters = [
  "\\w+=\\S*",
  "npx|bunx|(?:pnpm|yarn|bun|npm) (?:exec|dlx|x)|corepack (?:pnpm|yarn)",
  "time|env|sudo|command|exec|nice|xvfb-run|cross-env|timeout \\S+",
  "(?:uv|poetry|pipenv|pdm|hatch|rye) run|bundle exec|mise exec|direnv exec \\S+",
  "docker(?: compose|-compose)? (?:run|exec)(?: -\\S+)* \\S+",
];
const starting = new RegExp(`^(?:(?:${starters.join("|")})\\s+(?:-\\S+\\s+)*)+`);

/** Without variables that are set for it and programs that only start another. */
function bare(step: string): string {
  return step
    .trim()
    .replace(/^\(\s*/, "")
    .replace(starting, "")
    .replace(/\s+/g, " ");
}

/** What does not fail in practice, and says nothing about tests when it does. */
const quiet = /^(?:cd|pushd|export|set|source|\.|mkdir|echo|true|cat|sleep|which)(?: |$)/;

/** Programs that show what another one has said, or do nothing that could fail as a test does. */
const looking =
  /^(?:cat|bat|less|more|head|tail|grep|egrep|rg|ag|sed|awk|jq|ls|find|tree|wc|sort|uniq|cut|diff|git|gh|stat|file|cd|pwd|echo|printf|true|false|sleep|mkdir|cp|mv|rm|touch|tee)(?: |$)/;

const script = "(?:test|t)(?:[:-]\\S+)?(?![\\w-])";
const valued = "--?(?:filter|prefix|workspace|cwd|dir|w|C|F) ";
// Whether a word is a flag's value cannot always be known, and each such word doubles the ways to read the command.
const flags = `(?:-\\S+ |${valued}(?!-)\\S+ |workspace \\S+ |run ){0,12}`;
// A package may have the name of a runner: what a flag takes is not what is run.
const knownFlags = `(?:(?!${valued})-\\S+ |${valued}\\S+ |workspace \\S+ |run )*`;

const runner = new RegExp(
  `^(?:${[
    "(?:\\S*/)?(?:node|tsx) (?:\\S+ )*--test(?![\\w-]*-only)",
    `(?:npm|pnpm|yarn|bun|deno|composer) ${flags}${script}`,
    "(?:go|cargo|swift|mix|dotnet|playwright|flutter|dart|zig(?: build)?|stack|cabal|dune|lein|sbt|bazel|forge|hardhat|nimble|meson|ng) (?:-[CpF] (?!-)\\S+ |-\\S+ )*test\\b",
    "cargo nextest run|crystal spec|rebar3 (?:eunit|ct)|hatch test|cypress run|karma start",
    "(?:\\S*/)?(?:rails|artisan) test\\b|php (?:\\S*/)?artisan test\\b",
    `(?:(?:pnpm|yarn|bun) ${knownFlags})?(?:\\S*/)?(?:vitest|jest|mocha|ava|tap|pytest|py\\.test|rspec|phpunit|pest|ctest|tox|nox|bats|busted|prove|ginkgo|gotestsum|nose2)(?= |$)(?! --(?:version|help))`,
    "(?:\\S*/)?python[\\d.]* (?:-m (?:pytest|unittest)\\b|(?:\\S*/)?manage\\.py test\\b)",
    "(?:make|just|task|rake|ninja|mvn|gradle|sbt|\\./mvnw|\\./gradlew|nx|turbo|lerna|xcodebuild) (?:\\S+ )*(?:\\S+:)?(?:test|check|spec|verify)(?![\\w-])",
  ].join("|")})`,
);
