// What a step costs with the file journal, how that grows, and what a resume costs.

import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createFileJournal, openFileJournal } from "../../src/adapters/journal/file.ts";
import { type Flow, record } from "../../src/core/flow/flow.ts";
import { bareOutline } from "../../src/core/run/pipeline.ts";
import type { Entry, Journal } from "../../src/ports/journal.ts";
import { rig } from "../../test/rig/world.ts";
import { inFolder } from "../folder.ts";
import { type Measured, median, type Row, sideBySide, timed } from "../row.ts";

export const engineRows: readonly Row[] = [
  {
    name: "engine",
    what: "one step with the file journal / a bare append and fsync of the same bytes",
    bar: 2,
    measure: (strain) =>
      sideBySide(9, "µs per step", {
        ours: () => inFolder((folder) => steps(folder, strain)),
        theirs: () => inFolder(bareAppends),
      }),
  },
  {
    name: "growth",
    what: "step 10,000 / step 100",
    bar: 1.5,
    measure: (strain) => inFolder((folder) => growth(folder, strain)),
  },
  {
    name: "resume",
    what: "replay of a 10,000-step journal / JSON.parse of that file",
    bar: 5,
    measure: (strain) => inFolder((folder) => resume(folder, strain)),
  },
];

const batch = 200;

function* many(count: number): Flow<void> {
  for (let step = 0; step < count; step++) {
    yield* record({ type: "warning", text: `step ${step}: a fact about as long as facts usually are` });
  }
}

async function newJournal(folder: string): Promise<Journal> {
  const journal = await createFileJournal({ folder });
  const header = { runId: "bench", pipeline: bareOutline("bench"), input: null, startedAt: 0 };
  await journal.append({ type: "run", header }, { sync: true });
  return journal;
}

let bytesPerStep = 700;

async function steps(folder: string, strain: number): Promise<number> {
  const journal = await newJournal(folder);
  const ms = await timed(1, () => rig(journal).go(() => many(batch * strain)));
  await journal.close();
  bytesPerStep = Math.round((await stat(join(folder, "journal.jsonl"))).size / (batch * strain));
  return (ms / batch) * 1000;
}

async function bareAppends(folder: string): Promise<number> {
  const file = await open(join(folder, "bare"), "a");
  const bytes = Buffer.alloc(bytesPerStep, "a");
  const ms = await timed(1, async () => {
    for (let step = 0; step < batch; step++) {
      await file.write(bytes);
      await file.datasync();
    }
  });
  await file.close();
  return (ms / batch) * 1000;
}

/** The time of a step is that between two settled records. Under strain, each step past the middle is several. */
async function growth(folder: string, strain: number): Promise<Measured> {
  const [count, middle] = [10_100, 5_000];
  const journal = await newJournal(folder);
  const times: number[] = [];
  let settled = 0;
  const { world, go } = rig(journal);
  const watch = ({ entry }: { readonly entry?: Entry }): void => {
    if (entry?.type !== "settle" || (++settled > middle && (settled - middle) % strain !== 0)) return;
    times.push(performance.now());
  };
  Object.assign(world, { watch });
  await go(() => many(middle + (count - middle) * strain));
  await journal.close();
  const [early, late] = [stepAround(times, 100), stepAround(times, 10_000)];
  return { ratio: late / early, ours: late * 1000, theirs: early * 1000, unit: "µs per step" };
}

function stepAround(times: readonly number[], step: number): number {
  const near = times.slice(step - 100, step + 100);
  return median(near.slice(1).map((time, index) => time - (near[index] ?? 0)));
}

async function resume(folder: string, strain: number): Promise<Measured> {
  const journal = await newJournal(folder);
  await rig(journal).go(() => suspendedAfter(10_000));
  await journal.close();
  const file = join(folder, "journal.jsonl");
  return sideBySide(9, "ms", {
    ours: () =>
      timed(strain, async () => {
        const { journal: again } = await openFileJournal({ folder });
        await rig(again).go(() => suspendedAfter(10_000));
        await again.close();
      }),
    theirs: () =>
      timed(1, async () => {
        for (const line of (await readFile(file, "utf8")).split("\n")) if (line !== "") JSON.parse(line);
      }),
  });
}

function* suspendedAfter(count: number): Flow<void> {
  yield* many(count);
  yield { do: "ask", question: { id: "end", kind: "input", title: "", message: "" } };
}
