// Runs that wait for their turn in this repository, in order. All worktrees share the line, so that it is changed by one
// process at a time; a file that cannot be read is reported and left as it is.

import { z } from "zod";
import { modes } from "../../core/run/config.ts";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import type { LeaseOwner, RunQueue, StartWaiting, WaitingRun } from "../../ports/runs.ts";
import { writeAtomically } from "../files/atomic.ts";
import { parseChecked } from "../files/checked-json.ts";
import { readIfPresent } from "../files/present.ts";
import { withLock } from "./lock.ts";

const Waiting = z.object({
  goal: z.string().trim().min(1),
  mode: z.enum(modes),
  branch: z.string().regex(/^[^-]/, "is not the name of a branch"),
  base: z.object({ sha: z.string().regex(/^[0-9a-f]{40,64}$/, "is not a commit"), branch: z.string().nullable() }),
  dryRun: z.boolean().default(false),
  skipBrainstorm: z.boolean().default(false),
  mark: z.string(),
  run: z.string().optional(),
}) satisfies z.ZodType<WaitingRun>;
type Waiting = z.infer<typeof Waiting>;

/** The marks of all that was ever put in line stay for a while: what is taken must not come back. */
const File = z.object({ v: z.literal(1), runs: z.array(Waiting), marks: z.array(z.string()).default([]) });
type File = z.infer<typeof File>;

const marksKept = 100;

/** Whether this run has started: then its entry is no longer in the queue. */
export type IsStarted = (runId: string) => Promise<boolean>;

export function queueOf(path: string, isStarted: IsStarted): RunQueue {
  return {
    where: path,
    list: async () => (await readLine(path)).runs,
    add: (runs, mark) =>
      alone(path, async () => {
        const file = await readLine(path);
        if (file.marks.includes(mark)) return;
        const added = runs.map((run) => ({ ...run, base: { ...run.base }, mark }));
        await save(path, { ...file, runs: [...file.runs, ...added], marks: [...file.marks, mark].slice(-marksKept) });
      }),
    take: (start) => alone(path, () => takeFirst(path, start, isStarted)),
  };
}

async function takeFirst<T>(path: string, start: StartWaiting<T>, isStarted: IsStarted): Promise<T | undefined> {
  const file = await readLine(path);
  const [first, ...rest] = await stillWaiting(file.runs, isStarted);
  if (first === undefined) {
    if (file.runs.length > 0) await save(path, { ...file, runs: [] });
    return undefined;
  }
  const begun = await start(first, (names) => save(path, { ...file, runs: [{ ...first, ...names }, ...rest] }));
  await save(path, { ...file, runs: rest });
  return begun;
}

/** Without those whose taker was killed after it had started them. */
async function stillWaiting(runs: readonly Waiting[], isStarted: IsStarted): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  for (const run of runs) if (run.run === undefined || !(await isStarted(run.run))) waiting.push(run);
  return waiting;
}

async function readLine(path: string): Promise<File> {
  try {
    const text = await readIfPresent(path);
    return text === undefined ? { v: 1, runs: [], marks: [] } : parseChecked(File, text);
  } catch (cause) {
    const message =
      `The queue in ${path} cannot be read and was not changed: ${reasonOf(cause)}\n` +
      "Fix it, or move it away and start its runs again with superteam run. " +
      "A file of a newer superteam needs that version.";
    throw new OutsideFailure("unreadable", message, { cause });
  }
}

function save(path: string, file: File): Promise<void> {
  return writeAtomically(path, `${JSON.stringify(file, null, 2)}\n`);
}

function alone<T>(path: string, act: () => Promise<T>): Promise<T> {
  const busy = ({ pid, host }: LeaseOwner): string =>
    `The queue in ${path} is held by process ${pid} on ${host}. Wait for it or end it, then try again.`;
  // Another process holds the line as long as it takes to make a branch and the first entry of a run.
  return withLock(path, { waitMs: 20_000, kind: "busy", busy }, act);
}
