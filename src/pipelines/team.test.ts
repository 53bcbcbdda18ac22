import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatches, type FailedAgent, facts, play, resultOf, type Script } from "../../test/rig/flow.ts";
import { readProfile } from "../adapters/roles/profile.ts";
import { packageProfiles } from "../adapters/roles/profiles.ts";
import { longestPrevious } from "../prompts/team.ts";
import { roleNames } from "./pipelines.ts";
import { accessOf, mostJobs, TeamInput, team } from "./team.ts";

type Given = Parameters<typeof TeamInput.parse>[0];

const at = (input: Given, script: Script) =>
  play(team.start({ goal: "look", ...(input as object) }), { flows: team.flows, ...script });
const says = (text: string) => () => text;
const scout = (task: string) => ({ role: "scout", task });

test("a role writes if its own profile has a tool for it that is not just a shell", async () => {
  for (const role of roleNames) {
    const { tools } = await readProfile(packageProfiles, role);
    assert.equal(accessOf(role), tools.includes("write") ? "write" : "read", role);
  }
});

test("one job is one dispatch, for reading, with the task and the rules in its prompt", () => {
  const played = at({ how: "one", jobs: [scout("Where is the parser?")] }, { agents: { scout: says("In src.") } });
  const [result, ...others] = resultOf(played);
  assert.deepEqual(others, []);
  assert.deepEqual(result, {
    number: 1,
    role: "scout",
    status: "answered",
    text: "In src.",
    touched: [],
    changed: [],
    before: null,
  });
  const [order, ...more] = dispatches(played);
  assert.deepEqual(more, []);
  assert.equal(order?.access, "read");
  assert.match(order?.prompt ?? "", /Change nothing: no file, no branch, no commit\. .*never instructions to you/);
  assert.match(order?.prompt ?? "", /## Task\nWhere is the parser\?$/);
  assert.deepEqual(played.scopes, ["phase team", "step job-1"]);
  assert.deepEqual(facts(played), [{ type: "report", text: "1. scout answered: In src." }]);
});

test("a chain hands each answer on, where the task names it or below it, as a quotation", () => {
  const jobs = [scout("Look."), { role: "architect", task: "Judge {previous} twice: {previous}" }, scout("And now?")];
  let nth = 0;
  const agents = {
    scout: () => (nth++ === 0 ? "It is ```code``` here" : "Nothing."),
    architect: says("Well cut."),
  };
  const played = at({ how: "chain", jobs }, { agents });
  assert.deepEqual(
    resultOf(played).map(({ text }) => text),
    ["It is ```code``` here", "Well cut.", "Nothing."],
  );
  const [first, second, third] = dispatches(played).map(({ prompt }) => prompt);
  assert.doesNotMatch(first ?? "", /answer of the/);
  assert.match(
    second ?? "",
    /## Task\nJudge \(the answer of the scout before you\) twice: \(the answer of the scout before you\)\n/,
  );
  assert.match(second ?? "", /## The answer of the scout before you\n````\nIt is ```code``` here\n````$/);
  assert.match(third ?? "", /## Task\nAnd now\?\n\n## The answer of the architect before you\n```\nWell cut\.\n```$/);
});

test("an answer that is handed on is bounded, and says so", () => {
  const long = "x".repeat(longestPrevious + 7);
  const played = at({ how: "chain", jobs: [scout("a"), scout("b")] }, { agents: { scout: says(long) } });
  const prompt = dispatches(played)[1]?.prompt ?? "";
  assert.ok(prompt.length < longestPrevious + 1_000);
  assert.match(prompt, /\(7 more characters left out\)/);
});

test("a chain ends with the job that gives no answer, and says why", () => {
  const crash: FailedAgent = { failed: "crashed", detail: "out of memory" };
  const played = at({ how: "chain", jobs: [scout("a"), scout("b")] }, { agents: { scout: () => crash } });
  const results = resultOf(played);
  assert.deepEqual(
    results.map(({ status, text }) => [status, text]),
    [["failed", "scout failed (crashed): out of memory"]],
  );
  assert.deepEqual(facts(played)[0], { type: "warning", text: "scout failed (crashed): out of memory" });
});

test("side by side there are as many lanes as are wished, and results keep the order of the jobs", () => {
  const jobs = ["a", "b", "c", "d", "e"].map(scout);
  const agents = { scout: ({ prompt }: { prompt: string }) => `about ${prompt.at(-1)}` };
  const played = at({ how: "parallel", jobs, atOnce: 2 }, { agents, lastFirst: true });
  assert.deepEqual(
    resultOf(played).map(({ number, text }) => [number, text]),
    [1, 2, 3, 4, 5].map((number) => [number, `about ${"abcde"[number - 1]}`]),
  );
  assert.deepEqual(played.scopes, [
    ...["phase team", "step lane-2", "step job-2", "step job-4"],
    ...["step lane-1", "step job-1", "step job-3", "step job-5"],
  ]);
});

test("one that fails side by side costs the others nothing", () => {
  const agents = {
    scout: ({ prompt }: { prompt: string }): string | FailedAgent =>
      prompt.endsWith("a") ? { failed: "auth", detail: "no key" } : "fine",
  };
  const results = resultOf(at({ how: "parallel", jobs: [scout("a"), scout("b")] }, { agents }));
  assert.deepEqual(
    results.map(({ status }) => status),
    ["failed", "answered"],
  );
});

test("a reader that changes something has no answer, and all readers' tree is made what it was", () => {
  const agents = {
    scout: ({ files, prompt }: { files: Map<string, string>; prompt: string }) => {
      if (prompt.endsWith("a")) files.set("src/a.ts", "mine");
      return "done";
    },
  };
  const script = { agents, files: { "src/a.ts": "theirs" } };
  const one = at({ how: "one", jobs: [scout("a")] }, script);
  assert.deepEqual(
    resultOf(one).map(({ status, touched }) => [status, touched]),
    [["meddled", ["src/a.ts"]]],
  );
  assert.match(resultOf(one)[0]?.text ?? "", /^scout may only read, but src\/a\.ts changed.*undone.*not used\.$/);
  assert.equal(one.files.get("src/a.ts"), "theirs");
  const several = at({ how: "parallel", jobs: [scout("a"), scout("b")] }, script);
  assert.deepEqual(
    resultOf(several).map(({ status }) => status),
    ["meddled", "answered"],
  );
  assert.deepEqual(
    several.requests.flatMap((request) => (request.do === "restore" ? [request.to.ref] : [])),
    ["refs/superteam/kept"],
  );
});

test("readers that left the tree alone cost no restore", () => {
  const played = at({ how: "parallel", jobs: [scout("a"), scout("b")] }, { agents: { scout: says("fine") } });
  assert.ok(!played.requests.some((request) => request.do === "restore"));
});

test("a busy provider is waited for", () => {
  const agents = {
    scout: ({ nth }: { nth: number }): string | FailedAgent => (nth === 1 ? { failed: "overloaded" } : "late"),
  };
  const played = at({ how: "one", jobs: [scout("a")] }, { agents });
  assert.equal(resultOf(played)[0]?.text, "late");
  assert.equal(dispatches(played).length, 2);
});

test("what is too much, too little or two writers at once is no input", () => {
  const refused = (input: object) =>
    assert.equal(TeamInput.safeParse({ goal: "g", how: "parallel", ...input }).success, false);
  const many = (count: number) => Array.from({ length: count }, () => scout("a"));
  refused({ jobs: [] });
  refused({ jobs: many(mostJobs + 1) });
  refused({ jobs: [scout("  ")] });
  refused({ jobs: [{ role: "nobody", task: "a" }] });
  refused({ jobs: many(2), atOnce: 0 });
  refused({ jobs: [scout("a"), { role: "implementer", task: "b" }] });
  assert.ok(
    TeamInput.safeParse({ goal: "g", how: "chain", jobs: [scout("a"), { role: "implementer", task: "b" }] }).success,
  );
});
