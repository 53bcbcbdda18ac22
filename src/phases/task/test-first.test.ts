// Whether a task was built test first is proved by running its tests without its change: values alone, no process.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Agent,
  dispatches,
  type Files,
  facts,
  type Played,
  resultOf,
  type Script,
} from "../../../test/rig/flow.ts";
import { missing, names, open, resolved, reviewer, run } from "../../../test/rig/task.ts";
import { resultsOf, type TestState, writeResults } from "../../core/validation/results.ts";

function said(states: Readonly<Record<string, TestState>>) {
  const cases = Object.entries(states).map(([name, state]) => ({ file: "", path: [name], state }));
  const passed = !Object.values(states).includes("failed");
  return { passed, output: "", tests: { reporter: "x", results: writeResults(resultsOf(cases)), failures: [] } };
}

/** The test `own` is in test/own.test.ts and needs the word "limit" in the source, unless it is a test of nothing. */
const suite = (files: Files) => {
  const own = files.get("test/own.test.ts");
  if (own === undefined) return said({ old: "passed" });
  const isRed = own !== "nothing" && !files.has("src/limit.ts");
  return said({ old: "passed", own: isRed ? "failed" : "passed" });
};

const builds =
  (own: string | null): Agent =>
  ({ files, nth }) => {
    files.set("src/limit.ts", `limit(${nth});`);
    if (own !== null) files.set("test/own.test.ts", own);
    return "Done.";
  };
const script = (implement: Agent, fix: Agent = implement): Script => ({
  config: { testCommand: "npm test" },
  check: suite,
  agents: { implement, fix },
});
const proofs = (played: Played<unknown>) => facts(played).filter((fact) => fact.type === "tests.first");
const id = "execute.task.2.test-first";

