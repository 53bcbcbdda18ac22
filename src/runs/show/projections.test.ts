// The files that other programs read during a run.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Pen, question, wholeRun } from "../../../test/rig/sample-journal.ts";
import { eventually } from "../../../test/rig/until.ts";
import { documents } from "../../adapters/store/documents.ts";
import { type Pace, projectionFiles } from "../../adapters/store/projection-files.ts";
import { snapshotName } from "../../adapters/store/snapshot.ts";
import { outlineOf } from "../../core/run/pipeline.ts";
import { hideKeys } from "../../core/text/secrets.ts";
import { formatProgress } from "../../engine/views/files/progress.ts";
import { formatReport } from "../../engine/views/files/report.ts";
import { toSnapshot } from "../../engine/views/files/snapshot.ts";
import { applyEntry } from "../../engine/views/fold/run-view.ts";
import { RunView } from "../../engine/views/fold/shape.ts";
import { superteam } from "../../pipelines/superteam.ts";
import type { Entry } from "../../ports/journal.ts";
import { leaveProgress, Projections } from "./projections.ts";

const paths = { progress: "docs/plans/x-progress.md", summary: "docs/plans/x-summary.md" };
const asking = "brainstorm/ask:brainstorm.question.1#1";
const limited = { timeout: 240_000 };
const quick: Pace = { snapshotMs: 20, progressMs: 20 };
/** No test lives to see a second write. */
const never: Pace = { snapshotMs: 3_600_000, progressMs: 3_600_000 };

for (const [name, pace] of [
  ["the usual pace", undefined],
  ["a quick one", quick],
] as const) {
  test(
    `at ${name} the last of several changes comes to be in the progress file, while the run goes on`,
    limited,
    async (t) => {
      const run = await setUp(t, { pace });
      run.happens((pen) => pen.run("Write a letter"));
      await run.shows("Starting");
      run.happens((pen) => pen.enter("brainstorm", "phase"));
      run.happens((pen) => pen.leave("brainstorm").enter("plan-write", "phase"));
      await run.shows("Writing the plan");
      assert.equal(run.progress(), formatProgress(run.view));
      run.happens((pen) => pen.enter("execute", "phase"));
      await run.shows("Executing");
      assert.deepEqual(run.troubles, []);
    },
  );
}

test(
  "A10: nothing is written before the mode is known, nor in a hotfix that is not asked for it",
  limited,
  async (t) => {
    for (const mode of [null, "hotfix"] as const) {
      const run = await setUp(t, { pace: quick, mode });
      run.happens((pen) => pen.run("Write a letter").enter("brainstorm", "phase"));
      run.happens((pen) => pen.asks(asking, question));
      await run.projections.publish("summary");
      await run.projections.close(false);
      assert.deepEqual([run.progress(), run.summary()], [undefined, undefined]);
      assert.ok(run.snapshot());
      run.view.config = { documents: { commit: true } };
      await run.projections.publish("summary");
      assert.equal(run.summary() !== undefined, mode === "hotfix");
    }
  },
);

test("changes that follow each other closely are not each written", limited, async (t) => {
  const run = await setUp(t, { pace: never });
  run.happens((pen) => pen.run("Write a letter"));
  await run.shows("Starting");
  run.happens((pen) => pen.enter("execute", "phase"));
  await anotherRunWrites(t);
  assert.match(run.progress() ?? "", /Starting/);
});

test("a question is on disk at once, with all that came before it", limited, async (t) => {
  const run = await setUp(t, { pace: never });
  run.happens((pen) => pen.run("Write a letter"));
  await run.shows("Starting");
  run.happens((pen) => pen.enter("brainstorm", "phase"));
  run.happens((pen) => pen.asks(asking, question));
  await run.shows("Brainstorming");
  await eventually(() => assert.deepEqual(run.snapshot(), JSON.parse(JSON.stringify(toSnapshot(run.view)))));
  assert.match(JSON.stringify(run.snapshot()), /Which algorithm/);
});

test("close leaves the last state, and nothing is written after it", limited, async (t) => {
  const run = await setUp(t, { pace: quick });
  run.happens((pen) => pen.run("Write a letter"));
  await run.shows("Starting");
  run.happens((pen) => pen.enter("execute", "phase"));
  await run.projections.close(false);
  assert.equal(run.progress(), formatProgress(run.view));
  assert.deepEqual(run.snapshot(), JSON.parse(JSON.stringify(toSnapshot(run.view))));

  await run.remove();
  run.happens((pen) => pen.leave("execute").enter("finalize", "phase"));
  run.happens((pen) => pen.asks(asking, question));
  await anotherRunWrites(t);
  assert.deepEqual([run.progress(), run.snapshot()], [undefined, undefined]);
});

test(
  "a progress file that is published is not written again, neither while the run goes on nor at its end",
  limited,
  async (t) => {
    const run = await setUp(t, { pace: quick });
    run.happens((pen) => pen.run("Write a letter").enter("finalize", "phase"));
    await run.projections.publish("progress");
    const published = run.progress();
    assert.equal(published, formatProgress(run.view));
    run.happens((pen) => pen.enter("execute", "phase"));
    run.happens((pen) => pen.asks(asking, question));
    await anotherRunWrites(t);
    assert.equal(run.progress(), published);
    await run.projections.close(true);
    assert.equal(run.progress(), published);
  },
);

