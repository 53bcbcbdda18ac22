// What the exit code of a command an agent ran says about tests. It is for red and green on the screen only, so it is
// careful instead of clever: a command it does not know, or whose exit code is another program's, says nothing.

export interface TestRun {
  /** Exit code 0 means that the tests passed. */
  readonly showsGreen: boolean;
  /** Another exit code means that the tests failed. */
  readonly showsRed: boolean;
}

const nothing: TestRun = { showsGreen: false, showsRed: false };

export function readTestRun(command: string): TestRun {
  const plain = command.slice(0, longest).replace(quoted, "''").replace(redirection, " ");
  // After these the exit code is that of something else, or of nothing.
  if (/\|\||[;\n&](?!&)(?<!&&)/.test(plain.trim()) || isPiped(plain)) return nothing;
  const steps = plain.split("&&").map(bare);
  const at = steps.findIndex((step) => runner.test(step));
  if (at < 0) return nothing;
  return {
    showsGreen: true,
    showsRed: at === steps.length - 1 && steps.slice(0, at).every((step) => quiet.test(step)),
  };
}

/** Longer commands are scripts. */
const longest = 2000;
const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/g;
const redirection = /\d*>&\d|&>>?/g;

function isPiped(plain: string): boolean {
  return plain.includes("|") && !/\bpipefail\b/.test(plain);
}

/** Without variables that are set for it and programs that only start another. */
function bare(step: string): string {
  return step
    .trim()
    .replace(/^(?:(?:\w+=\S*|npx|bunx|time|env|sudo|uv run|poetry run|(?:pnpm|yarn|npm) exec)\s+(?:-\S+\s+)*)+/, "");
}

/** What does not fail in practice, and says nothing about tests when it does. */
const quiet = /^(?:cd|export|set|source|mkdir|echo|true)\b/;

const runner = new RegExp(
  `^(?:${[
    "node (?:\\S+ )*--test\\b",
    "(?:npm|pnpm|yarn|bun|deno) (?:-\\S+ )*(?:run )?(?:test|t)\\b",
    "(?:go|cargo|swift|mix|dotnet|rails|playwright|flutter|zig build) test\\b",
    "(?:vitest|jest|mocha|ava|tap|pytest|rspec|phpunit|ctest|tox|nox|bats)\\b(?! --(?:version|help))",
    "python3? -m (?:pytest|unittest)\\b",
    "(?:make|just|mvn|gradle|\\./gradlew) (?:\\S+ )*(?:test|check)\\b",
    "(?:\\S*/)(?:vitest|jest|mocha|pytest)\\b",
  ].join("|")})`,
);
