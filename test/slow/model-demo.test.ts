// The demo as a whole, in one process: the default pipeline, the real pi, and the scripted model. With its scenario
// complete it ends in commits and green tests; with one tool call left out it does not end well.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { Report } from "../../src/core/run/report.ts";
import { type Demo, openDemo } from "../../src/demo/open.ts";
import { personsFile, redTest } from "../../src/demo/repository/files.ts";
import { demoPlay } from "../../src/demo/scenario/play.ts";
import { failedTests } from "../../src/demo/scenario/scene.ts";
import { pi } from "../rig/model/pi.ts";
import { wholeRun } from "../rig/model/whole-run.ts";
import { withoutCall } from "../rig/model/without.ts";

const play = demoPlay({ latencyMs: 0 });

suite("the demo", { concurrency: 2 }, () => {
  test("ends with one commit per task and green tests, after a retry, a revision and a fix", () =>
    wholeRun(play, async ({ end, unanswered, demo, git, text }) => {
      assert.equal(end.how, "finished", unanswered.join());
      assertShown(stepsOf(demo));
      const subjects = (await git("log", "--reverse", "--format=%s", "HEAD~5..")).trim().split("\n");
      const kinds = [/design and plan/, /task 1 .* Token bucket/, /task 2/, /task 3/, /progress and summary/];
      for (const [index, kind] of kinds.entries()) assert.match(subjects[index] ?? "", kind);
      assert.equal(await git("status", "--porcelain"), `?? ${personsFile.path}\n`);
      assert.equal(await text(personsFile.path), personsFile.text);
      const tests = testsOf(demo);
      assert.equal(tests.status, 0, tests.stdout);
    }));

  test("ends well with a single pass too, when the person has fixed what the final review finds", () =>
    wholeRun(
      play,
      async ({ end, unanswered, demo, git, text }) => {
        assert.equal(end.how, "finished", unanswered.join());
        const steps = demo.requests.filter(({ turn }) => turn === 0).map(({ header }) => header?.step);
        assert.deepEqual(steps.slice(-3), ["finalize/final-review", "finalize/final-fix", "finalize/final-review"]);
        assert.match((await text("src/rate-limit.js")) ?? "", /clientIp\(request\)/);
        assert.match(await git("log", "--format=%s"), /final fixes/);
      },
      { "configure.review": "single-pass", "finalize.fix": "fix" },
    ));

  test("does the smallest whole thing as a hotfix, with three agents", () =>
    wholeRun(
      play,
      async ({ end, unanswered, demo, git, text }) => {
        assert.equal(end.how, "finished", unanswered.join());
        const steps = stepsOf(demo);
        assert.deepEqual(steps, ["brainstorm/scout 1", "execute/task-1/implement 1", "execute/task-1/spec-review 1"]);
        assert.match((await text("src/rate-limit.js")) ?? "", /status: 429/);
        assert.match((await text("src/index.js")) ?? "", /rate-limit[\s\S]*token-bucket/);
        assert.match(await git("log", "--format=%s"), /task 1 .* Add rate limiting/);
        assert.deepEqual(failedTests(testsOf(demo).stdout), [redTest], "what was red before is not part of it");
      },
      { "triage.mode": "hotfix" },
    ));

  test("designs one page in quick mode, and builds all of it", () =>
    wholeRun(
      play,
      async ({ end, unanswered, demo }) => {
        assert.equal(end.how, "finished", unanswered.join());
        const steps = stepsOf(demo);
        assert.deepEqual(steps.slice(0, 3), ["brainstorm/scout 1", "brainstorm/design 1", "plan-write/plan 1"]);
        assert.equal(steps.at(-1), "finalize/final-review 1");
        assert.equal(testsOf(demo).status, 0, testsOf(demo).stdout);
      },
      { "triage.mode": "quick" },
    ));

  test("hears its advisers in full mode, also when the goal is the design", () =>
    wholeRun(
      play,
      async ({ end, unanswered, demo }) => {
        assert.ok(end.how === "finished", unanswered.join());
        const steps = stepsOf(demo);
        assert.deepEqual(steps.slice(0, 2), ["brainstorm/scout 1", "plan-write/plan 1"]);
        for (const step of ["security-review", "performance-review"])
          assert.ok(steps.includes(`execute/task-2/${step}/${step} 1`), steps.join());
        const { tasks } = Report.parse(end.value);
        assert.deepEqual(
          tasks.map(({ deferred }) => deferred.length),
          [0, 2, 0],
        );
        assert.equal(testsOf(demo).status, 0, testsOf(demo).stdout);
      },
      {},
      { mode: "full", skipBrainstorm: true },
    ));

  const omissions = [
    {
      name: "a look of the scout",
      step: "brainstorm/scout",
      turn: 1,
      call: 1,
      asks: "brainstorm.questions.unparsable",
    },
    { name: "the writing of the plan", step: "plan-write/plan", turn: 1, call: 0, asks: "plan.write.unparsable" },
    { name: "the patch of the plan", step: "plan-review/patch", turn: 1, call: 0, asks: "plan.review" },
    { name: "the edit of the fix", step: "execute/task-2/fix", turn: 4, call: 0, asks: "execute.task.2.escalation" },
  ];
  for (const { name, asks, ...place } of omissions) {
    test(`does not finish without ${name}`, () =>
      wholeRun(withoutCall(play, place), ({ end, unanswered }) => {
        assert.equal(end.how, "suspended");
        assert.deepEqual(unanswered, [asks]);
      }));
  }
});

test("the demo's model is reached whatever proxy is configured", async () => {
  const folder = await mkdtemp(join(tmpdir(), "superteam-proxy-"));
  const demo = await openDemo(folder, () => ({ text: "here" }));
  const nowhere = "http://127.0.0.1:9";
  const env = { HTTP_PROXY: nowhere, http_proxy: nowhere, ALL_PROXY: nowhere, ...demo.environment };
  try {
    const end = await pi({ home: join(folder, "pi"), cwd: demo.repository, prompt: "Hello.", tools: "read", env });
    assert.equal(end.text, "here", end.last.errorMessage);
  } finally {
    await demo.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Who was started, in which step and at which attempt. */
function stepsOf({ requests }: Demo): readonly string[] {
  return requests.filter(({ turn }) => turn === 0).map(({ header }) => `${header?.step} ${header?.attempt}`);
}

/** What the repository's own tests say. */
function testsOf({ repository }: Demo) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, ["--test"], { cwd: repository, encoding: "utf8", env });
}

/** Each agent was started once, and those that the scenario plants were among them. */
function assertShown(steps: readonly string[]): void {
  const planted = [
    "brainstorm/questions 2",
    "brainstorm/section-2 1",
    "plan-review/patch 1",
    "plan-review/architect#2/architect-review 1",
    "execute/task-2/fix 1",
    "execute/task-2/spec-review 2",
    "finalize/final-review 1",
  ];
  for (const step of planted) assert.ok(steps.includes(step), `${step} is not among ${steps.join(", ")}`);
  assert.equal(new Set(steps).size, steps.length);
}