test("C-41: a test that is red without the change and green with it is proof, before any review; the tree is as it was", () => {
  const played = run(script(builds("own")));
  assert.equal(resultOf(played).status, "complete");
  assert.deepEqual(
    proofs(played).map(({ red, green, why }) => [red, green, why]),
    [[["own"], ["own"], ""]],
  );
  assert.deepEqual(names(played), ["implement", "spec-review", "quality-review"]);
  for (const { prompt } of dispatches(played).slice(1))
    assert.match(prompt, /## Evidence\n[^#]*- These pass with the task's change and not without it: own\.\n/);
  const kinds = played.requests.map((request) => request.do);
  assert.ok(kinds.indexOf("close-place") > kinds.indexOf("open-place"));
  assert.ok(kinds.indexOf("close-place") < kinds.lastIndexOf("dispatch"), "R1: before reviews are paid for");
  assert.equal(played.files.get("src/limit.ts"), "limit(1);");
});

for (const [how, own, why] of [
  ["no test", null, /No test was added or changed\./],
  ["a test that needs no change", "nothing", /passes without the change/],
] as const) {
  test(`C-41: ${how} goes back to the implementer once, then to the person`, () => {
    const mended = run(script(builds(own), builds("own")));
    assert.equal(resultOf(mended).status, "complete");
    assert.deepEqual(names(mended), ["implement", "fix", "spec-review", "quality-review"]);
    const fix = dispatches(mended).find(({ name }) => name === "fix");
    assert.match(fix?.prompt ?? "", /built test first: .* Nothing shows that yet\./);
    assert.match(fix?.prompt ?? "", why);
    assert.doesNotMatch(fix?.prompt ?? "", /none did, add that test/);

    const asked = run(script(builds(own)));
    assert.ok(asked.end.how === "waiting" && asked.end.question.kind === "select");
    assert.equal(asked.end.question.id, id);
    const opened = asked.requests.filter((request) => request.do === "open-place").length;
    assert.equal(opened, own === null ? 0 : 2, "once for each attempt: what is refuted needs no other run");
    assert.match(asked.end.question.message, why);
    assert.deepEqual(names(asked), ["implement", "fix"]);
    assert.deepEqual(
      asked.end.question.options.map(({ key }) => key),
      ["retry", "rollback", "skip", "accept", "abort"],
    );
    const accepted = run({ ...script(builds(own)), answers: { [id]: "accept" } });
    assert.match(resultOf(accepted).waivers.join(), /nothing shows that it was built test first/);
  });
}

test("C-41: after a fix the tests are proved anew where they have changed, and else not", () => {
  const fix =
    (own: string): Agent =>
    ({ files }) => {
      files.set("src/limit.ts", "limit(1);\nfixed(1);");
      files.set("test/own.test.ts", own);
      return "Fixed.";
    };
  const found = reviewer({ findings: [missing] }, { resolutions: [resolved("F1")] });
  for (const [own, count] of [
    ["own", 1],
    ["own, better", 2],
  ] as const) {
    const { agents, ...rest } = script(builds("own"), fix(own));
    const played = run({ ...rest, agents: { ...agents, "spec-review": found } });
    assert.equal(resultOf(played).status, "complete", own);
    assert.ok(names(played).includes("fix"));
    assert.equal(proofs(played).length, count, own);
  }
});

test("a worktree that cannot be made is one question; each of its answers works", () => {
  const failing = (times: number): Script => {
    let tries = 0;
    return { ...script(builds("own")), noPlace: () => (tries++ < times ? "`npm ci` failed." : undefined) };
  };
  const asked = run(failing(9));
  assert.ok(asked.end.how === "waiting" && asked.end.question.kind === "select");
  assert.equal(asked.end.question.id, "execute.place");
  assert.match(asked.end.question.message, /`npm ci` failed\./);
  assert.deepEqual(
    asked.end.question.options.map(({ key }) => key),
    ["retry", "without", "abort"],
  );
  const retried = run({ ...failing(1), answers: { "execute.place": "retry" } });
  assert.deepEqual(proofs(retried).at(-1)?.red, ["own"]);
  assert.deepEqual(resultOf(retried).waivers, []);
  const without = run({ ...failing(9), answers: { "execute.place": "without" } });
  assert.equal(resultOf(without).status, "complete");
  assert.deepEqual(resultOf(without).waivers, [
    "nothing shows that it was built test first: The tests could not run in a worktree.",
  ]);
  assert.deepEqual(names(without), ["implement", "spec-review", "quality-review"], "no fix is asked for");
  const ended = run({ ...failing(9), answers: { "execute.place": "abort" } });
  assert.equal(ended.end.how, "failed");
});

test("a worktree in which the tests cannot be run is the same question, and no fault of the implementer's", () => {
  const lacking = (times: number): Script => {
    let tries = 0;
    const check = (files: Files) => {
      const isThere = files.has("src/limit.ts") || !files.has("test/own.test.ts");
      if (isThere || tries++ >= times) return suite(files);
      return { passed: false, exitCode: 127, output: "sh: .venv/bin/python: not found", tests: noTests };
    };
    return { ...script(builds("own")), check };
  };
  const noTests = { reporter: null, why: "pytest wrote no report" } as const;
  const asked = run(lacking(9));
  assert.ok(asked.end.how === "waiting");
  assert.equal(asked.end.question.id, "execute.place");
  assert.match(
    asked.end.question.message,
    /`npm test` cannot be run there:\nsh: \.venv\/bin\/python: not found\nSet worktree\.setup/,
  );
  assert.deepEqual(names(asked), ["implement"], "no fix is asked for");
  const kinds = asked.requests.map((request) => request.do);
  assert.ok(kinds.lastIndexOf("close-place") > kinds.lastIndexOf("open-place"), "it is made anew for the next try");
  const retried = run({ ...lacking(1), answers: { "execute.place": "retry" } });
  assert.deepEqual(proofs(retried).at(-1)?.red, ["own"]);
  const without = run({ ...lacking(9), answers: { "execute.place": "without" } });
  assert.match(resultOf(without).waivers.join(), /nothing shows that it was built test first/);
});

test("C-41: what the person let pass unproved goes with the work: after a rollback the proof is asked for again", () => {
  const refusing = reviewer({ findings: [missing] }, { passed: false, resolutions: [open("F1")] });
  const attempt: Agent = (call) => builds(call.nth === 1 ? null : "own")(call);
  const given = script(attempt, builds(null));
  const waived = {
    ...given,
    agents: { ...given.agents, "spec-review": refusing },
    answers: { [id]: "accept", "execute.task.2.escalation": ["rollback", "skip"] },
  };
  const played = run(waived);
  assert.equal(resultOf(played).status, "skipped");
  assert.deepEqual(proofs(played).at(-1)?.red, ["own"]);
  assert.deepEqual(
    facts(played).filter(({ type }) => type === "waiver"),
    [],
  );
});

test("C-41: existing-tests and none are honoured and told; without sources, or with the setting off, nothing is proved", () => {
  for (const [tdd, why] of [
    ["existing-tests", "The plan says that there are tests for it."],
    ["none", "The plan asks for no tests."],
  ] as const) {
    const played = run(script(builds(null)), { task: { tdd } });
    assert.equal(resultOf(played).status, "complete");
    assert.deepEqual(
      proofs(played).map((proof) => proof.why),
      [why],
    );
  }
  const off = run({ ...script(builds(null)), config: { testCommand: "npm test", tdd: "off" } });
  assert.deepEqual([resultOf(off).status, proofs(off)], ["complete", []]);
  const words: Agent = ({ files }) => {
    files.set("README.md", "more");
    return "Done.";
  };
  const text = run(script(words));
  assert.deepEqual([resultOf(text).status, proofs(text)], ["complete", []]);
  const rust: Agent = ({ files }) => {
    files.set("src/lib.rs", "#[cfg(test)] mod tests {}");
    return "Done.";
  };
  assert.match(proofs(run(script(rust))).at(0)?.why ?? "", /src\/lib\.rs contains its own tests/);
});

describe("C-41: tests that fail without the change where nothing, or not even an old one, passes", () => {
  /** In so many worktrees everything fails, whatever is in them. */
  const lacking = (times: number, own: string): Script => {
    let [isPlace, places] = [false, 0];
    return {
      ...script(builds(own)),
      noPlace: () => {
        isPlace = ++places <= times;
        return undefined;
      },
      check: (files) => {
        const ran = isPlace ? said({ old: "failed", own: "failed" }) : suite(files);
        isPlace = false;
        return { ...ran, output: ran.passed ? "" : "no .env" };
      },
    };
  };

  test("they prove nothing if they fail in a worktree with the change as well: the person is asked, and no agent is blamed", () => {
    const asked = run(lacking(9, "nothing"));
    assert.ok(asked.end.how === "waiting" && asked.end.question.kind === "select");
    assert.equal(asked.end.question.id, "execute.place");
    assert.match(
      asked.end.question.message,
      /`npm test` fails there with the change as well, and passes in your tree:\nno \.env\nSet worktree\.setup .* worktree\.copy/,
    );
    assert.deepEqual([names(asked), proofs(asked)], [["implement"], []]);
    const without = run({ ...lacking(9, "nothing"), answers: { "execute.place": "without" } });
    assert.deepEqual(resultOf(without).waivers, [
      "nothing shows that it was built test first: The tests could not run in a worktree.",
    ]);
  });

  test("when the person has added what was lacking, both runs are made again: the first said nothing", () => {
    const useless = run({ ...lacking(2, "nothing"), answers: { "execute.place": "retry" } });
    assert.match(proofs(useless)[0]?.why ?? "", /passes without the change/);
    const own = run({ ...lacking(2, "own"), answers: { "execute.place": "retry" } });
    assert.deepEqual(
      proofs(own).map(({ red, green }) => [red, green]),
      [[["own"], ["own"]]],
    );
    assert.deepEqual(resultOf(own).waivers, []);
  });

  test("they prove it if the tests pass in a worktree with the change", () => {
    const crashing = (files: Files) => {
      const isRed = files.has("test/own.test.ts") && !files.has("src/limit.ts");
      const tests = { reporter: null, why: "it wrote no report" } as const;
      return isRed ? { passed: false, output: "no such import", tests } : suite(files);
    };
    const played = run({ ...script(builds("own")), check: crashing });
    assert.deepEqual(
      proofs(played).map(({ red, green, why }) => [red, green, why]),
      [[["npm test"], ["own"], ""]],
    );
    assert.equal(played.requests.filter((request) => request.do === "open-place").length, 2);
  });

  test("by the exit code alone all tests run in both worktrees, and one by name only those that became green in the second", () => {
    const silent = (files: Files) => ({ ...suite(files), tests: { reporter: null, why: "no reporter" } as const });
    const selected = (check: Script["check"]) =>
      run({ ...script(builds("own")), ...(check ? { check } : {}) }).requests.flatMap((request) =>
        request.do === "check" ? [request.only ?? []] : [],
      );
    assert.deepEqual(selected(silent), [[], [], [], []]);
    const fresh = (files: Files) => {
      const isRed = !files.has("src/limit.ts");
      return said(files.has("test/own.test.ts") ? { own: isRed ? "failed" : "passed" } : {});
    };
    assert.deepEqual(selected(fresh), [[], [], [], ["own"]]);
  });
});
