// Continuous validation as a person gets it without any setting: the tests of a real repository are found, what was red before is
// known, and what each task does to them is named in the report.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { ModelPlay, Reaction } from "../../../src/demo/model/play.ts";
import { type Cli, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";

const testFile = (body: string): string =>
  `import assert from "node:assert/strict";\nimport { existsSync, writeFileSync } from "node:fs";\nimport { test } from "node:test";\n${body}\n`;
const sumTest = testFile(`import { sum } from "../sum.mjs";\ntest("adds", () => assert.equal(sum(1, 2), 3));`);

const differenceTest = testFile(
  `import { difference } from "../sum.mjs";\ntest("takes away", () => assert.equal(difference(3, 1), 2));`,
);

const given = {
  // In one process: the runs are many, and a process for each file takes longer than all the rest.
  "package.json": JSON.stringify({ name: "letters", scripts: { test: "node --test --test-isolation=none" } }),
  "test/old.test.mjs": testFile(
    `test("an old bug", () => assert.fail("red since last year"));\ntest("is fine", () => {});`,
  ),
  "test/doomed.test.mjs": testFile(`test("goes away", () => {});`),
};

/** Fails the first time, whatever it is about: the folder of git is in no tree. */
const flakyTest = testFile(
  `test("now and then", () => { const seen = existsSync(".git/seen"); writeFileSync(".git/seen", ""); assert.ok(seen); });`,
);

const write = (path: string, content: string) => ({ name: "write", args: { path, content } });
const goodSum = "export const sum = (a, b) => a + b;\n";

/** What the implementers do, by step: each in its first turn. The fourth and the sixth write a letter, which no test is about. */
const deeds: Readonly<Record<string, Reaction["tools"]>> = {
  "execute/task-1/implement": [write("sum.mjs", goodSum), write("test/sum.test.mjs", sumTest)],
  "execute/task-2/implement": [write("sum.mjs", "export const sum = (a, b) => a - b;\n")],
  "execute/task-2/fix": [
    write("sum.mjs", `${goodSum}export const difference = (a, b) => a - b;\n`),
    write("test/difference.test.mjs", differenceTest),
  ],
  "execute/task-3/implement": [write("test/flaky.test.mjs", flakyTest)],
  "execute/task-5/implement": [{ name: "bash", args: { command: "rm test/doomed.test.mjs" } }],
};

function commit(cli: Cli, files: Readonly<Record<string, string>>): void {
  rmSync(join(cli.root, ".superteam.json"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cli.root, path)), { recursive: true });
    writeFileSync(join(cli.root, path), text);
  }
  cli.git("add", "-A");
  cli.git("-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-q", "-m", "Have tests");
}

/** The small play with these deeds in it. */
function playing(own: typeof deeds, count: number): ModelPlay {
  const others = smallPlay(undefined, count);
  return (turn) => {
    const tools = own[turn.header?.step ?? ""];
    if (tools === undefined) return others(turn);
    return turn.turn === 0 ? { text: "I do it.", tools } : { text: "Done." };
  };
}

