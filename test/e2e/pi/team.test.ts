// The tool `team` in the real pi: the session's model calls it, and the agents are real pis with the same scripted model.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { goneAt } from "../../../src/adapters/process/gone.ts";
import { viewOf } from "../../../src/engine/views/fold/run-view.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import type { PiSession, Shown } from "../../rig/pi-host/session.ts";
import { sharePi } from "../../rig/pi-host/shared.ts";
import { callTeam, costOf, decideWriters, endsOf, startCalls, teamPlay, textOf } from "../../rig/pi-host/team.ts";

/** How many agents ran at once at most. */
function mostAtOnce(entries: readonly Entry[]): number {
  const open = new Set<string>();
  let most = 0;
  for (const entry of entries) {
    if (entry.type === "begin" && entry.request.do === "dispatch") open.add(entry.key);
    if (entry.type === "settle") open.delete(entry.key);
    most = Math.max(most, open.size);
  }
  return most;
}

test("one role works, is proven to have read only, and its cost is told, kept and added to the session's", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay());
  const [end] = await callTeam(pi, { role: "scout", task: "say It is in src." });
  const text = textOf(end);
  assert.equal(end?.isError, false, text);
  assert.match(text, /^Team run (\S+): 1 of 1 answered, \$0\.\d{4} in \d/);
  assert.match(
    text,
    /\n## 1\. scout: answered \(scripted\/scripted-model, \$0\.\d{4}, \d+s\)\n\nProven: the tree was the same before and after it\.\n\nIt is in src\.$/,
  );
  const view = viewOf(await cli.entries());
  assert.ok(view.spend.total.costUsd > 0);
  assert.equal(costOf(end), view.spend.total.costUsd);
  assert.deepEqual(view.ending?.how, "finished");
  assert.equal(cli.active, undefined);
  assert.deepEqual(cli.traces(), [`run ${view.runId}`]);
  assert.ok(
    pi.records.some(({ statusText = "" }) => statusText.includes("team")),
    "pi's status line shows it",
  );
  const updates = pi.records.filter(({ type }) => type === "tool_execution_update");
  assert.match(JSON.stringify(updates), /▸ 1\. scout: say It is in src\./);

  const costs = await cli.go("costs");
  assert.match(costs.stdout, /Run \S+: team: scout: say It is in src\.\nSpent \$0\.\d{4} in 1 agent call\b/);
  const report = await cli.go("report");
  assert.match(report.stdout, /\n1\. scout answered: It is in src\.\n/);
  assert.doesNotMatch(report.stdout, /completed|Final Review|Outside implementation/);
  const runs = await cli.go("runs");
  assert.match(runs.stdout, new RegExp(`${view.runId} +finished .*team: scout`));
});

test("three readers side by side never are more than two at once where two are wished", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay());
  const parallel = ["first", "second", "third"].map((word) => ({ role: "scout", task: `wait 300 ${word}` }));
  const [end] = await callTeam(pi, { parallel, atOnce: 2 });
  const text = textOf(end);
  assert.match(text, /3 jobs side by side, at most 2 at once; 3 of 3 answered/);
  assert.match(text, /## 1\. scout[\s\S]*first[\s\S]*## 2\. scout[\s\S]*second[\s\S]*## 3\. scout[\s\S]*third/);
  assert.equal(mostAtOnce(await cli.entries()), 2);
});

test("in a chain each is given the answer before it, and a writer leaves its work uncommitted and named", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay());
  const chain = [
    { role: "scout", task: "say A parser is missing." },
    { role: "implementer", task: "write src/parser.ts\nUse {previous}." },
    { role: "quality-reviewer", task: "say Fine" },
  ];
  const calling = callTeam(pi, { chain });
  await decideWriters(pi, "Yes");
  const [end] = await calling;
  const text = textOf(end);
  assert.match(text, /3 jobs in a chain; 3 of 3 answered/);
  assert.match(
    text,
    /## 2\. implementer: answered .*\n\nIt changed 1 file, which is not committed \(the tree before it: refs\/superteam\/\S+\):\n- src\/parser\.ts \(added\)\n\ndone after "A parser is missing\."/,
  );
  assert.match(text, /## 3\. quality-reviewer: answered .*\n\nProven: [\s\S]*Fine after "done after/);
  assert.equal(cli.file("src/parser.ts"), "written by an agent\n");
  assert.equal(cli.git("status", "--porcelain", "--untracked-files=all"), "?? notes.txt\n?? src/parser.ts");
});

