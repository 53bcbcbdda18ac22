// The tool `workflow` in the real pi, over RPC: a scripted model calls it, and the person beside it types /workflow.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pendingQuestion } from "../../src/engine/views/run-view.ts";
import { viewOf } from "../../src/hosts/run/show.ts";
import { type Cli, openCli } from "../rig/cli/cli.ts";
import { goal, questionsInOrder } from "../rig/cli/small-play.ts";
import { answer, answerAll, pending } from "../rig/pi-host/answering.ts";
import { CallingModel } from "../rig/pi-host/model.ts";
import { openPi, type PiSession, type Shown } from "../rig/pi-host/session.ts";

/** Whose each answer was, by question. */
async function answerers(cli: Cli): Promise<Readonly<Record<string, string>>> {
  const entries = await cli.entries();
  const asked = new Map(
    entries.flatMap((entry) =>
      entry.type === "begin" && entry.request.do === "ask" ? [[entry.key, entry.request.question.id] as const] : [],
    ),
  );
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const id = entry.type === "settle" ? asked.get(entry.key) : undefined;
      return entry.type === "settle" && id !== undefined ? [[id, entry.by ?? "person"]] : [];
    }),
  );
}

const waitsFor = async (cli: Cli): Promise<string | undefined> =>
  pendingQuestion(viewOf(await cli.entries()))?.question.id;

const theirs =
  /This is the person's decision: a model cannot take it[\s\S]*typing \/workflow in this pi[\s\S]*superteam answer/;

/** The person takes what waits for them by typing /workflow; at the next question they leave. */
async function personDecides(pi: PiSession, cli: Cli): Promise<Shown> {
  await pi.type("/workflow");
  await answer(pi, cli, await pi.dialog());
  const next = await pi.dialog();
  pi.close(next);
  await pi.until(
    (record) => record.statusKey === "workflow" && record.statusText === undefined && isAfter(pi, record, next),
    "a run at rest",
  );
  return next;
}

const isAfter = (pi: PiSession, record: Shown, other: Shown): boolean =>
  pi.records.indexOf(record) > pi.records.indexOf(other);

test("a model starts a run and answers what is left to it; what is the person's only they decide, in dialogs", async (context) => {
  const model = new CallingModel();
  const cli = await openCli(context, { play: model.play() });
  const pi = openPi(context, cli);

  const begun = await model.call(pi, goal);
  assert.equal(begun.failed, false);
  assert.match(
    begun.text,
    /Run \S+: Write a letter[\s\S]*\$0\.00[\s\S]*Question preflight\.trust: Trust this repository\?/,
  );
  assert.match(begun.text, /1\) trust: Trust and go on\n2\) without: Go on without them — profiles are ignored/);
  assert.match(begun.text, theirs);
  await pi.told(/^The run waits for your decision: Trust this repository\?\. \/workflow asks you\.$/);
  await personDecides(pi, cli);
  assert.match((await personDecides(pi, cli)).title ?? "", /^Question 1 of 3/);

  const asked = await model.call(pi);
  assert.match(asked.text, /Question brainstorm\.question\.1: Question 1 of 3\nq1\?/);
  assert.match(asked.text, /call this tool again with the text of the answer as its input/);
  assert.match(asked.text, /the usual answer is: Use your best judgment/);
  for (const said of ["one", "two"])
    assert.match((await model.call(pi, said)).text, /Question brainstorm\.question\.\d/);
  const approach = await model.call(pi, "three");
  assert.match(approach.text, /brainstormer answered: approaches/, "what happened is told");
  assert.match(approach.text, /1\) plain: plain — plain \(1 task\) \(recommended\)\n2\) fancy/);
  assert.match(approach.text, /with the key, number or label of an option/);
  assert.ok(pi.records.some(({ type }) => type === "tool_execution_update"));

  const before = (await cli.entries()).length;
  const wrong = await model.call(pi, "7");
  assert.equal(wrong.failed, true);
  assert.match(
    wrong.text,
    /"7" is not an answer to brainstorm\.approach\. Choose one of: 1\) plain \(plain\), 2\) fancy/,
  );
  assert.match(wrong.text, /Nothing was changed\./);
  assert.equal((await cli.entries()).length, before);

  const section = await model.call(pi, "1");
  assert.match(section.text, /Question brainstorm\.section\.1/);
  assert.match(section.text, theirs);
  const kept = (await cli.entries()).length;
  const refused = await model.call(pi, "yes");
  assert.equal(refused.failed, true);
  assert.match(refused.text, /brainstorm\.section\.1 is the person's decision: a model cannot answer it\./);
  assert.match(refused.text, theirs);
  assert.equal((await cli.entries()).length, kept);

  await pi.type("/workflow");
  await answerAll(pi, cli, 5);
  await pi.told(/Complete! 1\/1 tasks/);
  assert.deepEqual(await answerers(cli), {
    "preflight.trust": "person",
    ...Object.fromEntries(questionsInOrder.map(([id]) => [id, "person"])),
    "brainstorm.question.1": "model",
    "brainstorm.question.2": "model",
    "brainstorm.question.3": "model",
    "brainstorm.approach": "model",
  });
  const log = await cli.go("log");
  assert.match(log.stdout, /a model answered brainstorm\.approach: plain/);
  assert.match(log.stdout, / {2}answered plan\.approval: approve/);
});

