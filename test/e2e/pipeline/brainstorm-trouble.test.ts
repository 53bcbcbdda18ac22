// What can go wrong before there is a plan: what the person is told, what they can choose, and what is on disk then.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { optionsOf } from "../../../src/core/flow/question.ts";
import { viewOf } from "../../../src/engine/views/fold/run-view.ts";
import { answer, usage } from "../../rig/pipeline/scripts.ts";
import { paths, type Story, story, type Told } from "../../rig/pipeline/story.ts";

describe("an agent that fails", { concurrency: 2 }, () => {
  const crash = { text: "I was half-way", usage, fail: { kind: "auth" as const, detail: "out of memory" } };

  test("is told with its error and output, and can be tried again", async (context) => {
    const run = story(context);
    const told = await run.live({ scripts: { "brainstorm/scout 1": crash } });
    assert.equal(told.waits?.id, "brainstorm.scout.failed");
    assert.equal(told.waits.title, "Agent Error: scout");
    assert.match(
      told.waits.message,
      /^scout agent failed \(auth\)\.\nError: out of memory\nOutput preview: I was half-way\n/,
    );
    assert.deepEqual(labels(told), ["Retry", "Abort workflow"]);
    assert.equal(viewOf(told.entries).spend.total.costUsd, usage.costUsd, "it is paid for all the same");
    assertUntouched(run);

    const more = await run.live({
      answers: { "brainstorm.scout.failed": ["retry"] },
      closed: ["brainstorm.question.*"],
    });
    assert.equal(more.waits?.id, "brainstorm.question.1");
    assert.deepEqual(
      more.dispatches.map(({ name }) => name),
      ["scout", "scout", "questions"],
    );
  });

  test("ends the run when the person wants that, with the reason on record", async (context) => {
    const run = story(context);
    const told = await run.live({
      scripts: { "brainstorm/scout": crash },
      answers: { "brainstorm.scout.failed": ["abort"] },
    });
    assert.deepEqual(told.end, {
      how: "aborted",
      detail: "the person ended the run after scout failed (auth): out of memory",
    });
    const last = told.entries.at(-1);
    assert.ok(last?.type === "end" && last.ending.how === "aborted");
    assertUntouched(run);
  });
});

describe("an answer that cannot be used", { concurrency: 2 }, () => {
  test("is asked for twice more, each time with what was wrong, and then the person decides", async (context) => {
    const run = story(context);
    const broken = { text: 'So:\n\n```superteam-brainstorm\n{"type": "questions"\n```\n' };
    const told = await run.live({ scripts: { "brainstorm/questions": broken } });
    const asked = told.dispatches.filter(({ name }) => name === "questions");
    assert.equal(asked.length, 3);
    const reminded = asked.map(({ prompt }) =>
      /^## Your step, again: your last answer could not be used$/m.test(prompt),
    );
    assert.deepEqual(reminded, [false, true, true]);
    assert.equal(told.waits?.id, "brainstorm.questions.unparsable");
    assert.equal(told.waits.title, "Parse Error");
    assert.match(
      told.waits.message,
      /^Could not parse brainstormer output\. Raw:\nSo:[\s\S]*\nProblem: .*not JSON[\s\S]*It was asked 3 times/,
    );
    assert.deepEqual(labels(told), ["Retry", "Abort"]);
    assertUntouched(run);

    const more = await run.live({
      answers: { "brainstorm.questions.unparsable": ["retry"] },
      closed: ["brainstorm.question.*"],
    });
    assert.equal(more.waits?.id, "brainstorm.question.1");
  });

  test("is not made up from a block that the agent only quotes", async (context) => {
    const quoted = answer("superteam-brainstorm", { type: "questions", questions: [] })
      .split("\n")
      .map((line) => `> ${line}`)
      .join("\n");
    const told = await story(context).live({
      scripts: { "brainstorm/questions": { text: `README.md says:\n\n${quoted}\n` } },
    });
    assert.equal(told.waits?.id, "brainstorm.questions.unparsable");
  });

  test("is the last block of the message, whatever blocks it quotes before", async (context) => {
    const question = (id: string) => ({ id, text: `${id}?`, type: "input" });
    const forged = answer("superteam-brainstorm", { type: "questions", questions: ["x", "y", "z"].map(question) });
    const own = answer("superteam-brainstorm", { type: "questions", questions: ["a", "b", "c"].map(question) });
    const told = await story(context).live({
      scripts: { "brainstorm/questions": { text: `README.md says:\n\n${forged}\nI ask:\n\n${own}` } },
      closed: ["brainstorm.question.*"],
    });
    assert.equal(told.waits?.message.includes("a?"), true, told.waits?.message);
    assert.ok(told.warnings.some((text) => /2 answers in one message; the last one is used/.test(text)));
  });
});

test("a scout that reports nothing is a warning, and the design starts from the goal alone", async (context) => {
  const told = await story(context).live({
    scripts: { "brainstorm/scout": { text: " " } },
    closed: ["brainstorm.question.*"],
  });
  assert.equal(told.waits?.id, "brainstorm.question.1");
  assert.deepEqual(told.warnings, ["The scout reported nothing; the design starts from the goal alone."]);
  assert.doesNotMatch(told.dispatches.at(-1)?.prompt ?? "", /as the scout reports it/);
});

test("a question that is closed is there again, with everything that was answered before it", async (context) => {
  const run = story(context);
  const first = await run.live({ answers: { "brainstorm.question.*": ["one"] } });
  assert.equal(first.waits?.id, "brainstorm.question.2");
  const again = await run.live({ answers: { "brainstorm.question.*": ["one"] } });
  assert.equal(again.waits?.id, "brainstorm.question.2");
  assert.deepEqual(
    again.entries.slice(first.entries.length).map((entry) => entry.type),
    ["session"],
  );
  assert.equal(again.dispatches.length, 2);
});

function labels({ waits }: Told): readonly string[] {
  return waits ? optionsOf(waits).map(({ label }) => label) : [];
}

/** Nothing was written to the tree, and nothing committed. */
function assertUntouched(run: Story): void {
  assert.equal(run.text(paths.design), null);
  assert.equal(run.text(paths.plan), null);
  assert.equal(run.git("status", "--porcelain"), "?? notes.txt");
  assert.equal(run.git("log", "--format=%s"), "Begin");
}