test("S3-7, X-6: six tasks by default settings: what was red, what broke and was repaired, what is flaky and what vanished is named", async (context) => {
  const cli = await openCli(context, { play: playing(deeds, 6) });
  commit(cli, given);
  const answers = cli.beside("all.json", { ...allAnswers, "execute.task.2.escalation": "retry" });
  const exit = await cli.go("run", goal, "--answers", answers);
  assert.equal(exit.code, 0, exit.stderr);
  const report = (await cli.go("report")).stdout;
  const [, tests = ""] = /## Tests\n([\s\S]*?)\n\n/.exec(report) ?? [];
  assert.deepEqual(tests.split("\n"), [
    "- `npm test`, by name (node --test): 3 tests before any work, 5 at the end",
    "- Red before any work: test/old.test.mjs › an old bug (still red)",
    "- Task 1, test first: red without the change (test/sum.test.mjs), green with it (test/sum.test.mjs › adds)",
    "- Task 2, test first: red without the change (test/difference.test.mjs), green with it (test/difference.test.mjs › takes away)",
    "- Task 2 broke: test/sum.test.mjs › adds (repaired before its commit)",
    "- Task 3 met a flaky test: test/flaky.test.mjs › now and then",
    "- Task 5 no longer runs: test/doomed.test.mjs › goes away",
  ]);
  assert.match(report, /✅ A letter/, "the tests have passed the work");
  assert.match(
    exit.stderr,
    /▲ +✓ tests: 5 tests, passed, 1 red as before\n +no longer run: test\/doomed\.test\.mjs › goes away\n/,
  );
  assert.match(
    report,
    /- Task 1: `npm test` passed in \d+s \(4 tests\) for tree [0-9a-f]{7,}; spec-reviewer: approved \([^,]+, <?\$[\d.]+, \d+s\)/,
  );
  const asked = (await cli.entries()).flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "ask" && entry.request.question.id.startsWith("execute.task.2")
      ? [entry.request.question.message]
      : [],
  );
  assert.equal(asked.length, 1);
  assert.match(asked[0] ?? "", /introduced a test regression\.\n.*\n {2}- test\/sum\.test\.mjs › adds\n/);
  assert.match(asked[0] ?? "", /-export const sum = \(a, b\) => a \+ b;\n\+export const sum = \(a, b\) => a - b;/);
  const fix = (await cli.entries()).find(
    ({ type, ...entry }) => type === "begin" && "key" in entry && entry.key === "execute/task-2/dispatch:fix#1",
  );
  assert.ok(fix?.type === "begin" && fix.request.do === "dispatch");
  assert.match(
    fix.request.prompt,
    /Your change broke these tests, which passed before it.*\n- test\/sum\.test\.mjs › adds/,
  );
});

test("X-6: a repository without tests is not checked until a task brings some; an agent that deletes them all has to restore them", async (context) => {
  const play = playing(
    {
      "execute/task-2/implement": [write("sum.mjs", goodSum), write("test/sum.test.mjs", sumTest)],
      "execute/task-3/implement": [{ name: "bash", args: { command: "rm -r test; echo Dear > letter-3.txt" } }],
      "execute/task-3/fix": [write("test/sum.test.mjs", sumTest)],
    },
    3,
  );
  const cli = await openCli(context, { play });
  commit(cli, { "package.json": given["package.json"] });
  const exit = await cli.go("run", goal, "--answers", cli.beside("all.json", allAnswers));
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stderr, /`npm test` finds no tests\. Until there are some, it checks nothing\./);
  const log = (await cli.go("log")).stdout;
  assert.match(log, /task 1: npm test: no tests yet/);
  assert.match(
    log,
    /task 3: npm test: failed; npm test no longer runs any tests; no longer run: test\/sum\.test\.mjs › adds/,
  );
  const fix = (await cli.entries()).find(
    (entry) => entry.type === "begin" && entry.key.endsWith("task-3/dispatch:fix#1"),
  );
  assert.ok(fix?.type === "begin" && fix.request.do === "dispatch");
  assert.match(fix.request.prompt, /No tests run now\. Before this work: 1 test\./);
  assert.equal(cli.file("test/sum.test.mjs"), sumTest);
});

const plain = {
  "package.json": JSON.stringify({ name: "letters", scripts: { test: "node --test" } }),
  "test/good.test.mjs": testFile(`test("is fine", () => {});`),
};

