// The test command itself: what it must not let pass, and what a change reaches.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { bundle, programs } from "../scripts/test/bundle.ts";
import { findTests, isSlow, makeJobs } from "../scripts/test/jobs.ts";
import { importGraph } from "../scripts/test/reach.ts";
import { folderInMemory } from "../scripts/test/scratch.ts";

const command = resolve("scripts/test.mjs");
const passing = 'import { test } from "node:test";\ntest("passes", () => undefined);\n';

function project(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "superteam-command-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function runTests(root: string, ...args: readonly string[]): { readonly status: number | null; readonly said: string } {
  // The runner of these tests tells its children that they are tests of its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  return { status, said: stdout + stderr };
}

test("a file in which no test runs fails the tests, and is named", (t) => {
  const root = project(t, { "src/a.test.ts": passing, "src/b.test.ts": "export {};\n" });
  const { status, said } = runTests(root);
  assert.equal(status, 1);
  assert.match(said, /no test ran in src\/b\.test\.ts/);
});

test("a file that throws while it is loaded fails the tests, also when some of its tests ran", (t) => {
  const half = `${passing}await import("./missing.ts");\ntest("never known", () => undefined);\n`;
  const { status, said } = runTests(project(t, { "src/a.test.ts": passing, "src/half.test.ts": half }));
  assert.equal(status, 1);
  assert.match(said, /Cannot find module '[^']*missing\.ts' imported from [^ ]*half\.test\.ts/);
});

test("globs that match nothing fail the tests", (t) => {
  const { status, said } = runTests(project(t, { "src/a.test.ts": passing }), "src/none-*.test.ts");
  assert.equal(status, 1);
  assert.match(said, /No test file matches src\/none-\*\.test\.ts/);
});

test("a number of jobs that is none is refused, not taken for nothing to do", (t) => {
  const { status, said } = runTests(project(t, { "src/a.test.ts": passing }), "--jobs", "many");
  assert.equal(status, 1);
  assert.match(said, /--jobs needs a number from 1, and "many" is none/);
});

test("a skipped suite is counted and named with its reason", (t) => {
  const suite =
    'describe("at a terminal", { skip: "tmux is not installed" }, () => { test("draws", () => undefined); });\n';
  const root = project(t, { "src/a.test.ts": `import { describe, test } from "node:test";\n${suite}` });
  const { status, said } = runTests(root);
  assert.equal(status, 0);
  assert.match(said, /skipped: at a terminal \(tmux is not installed\)\n.*skipped 1/);
});

test("what a job took of the processors is told, with what it started", { skip: process.platform !== "linux" }, (t) => {
  const busy = "while (process.cpuUsage().user < 600_000);";
  const starting = `import { spawnSync } from "node:child_process";\nimport { test } from "node:test";
test("starts", () => void spawnSync(process.execPath, ["-e", ${JSON.stringify(busy)}]));\n`;
  const { said } = runTests(project(t, { "src/core/a.test.ts": starting }));
  assert.ok(Number(/ ([\d.]+) s of processor time/.exec(said)?.[1]) > 0.6, said);
});

test("tests make their folders where TMPDIR says, else in memory if they may, and nothing of them stays", (t) => {
  const telling = `import { writeFileSync } from "node:fs";\nimport { tmpdir } from "node:os";\nimport { test } from "node:test";
test("tells", () => writeFileSync("told", tmpdir()));\n`;
  const root = project(t, { "src/a.test.ts": telling });
  const told = (): string => readFileSync(join(root, "told"), "utf8");
  const { TMPDIR: given, ...env } = process.env;
  try {
    process.env = { ...env, TMPDIR: root };
    runTests(root);
    assert.equal(told(), root);
    process.env = env;
    runTests(root);
    const free = folderInMemory();
    assert.equal(/^\/dev\/shm\/superteam-tests-/.test(told()), free !== undefined);
    assert.equal(free !== undefined && existsSync(told()), false);
    assert.equal(folderInMemory("/proc"), undefined);
  } finally {
    process.env = { ...env, ...(given === undefined ? {} : { TMPDIR: given }) };
  }
});

test("a test that fails is shown with its error and named at the end", (t) => {
  const failing = 'import { test } from "node:test";\ntest("adds", () => { throw new Error("3 is not 4"); });\n';
  const { status, said } = runTests(project(t, { "src/core/a.test.ts": passing, "src/core/b.test.ts": failing }));
  assert.equal(status, 1);
  assert.match(said, /3 is not 4/);
  assert.match(said, /failing tests:\n✖ adds \(.*b\.test\.ts\)\n.*\ntests 2, passed 1, failed 1, skipped 0/);
});