test("G4: writers need the person's yes, asked once per session and recorded; a no starts nothing", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay());
  const write = (path: string) => ({ role: "implementer", task: `write ${path}` });
  const calling = callTeam(pi, write("a.txt"), write("b.txt"), write("c.txt"));
  await decideWriters(pi, "No");
  await decideWriters(pi, "Yes");
  const [refused, first, second] = await calling;
  assert.equal(refused?.isError, true);
  assert.match(textOf(refused), /the person has not allowed that in this session\. Nothing was started\./);
  assert.deepEqual([first?.isError ?? false, second?.isError ?? false], [false, false]);
  assert.deepEqual(
    [cli.file("a.txt"), cli.file("b.txt") !== undefined, cli.file("c.txt") !== undefined],
    [undefined, true, true],
  );
  const entries = await cli.entries();
  const [header] = entries;
  assert.equal(header?.type === "run" && header.header.startedBy, "model");
  assert.ok(
    entries.some(
      (entry) => entry.type === "settle" && entry.key.startsWith("~ask:team.write") && entry.outcome === "yes",
    ),
  );
});

test("what a reader changes by a shell, by a tool it was given or by a commit is put back and told", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay());
  writeFileSync(
    join(cli.folder, "config/superteam/config.json"),
    JSON.stringify({ execution: { warmSpares: false }, agents: { "spec-reviewer": { tools: ["read", "write"] } } }),
  );
  const [readme, head] = [cli.file("README.md"), cli.git("rev-parse", "HEAD")];
  const ends = await callTeam(
    pi,
    { role: "scout", task: "bash echo mine > README.md; echo new > new.txt" },
    { role: "spec-reviewer", task: "write README.md" },
    {
      parallel: [
        { role: "scout", task: "bash echo mine >> README.md; git commit -qam mine" },
        { role: "architect", task: "say Fine" },
      ],
    },
  );
  const [shell, tool, commit] = ends.map(textOf);
  assert.match(shell ?? "", /0 of 1 answered/);
  assert.match(
    shell ?? "",
    /## 1\. scout: meddled .*\n\nWhat was changed is kept under refs\/superteam\/\S+\n\nscout may only read, but README\.md, new\.txt changed .* undone, and its answer is not used\./,
  );
  assert.match(tool ?? "", /spec-reviewer may only read, but README\.md changed/);
  assert.match(commit ?? "", /scout may only read, but HEAD, README\.md changed .* undone/);
  assert.equal(cli.file("README.md"), readme);
  assert.equal(cli.file("new.txt"), undefined);
  assert.equal(cli.git("rev-parse", "HEAD"), head);
  assert.equal(cli.git("status", "--porcelain"), "?? notes.txt");
  const kept = cli
    .git("for-each-ref", "--format=%(refname)", "refs/superteam")
    .split("\n")
    .filter((ref) => ref.endsWith("-reader-given-up"));
  assert.equal(kept.length, 3);
  // Calls of the same second have no order by their names.
  const withNew = kept.filter((ref) => cli.git("ls-tree", "--name-only", ref).includes("new.txt"));
  assert.deepEqual(
    withNew.map((ref) => cli.git("show", `${ref}:new.txt`)),
    ["new"],
  );
});

test("what cannot be done is refused in words, and nothing is started", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay());
  const reader = { role: "scout", task: "say x" };
  const ends = await callTeam(
    pi,
    { role: "wizard", task: "say x" },
    { parallel: [reader, { role: "implementer", task: "write a.txt" }] },
    { ...reader, chain: [reader] },
    { role: "scout", task: " " },
    { chain: [] },
  );
  const words = [
    /There is no role "wizard"\. Readers: scout, brainstormer, .*\. Writers: planner, implementer\. Nothing was started\./,
    /The implementer writes, and two that change the same tree at once .*Give the implementer a call of its own/,
    /Give exactly one of: role and task; parallel; chain\. Nothing was started\./,
    /The scout has no task/,
    /There is nothing to do: chain is empty\./,
  ];
  for (const [index, expected] of words.entries()) {
    assert.equal(ends[index]?.isError, true);
    assert.match(textOf(ends[index]), expected);
  }
  assert.deepEqual(cli.traces(), []);
});

