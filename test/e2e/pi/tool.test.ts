// The tool `workflow` in the real pi, over RPC: a scripted model calls it, and the person beside it types /workflow.

import assert from "node:assert/strict";
import { test } from "node:test";
import { viewOf } from "../../../src/engine/views/fold/run-view.ts";
import type { Cli } from "../../rig/cli/cli.ts";
import { goal, questionsInOrder } from "../../rig/cli/small-play.ts";
import { allowStart, answerAll, pending } from "../../rig/pi-host/answering.ts";
import { CallingModel } from "../../rig/pi-host/model.ts";
import type { PiSession, Shown } from "../../rig/pi-host/session.ts";
import { sharePi } from "../../rig/pi-host/shared.ts";

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

const theirs =
  /This is the person's decision: a model cannot take it[\s\S]*typing \/workflow in this pi[\s\S]*superteam answer/;

/** The person takes what waits for them by typing /workflow, and leaves at the next question. */
async function personDecides(pi: PiSession, cli: Cli, count = 1): Promise<Shown> {
  await pi.type("/workflow");
  await answerAll(pi, cli, count);
  const next = await pi.dialog();
  const isNew = pi.fromNow();
  pi.close(next);
  const isSuspended = ({ message = "" }: Shown): boolean => message.startsWith("The run is suspended.");
  await pi.until((record) => isNew(record) && isSuspended(record), "a suspended run");
  return next;
}

test("a model starts a run and answers what is left to it; what is the person's only they decide, in dialogs", async (context) => {
  const model = new CallingModel();
  const { cli, pi } = await sharePi(context, model.play());

  const starting = await model.begin(pi, goal);
  await allowStart(pi, cli);
  const begun = await starting();
  assert.equal(begun.failed, false);
  assert.match(
    begun.text,
    /Run \S+: Write a letter[\s\S]*\$0\.00[\s\S]*Question preflight\.trust: Trust this repository\?/,
  );
  assert.match(
    begun.text,
    /1\) without: Continue without them — your own configuration applies\n2\) trust: Trust them/,
  );
  assert.match(begun.text, theirs);
  await pi.told(/^The run waits for your decision: Trust this repository\? \/workflow asks you\.$/);
  assert.match((await personDecides(pi, cli, 2)).title ?? "", /^Question 1 of 3/);

  const asked = await model.call(pi);
  assert.match(asked.text, /Question brainstorm\.question\.1: Question 1 of 3\nq1\?/);
  assert.match(asked.text, /call this tool again with the text of the answer as its input/);
  assert.match(asked.text, /Unless the person wants something else, answer: Use your best judgment/);
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
  assert.match(wrong.text, /"7" is not an answer to brainstorm\.approach\. Choose one of: 1\) plain, 2\) fancy/);
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

  await personDecides(pi, cli, 2);
  assert.match((await model.call(pi)).text, /Question configure\.execution[\s\S]*To answer, call this tool again/);
  assert.match((await model.call(pi, "auto (run all tasks)")).text, /Question configure\.review/);
  assert.match((await model.call(pi, "single-pass")).text, /configure\.review is the person's decision/);
  await pi.type("/workflow");
  await answerAll(pi, cli, 2);
  await pi.told(
    /## Decided for You\n- by a model: the start of this run, brainstorm\.question\.1, .*brainstorm\.approach, configure\.execution\n/,
  );
  assert.deepEqual(await answerers(cli), {
    "preflight.start": "person",
    "preflight.trust": "person",
    ...Object.fromEntries(questionsInOrder.map(([id]) => [id, "person"])),
    "brainstorm.question.1": "model",
    "brainstorm.question.2": "model",
    "brainstorm.question.3": "model",
    "brainstorm.approach": "model",
    "configure.execution": "model",
  });
  const log = await cli.go("log");
  assert.match(log.stdout, /run \S+ started by a model: Write a letter/);
  assert.match(log.stdout, /answered brainstorm\.approach: plain \(by a model\)/);
  assert.match(log.stdout, / {2}answered plan\.approval: Approve/);
});