test("--again runs what failed once more alone: what is green then is named unsteady, what is red stays red", (t) => {
  const once = (name: string): string => `
    import { existsSync, writeFileSync } from "node:fs";
    import { test } from "node:test";
    test("${name}", () => {
      if (existsSync("${name}.txt")) return;
      writeFileSync("${name}.txt", "");
      throw new Error("busy");
    });
  `;
  const never = 'import { test } from "node:test";\ntest("adds", () => { throw new Error("3 is not 4"); });\n';
  const unsteady = { "src/core/a.test.ts": passing, "src/core/b.test.ts": once("slow") };
  const first = runTests(project(t, unsteady), "--again");
  assert.equal(first.status, 0);
  assert.match(first.said, /unsteady, green only when run again alone: .*b\.test\.ts\n/);
  assert.match(first.said, /tests 2, passed 2, failed 0, skipped 0/);
  const second = runTests(project(t, { ...unsteady, "src/core/c.test.ts": never }), "--again");
  assert.equal(second.status, 1);
  assert.match(second.said, /failing tests:[\s\S]*✖ adds \(/);
  const without = runTests(project(t, unsteady));
  assert.equal(without.status, 1);
});

test("--again repeats a file that runs the tests of another in its own way, and not the other one", (t) => {
  const short = `import { test } from "node:test";
    test("holds", () => { if (process.env.LONG) throw new Error("only the long form fails"); });\n`;
  const long = 'process.env.LONG = "1";\nawait import("../holds.test.ts");\n';
  const root = project(t, { "test/holds.test.ts": short, "test/slow/long.test.ts": long });
  assert.equal(runTests(root, "--again", "test/slow/*.test.ts").status, 1);
});

test("--changed runs the tests that a change can reach, through what they import", (t) => {
  const root = project(t, {
    "src/deep.ts": "export const deep: number = 1;\n",
    "src/a.ts": 'export { deep } from "./deep.ts";\n',
    "src/a.test.ts": `import "./a.ts";\n${passing}`,
    "src/b.test.ts": passing,
  });
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "start");
  assert.match(runTests(root, "--changed").said, /Nothing that changed since HEAD is reached by a test/);
  writeFileSync(join(root, "src/deep.ts"), "export const deep: number = 2;\n");
  assert.match(runTests(root, "--changed").said, /tests 1, passed 1, failed 0, skipped 0/);
});

test("every file is in one job: unit tests with those of their room, others with a few of their folder, slow ones alone", () => {
  const letters = [..."abcdefghij"];
  const files = ["src/core", "test/e2e/cli", "test/slow"].flatMap((folder) =>
    letters.map((letter) => `${folder}/${letter}.test.ts`),
  );
  const jobs = makeJobs(files);
  assert.deepEqual(jobs.flatMap((job) => job.files).toSorted(), files);
  const sizes = Object.fromEntries(jobs.map((job) => [job.name, job.files.length]));
  assert.deepEqual(sizes, {
    ...Object.fromEntries(letters.map((letter) => [`test/slow/${letter}.test.ts`, 1])),
    "test/e2e/cli 1/2": 5,
    "test/e2e/cli 2/2": 5,
    "src/core": 10,
  });
});

test("no test file is left out: what the command finds and the slow ones are all there are", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const slow = findTests([...scripts["test:slow"].matchAll(/"([^"]+)"/g)].map(([, glob]) => glob));
  assert.ok(slow.length > 0 && slow.every(isSlow));
  assert.deepEqual([...findTests([]), ...slow].toSorted(), globSync("{src,test}/**/*.test.ts").toSorted());
});

test("a folder stands for the tests in it", () => {
  const files = globSync("src/core/review/**/*.test.ts").toSorted();
  assert.ok(files.length > 1);
  for (const given of ["src/core/review", "./src/core/review/"]) assert.deepEqual(findTests([given]), files);
  assert.deepEqual(findTests(["src/core/review", ...files]), files);
});

test("what tests start is bundled once, whole, and found by what they import", async (t) => {
  const cache = mkdtempSync(join(tmpdir(), "superteam-bundle-"));
  t.after(() => rmSync(cache, { recursive: true, force: true }));
  const folder = await bundle(cache);
  assert.equal(await bundle(cache), folder, "the same sources make the same");
  const named = globSync("test/**/*.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bbundled\("([^"]+)"\)/g)].map(([, program = ""]) => ({ file, program })),
  );
  assert.deepEqual([...new Set(named.map(({ program }) => program))].toSorted(), programs.toSorted());
  const graph = importGraph();
  for (const { file, program } of named.filter((each) => each.program.endsWith(".ts")))
    assert.ok(graph.get(file)?.includes(program), `${file} reaches ${program}`);
  const say = (file: string) => execFileSync(process.execPath, [file, "doctor", "--help"], { encoding: "utf8" });
  assert.equal(say(join(folder, "scripts/superteam.mjs")), say("scripts/superteam.mjs"));
});