/** Waits until an agent's call of a tool has begun, and until it is over. */
async function toolDone(pi: PiSession, isDoing: (record: object) => boolean): Promise<void> {
  const doing = await pi.until(isDoing, "a tool at work");
  const isLater = (record: Shown): boolean => pi.records.indexOf(record) > pi.records.indexOf(doing);
  const isUpdate = (record: Shown): boolean => record.type === "tool_execution_update" && isLater(record);
  await pi.until((record) => isUpdate(record) && !isDoing(record), "the tool done");
}

test("Escape stops the agents, puts back what a reader had changed, and ends the run for good", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay());
  const readme = cli.file("README.md");
  const meddling = { role: "scout", task: "bash echo mine > README.md\nthen wait 600000" };
  await startCalls(pi, [{ parallel: [meddling, { role: "architect", task: "wait 600000 never" }] }]);
  const isDoing = (record: object): boolean => JSON.stringify(record).includes("running echo mine");
  await toolDone(pi, isDoing);
  assert.equal(cli.file("README.md"), "mine\n");
  await pi.ask({ type: "abort" });
  await pi.until(({ type }) => type === "agent_end", "the end of the turn");
  assert.equal(cli.file("README.md"), readme);
  const entries = await cli.entries();
  const last = entries.at(-1);
  assert.ok(last?.type === "end" && last.ending.how === "aborted", JSON.stringify(last));
  for (const agent of readdirSync(join(cli.run, "dispatches")))
    assert.notEqual(await goneAt(join(cli.run, "dispatches", agent)), null, agent);
  assert.deepEqual(cli.traces(), [`run ${viewOf(entries).runId}`]);
  const text = textOf(endsOf(pi)[0]);
  assert.match(text, /It was ended: it was stopped before its end\n/);
  assert.match(
    text,
    /The scout may only read, but had changed README\.md\. That was undone; the changes are kept at refs\//,
  );
  assert.match(text, /## 1\. scout: stopped \(.*\n\n## 2\. architect: stopped \(/);
});

test("what a writer that was stopped has left is named, with how it is taken back", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay());
  await startCalls(pi, [{ role: "planner", task: "write docs/plan.md\nthen wait 600000" }]);
  await decideWriters(pi, "Yes");
  const isDoing = (record: object): boolean => JSON.stringify(record).includes("— writing");
  await toolDone(pi, isDoing);
  await pi.ask({ type: "abort" });
  await pi.until(({ type }) => type === "agent_end", "the end of the turn");
  const text = textOf(endsOf(pi)[0]);
  assert.match(
    text,
    /1 file of unfinished work is left in the tree, uncommitted:\n {2}added docs\/plan\.md\n[\s\S]*rm -- docs\/plan\.md/,
  );
  assert.match(text, /## 1\. planner: stopped/);
  assert.equal(cli.file("docs/plan.md"), "written by an agent\n");
});

test("when pi ends its agents are stopped, and nothing waits to be resumed", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay());
  await startCalls(pi, [{ role: "scout", task: "wait 600000 never" }]);
  await pi.until((record) => JSON.stringify(record).includes("▸ 1. scout"), "the agent at work");
  await pi.end();
  const entries = await cli.entries();
  assert.equal(viewOf(entries).ending?.how, "aborted");
  assert.equal(cli.active, undefined);
  const [agent = ""] = readdirSync(join(cli.run, "dispatches"));
  assert.notEqual(await goneAt(join(cli.run, "dispatches", agent)), null);
});

test("an answer that is too long is cut, with where it is kept whole", async (context) => {
  const { pi } = await sharePi(context, (turn) =>
    turn.header === null ? teamPlay()(turn) : { text: `begin ${"x".repeat(60_000)} end` },
  );
  const text = textOf((await callTeam(pi, { role: "scout", task: "say much" }))[0]);
  assert.ok(text.length < 42_000, String(text.length));
  const [, file = ""] = /more characters\. The whole answer: (\S+)\]/.exec(text) ?? [];
  assert.match(readFileSync(file, "utf8"), /^begin x+ end$/);
});