test("G4: a model's start waits for the person's yes: a no ends the run before anything happens", async (context) => {
  const model = new CallingModel();
  const { cli, pi } = await sharePi(context, model.play());
  const paid = (): number => cli.server.requests.filter(({ header }) => header !== null).length;
  const before = paid();
  const starting = await model.begin(pi, goal);
  const dialog = await pi.dialog();
  assert.match(dialog.title ?? "", /^Start this run\?[\s\S]*A model asks to start a run[\s\S]*Write a letter/);
  assert.deepEqual(
    dialog.options?.map((option) => option.slice(0, 2)),
    ["No", "Ye"],
  );
  assert.equal(paid(), before, "nobody was paid");
  const runId = cli.active;
  pi.answer(dialog, "No");
  assert.match((await starting()).text, /No run is active in this tree now\.$/);
  assert.equal(cli.active, undefined);
  assert.match((await cli.go("log", runId ?? "")).stdout, /started by a model[\s\S]*the person said no/);
});

test("a run that asks nobody anything ends in the call that starts it, with its report", async (context) => {
  const model = new CallingModel();
  const { cli, pi } = await sharePi(context, model.play());
  cli.beside("config/superteam/config.json", { mode: "hotfix", execution: { warmSpares: false } });
  cli.git("rm", "-q", ".superteam.json");
  cli.git("-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-q", "-m", "Ask for nothing");
  const starting = await model.begin(pi, goal);
  await allowStart(pi, cli);
  const { text, failed, costUsd } = await starting();
  assert.equal(failed, false);
  assert.ok(costUsd > 0);
  assert.equal(costUsd, viewOf(await cli.entries()).spend.total.costUsd, "pi adds it to what its session has cost");
  assert.match(text, /# Workflow Complete[\s\S]*## Tasks[\s\S]*## Undo/);
  assert.match(text, /No run is active in this tree now\.$/);
  assert.equal(cli.file("letter.txt"), "Dear reader,\n");
});

test("words that were meant for something else are no answer: a model answers what it was shown", async (context) => {
  const model = new CallingModel();
  const { cli, pi } = await sharePi(context, model.play());
  const words = ["resume", "abort", "costs", "runs", "report", "help", "Status", "answer 2"];
  for (const input of [undefined, "", ...words]) {
    const none = await model.call(pi, input);
    assert.deepEqual([none.failed, none.text.split(".")[0]], [true, "No run is active in this tree"], input);
  }
  assert.deepEqual(cli.traces(), []);
  await cli.go("run", goal, "--mode", "standard");
  const before = (await cli.entries()).length;

  const another = await model.call(pi, "Build a house");
  assert.equal(another.failed, true);
  assert.match(another.text, /"Build a house" does not answer a question you have seen: a run is already active/);
  assert.match(another.text, /which only the person can decide: \/workflow <what to build> asks them/);
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

test("an answer that comes after the end of its run is no goal; what is said after that is", async (context) => {
  const model = new CallingModel();
  const { cli, pi } = await sharePi(context, model.play());
  await cli.go("run", goal, "--mode", "standard");
  assert.match((await model.call(pi, "status")).text, /Question brainstorm\.question\.1/);
  await cli.go("abort");
  const late = await model.call(pi, "2");
  assert.equal(late.failed, true);
  assert.match(late.text, /^"2" answers nothing: the run whose question .* is over\. Nothing was started\.\n/);
  for (const [said, why] of [
    ["2", /^"2" starts nothing\. One word does not say what to build\./],
    ["--budget 100 build it all", /^"--budget 100 build it all" starts nothing\. Options are the person's to give\./],
  ] as const) {
    const repeated = await model.call(pi, said);
    assert.equal(repeated.failed, true, "U8: an answer that is repeated starts no run either");
    assert.match(repeated.text, why);
  }
  assert.equal(cli.active, undefined);
  const starting = await model.begin(pi, goal);
  await allowStart(pi, cli);
  assert.equal((await starting()).failed, false);
  assert.ok(cli.active);
  // Whoever was told that a run is over says a goal and no answer.
  await cli.go("abort");
  assert.match((await model.call(pi, "status")).text, /^No run is active in this tree\./);
  const again = await model.begin(pi, goal);
  await allowStart(pi, cli);
  assert.equal((await again()).failed, false);
});
