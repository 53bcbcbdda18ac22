// A commit is checked without changes of the person's that its checks saw and it does not contain (E3b, T1): values alone, no process.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Files, facts, type Played, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import { commits, run } from "../../../test/rig/task.ts";
import { resultsOf, type TestState, writeResults } from "../../core/validation/results.ts";

const id = "execute.task.2.alone";

/** The person changes a file of the repository before the task begins, or as soon as its writer is done. */
const edits = (before: "config" | "changes" = "changes"): NonNullable<Script["meanwhile"]> => {
  let isDone = false;
  return (request, files) => {
    if (isDone || request.do !== before) return;
    isDone = true;
    files.set("README.md", "hello, and more");
  };
};

const needsEdit = (files: Files) => ({
  passed: files.get("README.md") !== "hello" || !files.has("src/limit.ts"),
  output: "no more",
});
const checksIn = ({ requests }: Played<unknown>, name: string) =>
  requests.filter((request) => request.do === "check" && request.name === name).length;
const opened = ({ requests }: Played<unknown>) =>
  requests.flatMap((each) => (each.do === "open-place" ? [each.name] : []));

test("a commit that passes without the person's changes is complete, and its place is closed", () => {
  const played = run({ config: { validationCommand: "check it" }, meanwhile: edits() });
  assert.deepEqual([resultOf(played).status, resultOf(played).waivers, questions(played)], ["complete", [], []]);
  assert.deepEqual(opened(played), ["task-2-alone-1"]);
  assert.equal(played.requests.filter((request) => request.do === "close-place").length, 1);
  assert.equal(played.files.get("README.md"), "hello, and more");
  const told = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.match(
    told.join("\n"),
    /commit of task 2, because you changed them: README\.md\. Reviewers saw your version.*checks pass without your version too/,
  );
});

test("nothing is checked again where a commit holds all that was judged, or nothing checks it", () => {
  assert.deepEqual(opened(run({ config: { validationCommand: "check it" } })), []);
  assert.deepEqual(opened(run({ meanwhile: edits() })), []);
});

for (const [choice, status, waivers] of [
  ["accept", "complete", ["`check it` fails for its commit without your changes to README.md"]],
  ["skip", "skipped", []],
] as const) {
  test(`a commit that passes only with the person's changes is theirs to decide: ${choice}`, () => {
    const config = { validationCommand: "check it" };
    const played = run({ config, meanwhile: edits(), check: needsEdit, answers: { [id]: choice } });
    const { status: ended, waivers: waived } = resultOf(played);
    assert.deepEqual([ended, waived], [status, waivers]);
    const [asked, ...more] = questions(played);
    assert.equal(more.length, 0);
    assert.match(
      asked?.message ?? "",
      /"Limit" is committed\. `check it` passed with your changes to README\.md and fails without/,
    );
    assert.match(asked?.message ?? "", /no more/);
    // What fails by chance is tried twice.
    assert.deepEqual(opened(played).slice(0, 2), ["task-2-alone-1", "task-2-alone-1"]);
    assert.equal(checksIn(played, "tests"), 2);
    assert.equal(played.files.get("README.md"), "hello, and more");
  });
}

test("after the person has undone their changes it is committed and checked again", () => {
  let asked = 0;
  const meanwhile = edits();
  const played = run({
    config: { validationCommand: "check it" },
    check: (files) => (files.has("done") ? { passed: true, output: "" } : needsEdit(files)),
    answers: { [id]: "retry" },
    meanwhile: (request, files, commitAll) => {
      meanwhile(request, files, commitAll);
      if (request.do === "ask" && ++asked === 1) files.set("README.md", "hello").set("done", "");
    },
  });
  assert.deepEqual([resultOf(played).status, asked, commits(played).length], ["complete", 1, 2]);
});

test("without a place for it the person decides, and what they go without is a waiver", () => {
  const played = run({
    config: { validationCommand: "check it" },
    meanwhile: edits(),
    check: needsEdit,
    noPlace: () => "the disk is full",
    answers: { "execute.place": "without" },
  });
  assert.equal(resultOf(played).status, "complete");
  const waived = facts(played).flatMap((fact) => (fact.type === "waiver" ? [fact.what] : []));
  assert.match(waived.join("\n"), /nothing shows that the commit passes without your uncommitted changes/);
});