test("S3-35: with every-N, the task that broke a test is found by bisecting real commits, in worktrees that are gone afterwards", async (context) => {
  const play = playing(
    {
      "execute/task-1/implement": [write("other.mjs", "export const one = 1;\n")],
      "execute/task-2/implement": [write("sum.mjs", "export const sum = (a, b) => a - b;\n")],
      "execute/task-3/implement": [write("third.mjs", "export const three = 3;\n")],
      "execute/task-3/fix": [write("sum.mjs", goodSum)],
    },
    3,
  );
  const cli = await openCli(context, { play });
  // npm takes longer to start than all these tests take, and they run often here.
  const testCommand = "node --test --test-isolation=none";
  const config = JSON.stringify({ validationCadence: "every-N", tdd: "off", testCommand });
  commit(cli, { ...plain, "sum.mjs": goodSum, "test/sum.test.mjs": sumTest, ".superteam.json": config });
  const answers = cli.beside("all.json", { ...allAnswers, "execute.task.3.escalation": "retry" });
  const exit = await cli.go("run", goal, "--answers", answers);
  assert.equal(exit.code, 0, exit.stderr);
  const asked = (await cli.entries()).flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "ask" && entry.request.question.id === "execute.task.3.escalation"
      ? [entry.request.question.message]
      : [],
  );
  assert.match(asked[0] ?? "", /Task 2, ".*" \([0-9a-f]{7}\), broke: test\/sum\.test\.mjs › adds/);
  assert.match(asked[0] ?? "", /\+export const sum = \(a, b\) => a - b;/);
  assert.doesNotMatch(asked[0] ?? "", /other\.mjs|third\.mjs/, "the diff is of task 2 alone");
  const report = (await cli.go("report")).stdout;
  assert.match(report, /- Task 2 broke: test\/sum\.test\.mjs › adds \(repaired since\)/);
  assert.doesNotMatch(report, /tests pending/, "they have run for all");
  assert.match((await cli.go("log")).stdout, /task 1 complete, tests pending/);
  assert.equal(cli.git("worktree", "list").trim().split("\n").length, 1);
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test("C-41: Python's own environment is in no worktree: the person is asked, and worktree.setup makes one", {
  skip: hasPython ? false : "python3 is not here",
}, async (context) => {
  const testOf = (name: string): string => `import unittest
class ${name}(unittest.TestCase):
    def test_it(self):
        import ${name.toLowerCase()}
`;
  const play = playing(
    {
      "execute/task-1/implement": [write("letter.py", "dear = 1\n"), write("tests/test_letter.py", testOf("Letter"))],
    },
    1,
  );
  const cli = await openCli(context, { play });
  commit(cli, { ".gitignore": ".venv/\n__pycache__/\n", "old.py": "", "tests/test_old.py": testOf("Old") });
  const venv = "python3 -m venv --without-pip .venv";
  execFileSync("sh", ["-c", venv], { cwd: cli.root });
  const answers = cli.beside("all.json", allAnswers);
  const asked = await cli.go("run", goal, "--answers", answers);
  assert.equal(asked.code, 2, asked.stderr);
  assert.match(
    asked.stderr,
    /Before any work: \.venv\/bin\/python -m unittest discover -s tests: 1 test \(unittest\), all green/,
  );
  assert.match(asked.stderr, /`\.venv\/bin\/python -m unittest discover -s tests` cannot be run there:/);
  cli.beside("config/superteam/config.json", { execution: { warmSpares: false }, worktree: { setup: venv } });
  const again = await cli.go(
    "resume",
    "--answers",
    cli.beside("more.json", { ...allAnswers, "execute.place": "retry" }),
  );
  assert.equal(again.code, 0, again.stderr);
  assert.match(
    (await cli.go("report")).stdout,
    /Task 1, test first: red without the change \(.*test_letter\.Letter › test_it.*\), green with it/,
  );
  assert.equal(cli.git("worktree", "list").trim().split("\n").length, 1);
});

test("S2: a command that was found is shown, and runs only once it is trusted", async (context) => {
  const cli = await openCli(context, { trust: false });
  commit(cli, plain);
  const doctor = (await cli.go("doctor")).stdout;
  assert.match(
    doctor,
    /▲ tests +none yet\. The next run asks whether you trust: npm test \(package\.json: node --test\)/,
  );
  assert.match(doctor, /✓ worktrees +work, in \//);
  const without = await cli.go("run", goal);
  assert.match(without.stderr, /Ignored, because you have not trusted it: `npm test`/);
  assert.match(without.stderr, /Not checked: no test command or check is in use/);
  const asked = (await cli.entries()).find((entry) => entry.type === "begin" && entry.key.startsWith("~ask:preflight"));
  assert.ok(asked?.type === "begin" && asked.request.do === "ask");
  assert.match(
    asked.request.question.message,
    /It runs this command after each change: npm test \(package\.json: node --test\)/,
  );
  const trust = cli.beside("trust.json", { "preflight.trust": "trust" });
  await cli.go("resume", "--answers", trust);
  assert.match((await cli.go("log")).stdout, /trusted \(from the answers file\): `npm test`/);
  await cli.go("abort");
  assert.match((await cli.go("doctor")).stdout, /✓ tests +after each change: npm test \(package\.json: node --test\)/);
  writeFileSync(join(cli.root, "package.json"), JSON.stringify({ scripts: { test: "curl evil" } }));
  assert.match((await cli.go("doctor")).stdout, /▲ tests +none yet/, "trust is for exactly this script");
});

test("doctor warns where no worktree can be made, and says what to set", async (context) => {
  const cli = await openCli(context);
  commit(cli, plain);
  // A file where the user's own state would be: this stops root as well.
  writeFileSync(join(dirname(cli.root), ".local"), "");
  const { stdout } = await cli.go("doctor");
  assert.match(stdout, /▲ worktrees +cannot be created in \/.*\/worktrees: .*Set worktree\.folder/);
});

for (const how of ["found", "set in .superteam.json"] as const)
  test(`S2: an agent that changes the script behind a trusted command, ${how}, proves nothing by it, and has to put it back`, async (context) => {
    const cheat = JSON.stringify({ name: "letters", scripts: { test: "true" } });
    const play = playing(
      {
        "execute/task-1/implement": [write("letter.txt", "Dear reader,"), write("package.json", cheat)],
        "execute/task-1/fix": [write("package.json", plain["package.json"])],
      },
      1,
    );
    const cli = await openCli(context, { play });
    commit(cli, how === "found" ? plain : { ...plain, ".superteam.json": '{ "testCommand": "npm test" }' });
    const exit = await cli.go("run", goal, "--answers", cli.beside("all.json", allAnswers));
    assert.equal(exit.code, 0, exit.stderr);
    assert.match(exit.stderr, /Ignored: .*`npm test` (?:changed|removed) since you trusted this repository/);
    const fix = (await cli.entries()).find((entry) => entry.type === "begin" && entry.key.endsWith("dispatch:fix#1"));
    assert.ok(fix?.type === "begin" && fix.request.do === "dispatch");
    assert.match(
      fix.request.prompt,
      /Not run\. In package\.json, npm test now runs: true\nThe person trusted: node --test/,
    );
    assert.equal(cli.file("package.json"), plain["package.json"]);
  });

for (const settings of ["no settings", "settings that nobody trusts"] as const)
  test(`S2: a command of your own configuration needs no question, and the script behind it is the one of the start of the run, in a repository with ${settings}`, async (context) => {
    const play = playing(
      {
        "execute/task-1/implement": [
          write("letter.txt", "Dear reader,"),
          write("package.json", JSON.stringify({ scripts: { test: "true" } })),
        ],
        "execute/task-1/fix": [write("package.json", plain["package.json"])],
      },
      1,
    );
    const cli = await openCli(context, { play, trust: false });
    commit(cli, settings === "no settings" ? plain : { ...plain, ".superteam.json": '{ "tdd": "off" }' });
    const own = { execution: { warmSpares: false }, testCommand: "npm test" };
    cli.beside("config/superteam/config.json", own);
    const exit = await cli.go("run", goal, "--answers", cli.beside("all.json", allAnswers));
    assert.equal(exit.code, 0, exit.stderr);
    const [start = ""] = exit.stderr.split("── Brainstorm ──");
    if (settings === "no settings") assert.doesNotMatch(start, /trust/i);
    else assert.match(start, /Trust this repository\? → Continue without them/);
    assert.match(exit.stderr, /Trust this repository\? → Continue with what you trusted/);
    const fix = (await cli.entries()).find((entry) => entry.type === "begin" && entry.key.endsWith("dispatch:fix#1"));
    assert.ok(fix?.type === "begin" && fix.request.do === "dispatch");
    assert.match(fix.request.prompt, /Not run\. In package\.json, npm test now runs: true\n/);
    assert.match((await cli.go("report")).stdout, /✅ A letter/);
  });

const eventsIn = (cli: Cli): readonly Readonly<Record<string, unknown>>[] =>
  readFileSync(join(cli.run, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("T3: what an agent does to the files that a trusted command runs from is told to the person, the reviewers and programs, and stops nothing; E3b: nor does a check that commits", async (context) => {
  const committing = `import { execFileSync } from "node:child_process";
execFileSync("git", ["-c", "user.name=c", "-c", "user.email=c@example.org", "commit", "-q", "--allow-empty", "-m", "By a check"]);
`;
  const play = playing(
    {
      "execute/task-1/implement": [
        write("letter.txt", "Dear reader,"),
        write("scripts/check.mjs", committing),
        { name: "bash", args: { command: "echo 'exit 0' > node_modules/.bin/tool" } },
      ],
    },
    2,
  );
  const cli = await openCli(context, { play });
  commit(cli, {
    "package.json": JSON.stringify({ scripts: { test: "node scripts/check.mjs && tool" } }),
    "scripts/check.mjs": "",
    ".superteam.json": '{ "tdd": "off" }',
    ".gitignore": "node_modules\n",
    "node_modules/.bin/tool": "#!/bin/sh\n",
  });
  chmodSync(join(cli.root, "node_modules/.bin/tool"), 0o755);
  const exit = await cli.go("run", goal, "--answers", cli.beside("all.json", allAnswers));
  assert.equal(exit.code, 0, exit.stderr);
  const edited = "Task 1 changes scripts/check.mjs, which `npm test` runs";
  const replaced = "node_modules/.bin/tool, which `npm test` runs, changed in the meantime, and no diff shows it";
  assert.equal(exit.stderr.match(/▲ +Task 1 changes scripts\/check\.mjs/g)?.length, 1, "the person is told once");
  assert.match(
    exit.stderr,
    /`npm test` moved HEAD to main \([0-9a-f]{7}\)\. .* was undone; .* kept at refs\/superteam\//,
  );
  assert.ok(!cli.git("log", "--format=%s").includes("By a check"));
  const report = (await cli.go("report")).stdout;
  assert.ok(report.includes(`- ${edited}; ${replaced}`), report);
  const [event, ...others] = eventsIn(cli).filter((one) => one["type"] === "scripts.changed");
  assert.deepEqual(others, []);
  assert.deepEqual(
    [event?.["task"], event?.["command"], event?.["changed"], event?.["unseen"]],
    ["1", "npm test", ["scripts/check.mjs"], ["node_modules/.bin/tool"]],
  );
  const prompts = (await cli.entries()).flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "dispatch" && entry.request.name.endsWith("-review")
      ? [[entry.key, entry.request.prompt] as const]
      : [],
  );
  const told = prompts.filter(([, prompt]) => prompt.includes("edits scripts/check.mjs, which `npm test` runs"));
  assert.ok(told.some(([key]) => key.includes("task-1")) && told.some(([key]) => key.includes("final-review")));
  assert.ok(!told.some(([key]) => key.includes("task-2")));
});

test("superteam init writes what was found, with comments, and leaves a file that is there alone", async (context) => {
  const cli = await openCli(context, { trust: false });
  commit(cli, { "package.json": JSON.stringify({ scripts: { test: "node --test", lint: "eslint ." } }) });
  const made = await cli.go("init");
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /testCommand: npm test \(package\.json: node --test\)/);
  const text = cli.file(".superteam.json") ?? "";
  assert.match(text, /\/\/ The test suite.* Found in package\.json\.\n {2}"testCommand": "npm test"/);
  assert.match((await cli.go("doctor")).stdout, /tests +none yet\. Once you trust \.superteam\.json: npm test/);
  const again = await cli.go("init");
  assert.equal(again.code, 4);
  assert.match(again.stderr, /exists already and was not changed/);
  assert.equal(cli.file(".superteam.json"), text);
});

test("superteam init says that no tests are run where it found a check alone", async (context) => {
  const cli = await openCli(context, { trust: false });
  commit(cli, { "package.json": JSON.stringify({ scripts: { lint: "eslint ." } }) });
  const { stdout } = await cli.go("init");
  assert.match(stdout, /validationCommand: npm run lint/);
  assert.match(
    stdout,
    /No test command was found, so no tests will run\. Set testCommand in this file, or add tests first\./,
  );
  const text = cli.file(".superteam.json") ?? "";
  assert.match(text, /\n {2}\/\/ "testCommand": "npm test",\n[\s\S]*\n {2}"validationCommand": "npm run lint"\n/);
  // Tests that come later are found, and so is what is no comment any more.
  commit(cli, { "package.json": JSON.stringify({ scripts: { test: "node --test", lint: "eslint ." } }) });
  assert.match((await cli.go("doctor")).stdout, /tests +none yet\. .*: npm test \(package\.json: node --test\)/);
  writeFileSync(join(cli.root, ".superteam.json"), text.replace('// "testCommand"', '"testCommand"'));
  assert.match((await cli.go("doctor")).stdout, /tests +none yet\. .*: npm test/);
});
