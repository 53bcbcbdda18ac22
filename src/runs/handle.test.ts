import assert from "node:assert/strict";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { type TestContext, test } from "node:test";
import { makeRepository } from "../../test/rig/pipeline/run.ts";
import { until } from "../../test/rig/until.ts";
import { openBackends } from "../adapters/agents/open-backends.ts";
import { scriptedBackend } from "../adapters/agents/scripted/agents.ts";
import type { ScriptedPlay } from "../adapters/agents/scripted/script.ts";
import { headlessPerson } from "../adapters/person/headless/headless.ts";
import { workplaceAt } from "../hosts/wiring/workplace-at.ts";
import type { RunHandle } from "./handle.ts";
import { type Host, nothingStarted } from "./host.ts";
import { Problem } from "./problem.ts";
import { resume, start } from "./start.ts";

const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** A host without a person, whose agents play this. */
function hostWith(play: ScriptedPlay, out = sink()): Host {
  return {
    audience: async ({ served }) => {
      const person = headlessPerson({ answers: undefined, yes: false, out, served, plain: true, show: false });
      return { person, problems: () => person.problems, close: person.close };
    },
    givesUp: (active) => Promise.reject(nothingStarted(active)),
    tell: () => undefined,
    json: undefined,
    redact: (text) => text,
    columns: () => 76,
    backends: () => openBackends({ scripted: async () => scriptedBackend(play) }, {}),
    watch: undefined,
    onlyNow: false,
  };
}

/** A repository in which runs are started whose first agent never ends by itself. */
async function opened(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), "superteam-handle-"));
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  makeRepository(root);
  const place = await workplaceAt(root);
  const host = hostWith(() => ({ text: "", hang: true }));
  const options = { goal: "Write a letter", backend: "scripted" };
  return { root, place, started: () => start(place, options, host), resumed: () => resume(place, options, host) };
}

const atWork = (run: RunHandle): Promise<void> => until(() => run.look().running.size === 1);

test("a run that is started gives its handle before it ends, and look shows how far it is", async (t) => {
  const { place, started } = await opened(t);
  const run = await started();
  t.after(() => run.stop());
  assert.equal(run.runId, await place.runs.readActive());
  await atWork(run);
  const { runId, goal, running, ending } = run.look();
  assert.deepEqual({ runId, goal, ending }, { runId: run.runId, goal: "Write a letter", ending: null });
  assert.deepEqual(
    [...running.values()].map(({ role }) => role),
    ["scout"],
  );
  run.stop();
  await run.ended;
});

test("stop ends the agents and suspends the run, which goes on under the same id", async (t) => {
  const { place, started, resumed } = await opened(t);
  const first = await started();
  await atWork(first);
  first.stop();
  const { runId, end } = await first.ended;
  assert.deepEqual({ runId, end }, { runId: first.runId, end: { how: "suspended", why: "interrupted" } });
  assert.equal(await place.runs.owner(), undefined);
  const again = await resumed();
  assert.equal(again.runId, first.runId);
  await atWork(again);
  again.stop();
  assert.equal((await again.ended).end.how, "suspended");
});

test("W2: what is heard of a git command that takes long reaches the person, until the run ends", async (t) => {
  const { place } = await opened(t);
  const hearers = new Set<(text: string) => void>();
  const onSlowGit = (hear: (text: string) => void) => {
    hearers.add(hear);
    return () => hearers.delete(hear);
  };
  const shown: string[] = [];
  const out = new Writable({ write: (chunk, _encoding, done) => done(void shown.push(String(chunk))) });
  const host = hostWith(() => ({ text: "", hang: true }), out);
  const run = await start({ ...place, onSlowGit }, { goal: "Write a letter", backend: "scripted" }, host);
  t.after(() => run.stop());
  await atWork(run);
  for (const hear of hearers) hear("git commit has been running for 10 s");
  assert.match(shown.join(""), /git commit has been running for 10 s/);
  run.stop();
  await run.ended;
  assert.equal(hearers.size, 0);
});

test("F13: a run is not resumed in the middle of a merge, and can be once that is over", async (t) => {
  const { root, started, resumed } = await opened(t);
  const first = await started();
  await atWork(first);
  first.stop();
  await first.ended;
  writeFileSync(join(root, ".git/MERGE_HEAD"), `${"a".repeat(40)}\n`);
  await assert.rejects(resumed(), (error) => error instanceof Problem && /A merge is in progress/.test(error.message));
  rmSync(join(root, ".git/MERGE_HEAD"));
  const again = await resumed();
  await atWork(again);
  again.stop();
  await again.ended;
});

test("what goes wrong before the first entry is thrown: there is no handle, and no run", async (t) => {
  const { root, place, started, resumed } = await opened(t);
  await assert.rejects(resumed(), (error) => error instanceof Problem && /No run is active/.test(error.message));
  appendFileSync(join(root, "README.md"), "not committed\n");
  await assert.rejects(started(), (error) => error instanceof Problem && /uncommitted changes/.test(error.message));
  assert.deepEqual([await place.runs.readActive(), await place.runs.list()], [undefined, []]);
});