test("what the person had changed before the task is left out and checked without, too", () => {
  const played = run({ config: { validationCommand: "check it" }, meanwhile: edits("config") });
  assert.equal(resultOf(played).status, "complete");
  assert.deepEqual(opened(played), ["task-2-alone-1"]);
});

/** As it is in a worktree, where nothing is that no commit can hold. */
const needsLib: Script["check"] = (_, { name }) => ({ passed: name !== "tests", output: "lib/ok is missing" });

test("what no commit can hold is kept from the checks of the commit, and named where they pass without it", () => {
  const config = { validationCommand: "check it" };
  const played = run({ config, unheld: ["lib"] });
  assert.deepEqual([resultOf(played).status, resultOf(played).unheld, questions(played)], ["complete", ["lib"], []]);
  assert.deepEqual(opened(played), ["task-2-alone-1"]);
  const without = played.requests.filter((request) => request.do === "anchor-without");
  assert.deepEqual(without.at(-1)?.work.files, ["lib"]);
  const told = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.match(told.join("\n"), /^The checks of task 2 pass without what agents left in lib \(.*\) too\.$/m);
  assert.deepEqual(opened(run({ unheld: ["lib"] })), [], "without a command nothing is checked");
});

for (const [choice, status, waived] of [
  ["accept", "complete", 1],
  ["skip", "skipped", 0],
] as const)
  test(`T1: checks that pass only with what no commit can hold complete nothing: ${choice}`, () => {
    const config = { validationCommand: "check it" };
    const played = run({ config, unheld: ["lib"], check: needsLib, answers: { [id]: choice } });
    const { status: ended, waivers, unheld } = resultOf(played);
    assert.deepEqual([ended, waivers.length], [status, waived]);
    assert.match(
      questions(played)[0]?.message ?? "",
      /passed with what agents left in lib \(.*\) and fails without that\./,
    );
    const undone = played.requests.filter((request) => request.do === "undo-work");
    assert.equal(undone.at(-1)?.work.files.includes("lib") ?? false, choice === "skip", "it goes with the work");
    assert.equal(unheld, undefined, "what the person let through, or is gone, is not asked again");
  });

test("T1: what an earlier task left and no commit can hold counts for a later one too", () => {
  const config = { validationCommand: "check it" };
  const played = run({ config, check: needsLib, answers: { [id]: "accept" } }, { unheld: ["lib"] });
  assert.deepEqual(
    questions(played).map((question) => question.id),
    [id],
  );
});

test("the person's changes and what no commit can hold are one question", () => {
  const config = { validationCommand: "check it" };
  const script = { config, unheld: ["lib"], meanwhile: edits(), check: needsLib, answers: { [id]: "accept" } };
  const [asked, ...more] = questions(run(script));
  assert.equal(more.length, 0);
  assert.match(asked?.message ?? "", /passed with your changes to README\.md and what agents left in lib/);
});

const said = (states: Readonly<Record<string, TestState>>) => {
  const cases = Object.entries(states).map(([name, state]) => ({ file: "", path: [name], state }));
  const passed = !Object.values(states).includes("failed");
  return { passed, output: "", tests: { reporter: "x", results: writeResults(resultsOf(cases)), failures: [] } };
};
const isAlone = (files: Files): boolean => files.has("src/limit.ts") && files.get("README.md") === "hello";

test("a test that is red with the changes too says nothing about them, and one that needs them does", () => {
  const asked = (without: TestState) => {
    const check = (files: Files) => said({ old: "failed", own: isAlone(files) ? without : "passed" });
    const config = { testCommand: "npm test", tdd: "off" };
    const played = run({ config, meanwhile: edits(), check, answers: { [id]: "accept" } });
    assert.deepEqual(opened(played).slice(0, 1), ["task-2-alone-1"]);
    return questions(played).map((question) => question.id);
  };
  assert.deepEqual([asked("passed"), asked("failed")], [[], [id]]);
});

test("tests that are red anyway do not excuse the quick check", () => {
  const played = run({
    config: { validationCommand: "check it", testCommand: "npm test", tdd: "off" },
    meanwhile: edits(),
    check: (files, { command }) =>
      command === "npm test" ? said({ old: "failed" }) : { passed: !isAlone(files), output: "no more" },
    answers: { [id]: "accept" },
  });
  assert.deepEqual(
    questions(played).map((question) => question.id),
    [id],
  );
});
