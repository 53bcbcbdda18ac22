import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { type Agent, dispatches, facts, play, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import type { DispatchFailureKind } from "../../core/flow/dispatch.ts";
import type { Flow } from "../../core/flow/flow.ts";
import { fenced } from "../../core/text/block.ts";
import { type Consultation, consult, engage } from "./consult.ts";
import { attempt, type Trouble } from "./trouble.ts";

const schema = z.object({ n: z.int() });
const order: Consultation = { step: "test.step", name: "step", role: "scout", prompt: "PROMPT", access: "read" };
const good = `Here:\n\n${fenced("superteam-json", '{"n": 1}')}`;

function* consulted(): Flow<number> {
  const { value } = yield* consult(order, { tag: "superteam-json", schema });
  return value.n;
}

const run = (script: Script) => play(consulted(), script);

test("a good answer costs one dispatch and asks nobody", () => {
  const played = run({ agents: { step: () => good } });
  assert.equal(resultOf(played), 1);
  assert.deepEqual(
    played.requests.map((request) => request.do),
    ["dispatch"],
  );
});

test("A5: an answer that does not fit is first asked for in form alone, then the work is done again, each with the problem", () => {
  const played = run({ agents: { step: ({ nth }) => (nth < 3 ? fenced("superteam-json", '{"n": "x"}') : good) } });
  assert.equal(resultOf(played), 1);
  const [first, second, third] = dispatches(played).map(({ prompt }) => prompt);
  assert.equal(first, "PROMPT");
  assert.match(
    second ?? "",
    /^## Your answer\n````\n[\s\S]*expected number, received string\n {2}→ at n[\s\S]*not do the work again/,
  );
  assert.doesNotMatch(second ?? "", /PROMPT/);
  assert.match(third ?? "", /^PROMPT\n[\s\S]*expected number, received string\n {2}→ at n[\s\S]*Do the work again/);
  assert.deepEqual(questions(played), []);
  const told = facts(played).filter((fact) => fact.type === "warning");
  assert.equal(told.length, 2);
  assert.match(told[0]?.text ?? "", /^The scout's answer could not be used, so it is asked again: .*expected number/);
});

test("A5: what is cut off, quoted or says two things is never put into form: the work is done again", () => {
  const block = fenced("superteam-json", '{"n": 1}');
  for (const bad of [block.slice(0, -6), block.replaceAll(/^/gm, "> "), fenced("superteam-json", '{"n": 1, "n": 2}')]) {
    const played = run({ agents: { step: ({ nth }) => (nth === 1 ? bad : good) } });
    assert.match(dispatches(played)[1]?.prompt ?? "", /^PROMPT\n[\s\S]*Do the work again/, bad);
  }
});

test("after three answers that cannot be read the person decides, and nothing is recommended", () => {
  const played = run({ agents: { step: () => "No block, sorry." } });
  assert.equal(dispatches(played).length, 3);
  assert.ok(played.end.how === "waiting");
  const { question } = played.end;
  assert.equal(question.id, "test.step.unparsable");
  assert.equal(question.title, "Parse Error");
  assert.match(
    question.message,
    /^Could not parse scout output\. Raw:\nNo block, sorry\.\nProblem: there is no ```superteam-json block[\s\S]*\nIt was asked 3 times\.$/,
  );
  assert.ok(question.kind === "select" && question.recommended === undefined);
  assert.deepEqual(
    question.options.map(({ label }) => label),
    ["Retry", "Abort"],
  );
});

test("where an answer that cannot be read is shown at once, it was asked for once", () => {
  const config = { failureActions: { "parse-error": "escalate" } };
  const { end } = run({ config, agents: { step: () => "No block." } });
  assert.match(end.how === "waiting" ? end.question.message : "", /\nIt was asked 1 time\.$/);
});

test("of an answer that cannot be read the first 300 characters are shown", () => {
  const { end } = run({ agents: { step: () => "x".repeat(301) } });
  assert.match(end.how === "waiting" ? end.question.message : "", /Raw:\nx{300}…\nProblem:/);
});

test("how a run was ended by the person names what the agent could not do", () => {
  const ending = (agent: Agent, trouble: string) => {
    const { end } = run({
      files: { "a.ts": "old" },
      agents: { step: agent },
      answers: { [`test.step.${trouble}`]: "abort" },
    });
    return end.how === "failed" ? end.failure.detail : "";
  };
  const ended = "the person ended the run after scout";
  const crash: Agent = () => ({ failed: "crashed", detail: "out of memory\nat line 3" });
  assert.equal(ending(crash, "failed"), `${ended} failed (crashed): out of memory`);
  assert.match(
    ending(() => "no", "unparsable"),
    new RegExp(`^${ended} could not be used: there is no `),
  );
  const meddle: Agent = ({ files, nth }) => {
    files.set("a.ts", `${nth}`);
    return good;
  };
  assert.match(
    ending(meddle, "touched"),
    new RegExp(`^${ended} could not be used: scout may only read, but changed a\\.ts`),
  );
});

test("an order that may give up asks nobody: whoever gave it is told what the person would have been asked", () => {
  function* flow(): Flow<unknown> {
    return yield* attempt(consult({ ...order, mayGiveUp: true }, { tag: "superteam-json", schema }));
  }
  const crashed = play(flow(), { agents: { step: () => ({ failed: "crashed", detail: "killed" }) } });
  const told = resultOf(crashed) as { trouble: Trouble };
  assert.deepEqual([told.trouble.id, told.trouble.title], ["test.step.failed", "Agent Error: scout"]);
  assert.match(told.trouble.message, /^scout agent failed \(crashed\)\.\nError: killed/);
  const unread = play(flow(), { agents: { step: () => "no" } });
  assert.equal(dispatches(unread).length, 3);
  assert.equal((resultOf(unread) as { trouble: Trouble }).trouble.id, "test.step.unparsable");
  assert.deepEqual([...questions(crashed), ...questions(unread)], []);
});

test("a retry gives three more tries; an abort ends the run", () => {
  const answers = { "test.step.unparsable": ["retry", "abort"] };
  const played = run({ agents: { step: () => "no" }, answers });
  assert.equal(dispatches(played).length, 6);
  assert.ok(played.end.how === "failed");
  assert.equal(played.end.failure.kind, "aborted");
  assert.equal(played.end.failure.step, "test.step");
});

test("of several answers in one message the last counts, and that is told", () => {
  const played = run({ agents: { step: () => `${fenced("superteam-json", '{"n": 7}')}\n\n${good}` } });
  assert.equal(resultOf(played), 1);
  assert.deepEqual(facts(played), [
    { type: "warning", text: "scout gave 2 answers in one message; the last one is used." },
  ]);
});

test("an agent that fails for a reason that stays is never tried again without the person", () => {
  const kinds: DispatchFailureKind[] = ["auth", "billing", "wrong-model", "over-budget"];
  for (const failed of kinds) {
    const played = run({ agents: { step: () => ({ failed, detail: "it broke", output: "x".repeat(600) }) } });
    assert.deepEqual(
      played.requests.map((request) => request.do),
      ["dispatch", "ask"],
      failed,
    );
    assert.ok(played.end.how === "waiting");
    const { id, title, message } = played.end.question;
    assert.deepEqual([id, title], ["test.step.failed", "Agent Error: scout"]);
    assert.match(
      message,
      new RegExp(`^scout agent failed \\(${failed}\\)\\.\nError: it broke\nOutput preview: x{500}…\n`),
    );
  }
});

test("what an agent said is not shown twice when it is all that is known of its failure", () => {
  const output = 'Error: Model "wrong/model" not found.';
  const failed = { failed: "wrong-model" as const, detail: `pi ended with exit code 1. It said: ${output}`, output };
  const { end } = run({ agents: { step: () => failed } });
  assert.ok(end.how === "waiting");
  assert.equal(end.question.message.split(output).length, 2);
});

test("S3-43: an agent that crashes or takes too long is started once more, which is told; then the person is asked", () => {
  for (const failed of ["crashed", "stuck", "timed-out"] as const) {
    const played = run({ agents: { step: () => ({ failed, detail: "it broke" }) } });
    assert.equal(dispatches(played).length, 2, failed);
    const told = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
    assert.deepEqual(told, [`scout failed (${failed}): it broke. It is started again.`]);
    assert.ok(played.end.how === "waiting" && played.end.question.id === "test.step.failed");
  }
});

test("S3-45: the configuration says how often an agent is tried again without the person", () => {
  const crash = { step: () => ({ failed: "crashed" }) as const };
  const unread = { step: () => "no block" };
  const tries = (agents: NonNullable<Script["agents"]>, failureActions: object) =>
    dispatches(run({ agents, config: { failureActions } })).length;
  assert.equal(tries(crash, { "impl-crash": "escalate" }), 1);
  assert.equal(tries(crash, { "impl-crash": "auto-retry" }), 3);
  assert.equal(tries(crash, { "tool-timeout": "escalate" }), 2, "that is another type of failure");
  assert.equal(tries(unread, {}), 3);
  assert.equal(tries(unread, { "parse-error": "escalate" }), 1);
  assert.equal(tries(unread, { "parse-error": "retry-then-escalate" }), 2);
});

test("every failure of an agent says what to do", () => {
  const messageOf = (failed: DispatchFailureKind) => {
    const { end } = run({ agents: { step: () => ({ failed }) } });
    assert.equal(end.how, "waiting", failed);
    return end.how === "waiting" ? end.question.message : "";
  };
  assert.match(messageOf("auth"), /Log in to the provider again, or set its key, then choose Retry/);
  const otherModel = /pause here \(Escape\) and continue with `superteam resume --model provider\/id`\.$/;
  for (const kind of ["billing", "rate-limited", "overloaded", "unreachable", "wrong-model"] as const)
    assert.match(messageOf(kind), otherModel);
  assert.match(messageOf("billing"), /Add credit at the provider, then choose Retry; or/);
  for (const kind of ["rate-limited", "overloaded"] as const)
    assert.match(messageOf(kind), /Wait a little, then choose Retry; or/);
  assert.match(messageOf("unreachable"), /Check the network and the provider's address, then choose Retry; or/);
  assert.match(messageOf("wrong-model"), /Name a model as pi lists it \(superteam doctor\): /);
  assert.match(messageOf("over-budget"), /Raise the limit, then choose Retry\.$/);
  assert.match(messageOf("crashed"), /Choose Retry; `superteam log` shows what led to it\.$/);
  assert.match(messageOf("aborted"), /Choose Retry to start it again\.$/);
  assert.match(messageOf("timed-out"), /give the role more time \(agents\.<role>\.timeoutMinutes in/);
  assert.match(messageOf("stuck"), /give the role more time \(agents\.<role>\.stuckMinutes in/);
});

test("a retry after a failure goes on where it was", () => {
  const agents = { step: ({ nth }: { nth: number }) => (nth === 1 ? ({ failed: "auth" } as const) : good) };
  const played = run({ agents, answers: { "test.step.failed": "retry" } });
  assert.equal(resultOf(played), 1);
  assert.deepEqual(
    dispatches(played).map(({ prompt }) => prompt),
    ["PROMPT", "PROMPT"],
  );
});

const waits = (played: Pick<ReturnType<typeof run>, "requests">) =>
  played.requests.flatMap((request) => (request.do === "wait" ? [request.ms] : []));

test("a busy provider is waited for, longer each time, and nobody is asked", () => {
  const words = {
    "rate-limited": "is busy \\(rate-limited\\)",
    overloaded: "is busy \\(overloaded\\)",
    unreachable: "cannot be reached",
  } as const;
  for (const failed of ["rate-limited", "overloaded", "unreachable"] as const) {
    const played = run({ agents: { step: ({ nth }) => (nth < 4 ? { failed } : good) } });
    assert.equal(resultOf(played), 1);
    assert.deepEqual(waits(played), [5_000, 15_000, 30_000]);
    assert.ok(!played.requests.some((request) => request.do === "config" || request.do === "ask"));
    const said = new RegExp(`scout: the provider ${words[failed]}\\. Trying again in 15s\\.`);
    assert.match(JSON.stringify(facts(played)), said);
  }
});

test("a provider that says how long to wait is waited for that long, within reason", () => {
  const asks = (retryAfterMs: number) =>
    run({ agents: { step: ({ nth }) => (nth === 1 ? { failed: "rate-limited", retryAfterMs } : good) } });
  const patient = asks(61_000);
  assert.equal(resultOf(patient), 1);
  assert.deepEqual(waits(patient), [61_000]);
  assert.deepEqual(waits(asks(10 * 60_000)), [10 * 60_000]);
});

const withFallbacks = (step: Agent, answers: Script["answers"] = {}) =>
  run({ agents: { step }, answers, config: { agents: { scout: { fallback: ["p/one", "p/two"] } } } });

test("when waiting does not help each fallback model is tried once", () => {
  const played = withFallbacks(({ model }) => (model === "p/two" ? good : { failed: "overloaded" }));
  assert.equal(resultOf(played), 1);
  assert.deepEqual(
    dispatches(played).map(({ model }) => model),
    [undefined, undefined, undefined, undefined, "p/one", "p/two"],
  );
  assert.match(JSON.stringify(facts(played)), /p\/one gave no answer \(overloaded\)\. Trying p\/two\./);
  assert.deepEqual(questions(played), []);
});

test("no further fallback is tried once one has answered", () => {
  const played = withFallbacks(({ model }) => (model === undefined ? { failed: "overloaded" } : good));
  assert.equal(resultOf(played), 1);
  assert.equal(dispatches(played).at(-1)?.model, "p/one");
});

test("when no fallback answers either the person is asked, and a retry begins with the role's own model", () => {
  const play = withFallbacks(
    ({ nth, model }) => (nth > 6 ? good : { failed: model === undefined ? "rate-limited" : "auth" }),
    { "test.step.failed": "retry" },
  );
  assert.equal(resultOf(play), 1);
  assert.equal(questions(play).length, 1);
  assert.match(questions(play)[0]?.message ?? "", /failed \(auth\)/);
  assert.equal(dispatches(play).at(-1)?.model, undefined);
});

test("a writer that was cut off by a busy provider is undone before each further try", () => {
  function* flow(): Flow<string> {
    return (yield* engage({ ...order, access: "write" })).text;
  }
  const seen: (string | undefined)[] = [];
  const played = play(flow(), {
    files: { "a.ts": "old" },
    config: { agents: { scout: { fallback: ["p/one"] } } },
    agents: {
      step: ({ files, nth, model }) => {
        seen.push(files.get("a.ts"));
        files.set("a.ts", `half ${nth}`);
        return model === undefined ? { failed: "overloaded" } : "done";
      },
    },
  });
  assert.equal(resultOf(played), "done");
  assert.deepEqual(seen, ["old", "old", "old", "old", "old"]);
});

test("how hard the work is goes with every dispatch, and is left out when nobody said", () => {
  function* flow(): Flow<string> {
    return (yield* engage({ ...order, difficulty: "hard" })).text;
  }
  const hard = play(flow(), { agents: { step: ({ nth }) => (nth === 1 ? { failed: "overloaded" } : good) } });
  assert.deepEqual(
    dispatches(hard).map(({ difficulty }) => difficulty),
    ["hard", "hard"],
  );
  const [plain] = dispatches(run({ agents: { step: () => good } }));
  assert.deepEqual(Object.keys(plain ?? {}), ["do", "name", "role", "prompt", "access"]);
});

test("a reader that wrote is not believed: it is repeated once, then the person is asked", () => {
  const meddle: Script = {
    files: { "a.ts": "old" },
    agents: {
      step: ({ files, nth }) => {
        if (nth < 3) files.set("a.ts", "meddled");
        return good;
      },
    },
  };
  const waiting = run(meddle);
  assert.equal(dispatches(waiting).length, 2);
  assert.ok(waiting.end.how === "waiting");
  assert.equal(waiting.end.question.id, "test.step.touched");
  assert.match(waiting.end.question.message, /scout may only read, but changed a\.ts/);
  assert.equal(waiting.files.get("a.ts"), "old");
  const played = run({ ...meddle, answers: { "test.step.touched": "retry" } });
  assert.equal(resultOf(played), 1);
  assert.equal(facts(played).filter(({ type }) => type === "warning").length, 2);
});

test("a writer that failed half-way is undone before it is tried again", () => {
  function* flow(): Flow<string> {
    const { text } = yield* engage({ ...order, access: "write" });
    return text;
  }
  const seen: (string | undefined)[] = [];
  const played = play(flow(), {
    files: { "a.ts": "old" },
    answers: { "test.step.failed": "retry" },
    agents: {
      step: ({ files, nth }) => {
        seen.push(files.get("a.ts"));
        files.set("a.ts", `half ${nth}`);
        return nth === 1 ? { failed: "auth" } : "done";
      },
    },
  });
  assert.equal(resultOf(played), "done");
  assert.deepEqual(seen, ["old", "old"]);
});

test("what a failed writer left is taken back before the person is asked, so that what they do meanwhile stays", () => {
  function* writing(): Flow<void> {
    yield* engage({ ...order, access: "write" });
  }
  const seen: string[] = [];
  const played = play(writing(), {
    agents: {
      step: ({ nth, files }) => {
        seen.push([...files.keys()].join());
        files.set("half.txt", "half");
        return nth < 3 ? { failed: "auth" } : "done";
      },
    },
    meanwhile: (request, files) => void (request.do === "ask" && files.set("mine.txt", "mine")),
    answers: { "test.step.failed": ["retry", "retry"] },
  });
  assert.deepEqual([played.end.how, seen], ["done", ["", "mine.txt", "mine.txt"]]);
});