test("a run is finished by a model's calls, with all that is the person's answered in a terminal", async (context) => {
  const model = new CallingModel();
  const cli = await openCli(context, { play: model.play() });
  const pi = openPi(context, cli);
  await model.call(pi, goal);
  const models: string[] = [];
  let last = "";
  for (let id = await waitsFor(cli); id !== undefined; id = await waitsFor(cli)) {
    const said = id === "preflight.trust" ? "trust" : (questionsInOrder.find(([each]) => each === id)?.[1] ?? "");
    // Nobody answers what they were not shown.
    await model.call(pi, "status");
    const called = await model.call(pi, said);
    last = called.text;
    if (called.failed) await cli.go("answer", said, "--id", id);
    else models.push(id);
  }
  assert.deepEqual(models, [
    "brainstorm.question.1",
    "brainstorm.question.2",
    "brainstorm.question.3",
    "brainstorm.approach",
    "configure.execution",
  ]);
  assert.match(last, /finalize\.docs is the person's decision/);
  assert.equal(cli.file("letter.txt"), "Dear reader,\n");
  assert.match((await model.call(pi, "status")).text, /^No run is active in this tree\./);
});

test("words that were meant for something else are no answer: a model answers what it was shown", async (context) => {
  const model = new CallingModel();
  const cli = await openCli(context, { play: model.play() });
  const pi = openPi(context, cli);
  for (const input of [undefined, "", "resume", "abort"]) {
    const none = await model.call(pi, input);
    assert.deepEqual([none.failed, none.text.split(".")[0]], [true, "No run is active in this tree"], input);
  }
  assert.deepEqual(cli.traces(), []);
  await cli.go("run", goal, "--mode", "standard");
  const before = (await cli.entries()).length;

  const another = await model.call(pi, "Build a house");
  assert.equal(another.failed, true);
  assert.match(another.text, /"Build a house" is no answer to anything you were shown: a run is active already/);
  assert.match(another.text, /which is the person's decision: \/workflow <what to build> asks them/);
  assert.match(another.text, /Question brainstorm\.question\.1/);
  await cli.go("answer", "one");
  const stale = await model.call(pi, "one");
  assert.equal(stale.failed, true, "the person was faster");
  assert.match(stale.text, /Question brainstorm\.question\.2/);
  assert.equal((await pending(cli)).id, "brainstorm.question.2");
  assert.ok((await cli.entries()).length > before);
  assert.equal((await model.call(pi, "two")).failed, false);
  assert.deepEqual(Object.values(await answerers(cli)).slice(-2), ["person", "model"]);
});