test(
  "what is published is the report and the progress of the run as it stands, and says that it is complete",
  limited,
  async (t) => {
    const run = await setUp(t, { pace: never });
    run.happens((pen) => wholeRun(pen).fact("finalize", { type: "report", text: "done" }));
    await run.projections.publish("summary");
    await run.projections.publish("progress");
    assert.equal(run.summary(), formatReport(run.view));
    assert.match(run.summary() ?? "", /^# Workflow Complete\n/);
    assert.equal(run.progress(), formatProgress(run.view));
    assert.match(run.progress() ?? "", /\*\*Status:\*\* Complete/);
  },
);

test("a progress file that an earlier process published is left alone", limited, async (t) => {
  const run = await setUp(t, { pace: quick });
  const key = "finalize/publish:progress#1";
  run.projections.recall(new Pen().begin(key, { do: "publish", document: "progress" }).settle(key, null).entries);
  run.happens((pen) => pen.run("Write a letter").enter("finalize", "phase"));
  run.happens((pen) => pen.asks(asking, question));
  await anotherRunWrites(t);
  await run.projections.close(true);
  assert.equal(run.progress(), undefined);
});

test("a run that is ended from outside says so in its progress file, unless that is published", limited, async (t) => {
  const root = await temporary(t, () => Promise.resolve());
  const write = (text: string): Promise<void> => documents(root).write(paths.progress, text);
  const read = (): string => readFileSync(join(root, paths.progress), "utf8");
  const input = { goal: "Write a letter", documents: paths };
  const header = { runId: "run-1", pipeline: outlineOf(superteam), input, startedAt: 0 };
  const ended = (pen: Pen): readonly Entry[] =>
    pen.add({ type: "end", ending: { how: "aborted", detail: "enough" } }).entries;

  await write("Brainstorming");
  await leaveProgress(documents(root), ended(new Pen().add({ type: "run", header })));
  assert.match(read(), /Status:\*\* Aborted[\s\S]*Workflow aborted: enough/);

  await write("as published");
  const key = "finalize/publish:progress#1";
  await leaveProgress(documents(root), ended(new Pen().add({ type: "run", header }).settle(key, null)));
  assert.equal(read(), "as published");
});

test("a progress file that cannot be written is told, and stops nothing", limited, async (t) => {
  const run = await setUp(t, { pace: quick, progress: "../outside.md" });
  run.happens((pen) => pen.run("Write a letter"));
  await eventually(() => assert.match(run.troubles[0] ?? "", /inside the working tree/));
  const before = run.troubles.length;
  run.happens((pen) => pen.asks(asking, question));
  await eventually(() => assert.ok(run.troubles.length > before));
  await run.projections.close(true);
});

interface Setting {
  readonly pace?: Pace | undefined;
  readonly progress?: string;
  readonly mode?: RunView["mode"];
}

async function setUp(t: TestContext, { pace, progress = paths.progress, mode = "standard" }: Setting) {
  const root = await temporary(t, () => projections.close(true));
  const view = new RunView();
  view.documents = { ...paths, progress };
  view.mode = mode;
  const troubles: string[] = [];
  const trouble = (message: string): void => void troubles.push(message);
  const projections = new Projections({ files: projectionFiles(root, pace), view, redact: hideKeys, trouble });
  const pen = new Pen();
  const read = (path: string): string | undefined =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
  return {
    view,
    troubles,
    projections,
    /** Each entry is seen as it comes, as in a run. */
    happens: (what: (pen: Pen) => void): void => {
      const before = pen.entries.length;
      what(pen);
      for (const entry of pen.entries.slice(before)) {
        applyEntry(view, entry);
        view.documents = { ...paths, progress };
        projections.update();
      }
    },
    progress: () => read(progress),
    summary: () => read(paths.summary),
    snapshot: (): unknown => JSON.parse(read(snapshotName) ?? "null") ?? undefined,
    shows: (status: string): Promise<void> =>
      eventually(() => assert.match(read(progress) ?? "", new RegExp(`Status:\\*\\* ${status}`))),
    remove: async (): Promise<void> => {
      await rm(join(root, progress));
      await rm(join(root, snapshotName));
    },
  };
}

/** Whatever a quick run was about to write is written by now: this one has begun later, and has written twice. */
async function anotherRunWrites(t: TestContext): Promise<void> {
  const root = await temporary(t, () => projections.close(true));
  const view = new RunView();
  view.documents = paths;
  view.mode = "standard";
  const projections = new Projections({
    files: projectionFiles(root, quick),
    view,
    redact: hideKeys,
    trouble: assert.fail,
  });
  for (const goal of ["first", "second"]) {
    view.goal = goal;
    projections.update();
    await eventually(() => assert.match(readFileSync(join(root, paths.progress), "utf8"), new RegExp(goal)));
  }
}

async function temporary(t: TestContext, first: () => Promise<void>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "superteam-projections-"));
  t.after(async () => {
    await first();
    await rm(root, { recursive: true });
  });
  return root;
}
