// What a run costs beyond its agents, as its user has it: git and the disk included, beside a loop that calls pi alone. A run
// that several rows look at is made once.

import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { quickPiFile } from "../../test/rig/agents/backends.ts";
import { letter } from "../../test/rig/cli/small-play.ts";
import { piProgram } from "../../test/rig/pi-host/session.ts";
import { build } from "../build.ts";
import { keptFolder } from "../folder.ts";
import { type LongRun, type LongRunOptions, longRun, type Opening } from "../long/run.ts";
import type { Usage } from "../long/usage.ts";
import { commonStart } from "../prompts.ts";
import { type Measured, type Row, sideBySide, timed } from "../row.ts";

const many = 20;
const [few, most] = [10, 100];

/**
 * What the tasks write is there as a draft in both of these runs, so that the repository stays as large as it is. git writes its whole
 * index and a folder's whole tree for each change of them: what a larger repository costs is a row of its own, `repository-writes`.
 */
const drafts = Object.fromEntries(Array.from({ length: most }, (_, index) => [letter(index + 1), "A draft.\n"]));
/** As many files again, ten times over. */
const beside = Object.fromEntries(
  Array.from({ length: 10 * most }, (_, index) => [`beside/${index}.txt`, `${index}\n`]),
);

export const taskRows: readonly Row[] = [
  {
    name: "task-overhead",
    what: "time per task of three dispatches without a running agent, git included / bare pi's whole time per task",
    bar: 0.04,
    measure: async (strain) => {
      const run = await watched(strain);
      return compared(run.withoutAgentsMs / many, (await bare()).wallMs / many, "ms per task");
    },
  },
  {
    name: "task-wall",
    what: "wall-clock per task with the usual settings / bare pi with the same calls",
    bar: 0.85,
    measure: async (strain) =>
      compared(((await usual()).wallMs * strain) / many, (await bare()).wallMs / many, "ms per task"),
  },
  {
    name: "task-processor",
    what: "processor time of superteam itself per task / of a loop that only calls pi",
    bar: 6,
    measure: async (strain) => {
      const [small, large] = [await quick(few), await quick(most)];
      const own = (large.usage.processorMs - small.usage.processorMs) / (most - few);
      const { processorMs, startMs } = await bare();
      return compared(own * strain, (processorMs - startMs) / many, "ms per task");
    },
  },
  {
    name: "prompt-fresh",
    what: "share of a dispatch's first request that differs from that role's previous one, compared from the first byte on",
    bar: 0.15,
    measure: async (strain) => {
      const { fresh, all } = freshIn((await watched(1)).openings);
      return compared(fresh * strain, all, "characters");
    },
  },
  {
    name: "git-processes",
    what: "git processes per task without findings",
    bar: 14,
    measure: async (strain) => {
      const [small, large] = [await quick(few), await quick(most)];
      return compared(((large.gitProcesses - small.gitProcesses) / (most - few)) * strain, 1, "per task");
    },
  },
  {
    name: "task-growth",
    what: "time per task without a running agent, in a run of 100 tasks / of 10",
    bar: 1.15,
    measure: (strain) => growth(strain, "ms per task", ({ withoutAgentsMs }, tasks) => withoutAgentsMs / tasks),
  },
  {
    name: "memory-growth",
    what: "peak memory of superteam in a run of 100 tasks / of 10",
    bar: 1.3,
    measure: (strain) => growth(strain, "MB", ({ usage }) => usage.peakMb),
  },
  {
    name: "disk-growth",
    what: "bytes that superteam and git write per task, from the 10th to the 100th task / from the first to the 10th",
    bar: 1.1,
    measure: async (strain) => {
      const [one, small, large] = [await quick(1), await quick(few), await quick(most)];
      const early = (small.bytes - one.bytes) / (few - 1) / 1024;
      return compared(((large.bytes - small.bytes) / (most - few) / 1024) * strain, early, "KB per task");
    },
  },
  {
    name: "repository-writes",
    what: "extra bytes per task in a repository with 1,000 more files / extra bytes in git's index there",
    bar: 17,
    measure: async (strain) => {
      const [small, large] = [await quick(few), await crowded()];
      const index = indexBytes(large.root) - indexBytes(small.root);
      return compared(((large.bytes - small.bytes) / few / 1024) * strain, index / 1024, "KB per task");
    },
  },
  {
    name: "status-growth",
    what: "superteam status after 100 tasks, built / node -e 0",
    bar: 4,
    measure: async (strain) => {
      const { root, environment } = await quick(most);
      const args = [await program(), "-C", root, "status"];
      return sideBySide(11, "ms", {
        ours: () => timed(strain, () => call(process.execPath, args, { env: environment })),
        theirs: () => timed(1, () => call(process.execPath, ["-e", "0"])),
      });
    },
  },
];

const call = promisify(execFile);

const program = once(async () => build(await keptFolder()));
const watched = onceFor((strain: number) => made({ tasks: many, strain }));
const usual = once(() => made({ tasks: many, how: "usual" }));
const quick = onceFor((tasks: number) => made({ tasks, files: drafts, pi: quickPiFile, how: "counted" }));
const crowded = once(() => made({ tasks: few, files: { ...drafts, ...beside }, pi: quickPiFile, how: "counted" }));

async function made(wishes: Pick<LongRunOptions, "tasks"> & Partial<LongRunOptions>): Promise<LongRun> {
  const [folder, built] = [await keptFolder(), await program()];
  return longRun({ folder, program: built, files: {}, how: "watched", pi: piProgram, strain: 1, ...wishes });
}

function indexBytes(root: string): number {
  return statSync(join(root, ".git/index")).size;
}

/** The same calls that the tasks made, and what a process costs that makes none. */
const bare = once(async () => {
  const { calls, environment } = await watched(1);
  const loop = async (some: typeof calls) => {
    const folder = await keptFolder();
    const [list, into] = [join(folder, "calls.json"), join(folder, "usage.json")];
    await writeFile(list, JSON.stringify(some));
    const options = ["--import", join(import.meta.dirname, "../long/usage.ts")];
    const args = [...options, join(import.meta.dirname, "../long/bare-loop.ts"), list];
    const { stdout } = await call(process.execPath, args, { env: { ...environment, BENCH_USAGE: into } });
    const usage: Usage = JSON.parse(await readFile(into, "utf8"));
    return { wallMs: Number(stdout), processorMs: usage.processorMs };
  };
  if (calls.length !== 3 * many) throw new Error(`There should be ${3 * many} calls, and are ${calls.length}.`);
  return { ...(await loop(calls)), startMs: (await loop([])).processorMs };
});

async function growth(strain: number, unit: string, of: (run: LongRun, tasks: number) => number): Promise<Measured> {
  return compared(of(await quick(most), most) * strain, of(await quick(few), few), unit);
}

function compared(ours: number, theirs: number, unit: string): Measured {
  return { ratio: ours / theirs, ours, theirs, unit };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  const kept = onceFor((_: 0) => make());
  return () => kept(0);
}

function onceFor<K, T>(make: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const kept = new Map<K, Promise<T>>();
  return (key) => {
    const one = kept.get(key) ?? make(key);
    kept.set(key, one);
    return one;
  };
}

/** Over all dispatches of a role but its first. */
function freshIn(openings: readonly Opening[]): { readonly fresh: number; readonly all: number } {
  const runs = [...Map.groupBy(openings, ({ role }) => role).values()];
  const pairs = runs.flatMap((run) => run.slice(1).map(({ text }, index) => [run[index]?.text ?? "", text] as const));
  const all = pairs.reduce((sum, [, text]) => sum + text.length, 0);
  return { all, fresh: pairs.reduce((sum, [before, text]) => sum + text.length - commonStart(before, text), 0) };
}
