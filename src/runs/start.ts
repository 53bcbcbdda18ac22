// superteam run, superteam resume: starts a run in this tree, or goes on with the active one.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { piModels } from "../adapters/agents/pi/models.ts";
import { reasonOf } from "../adapters/files/failure.ts";
import { sweepOwnFolder } from "../adapters/files/own-folder.ts";
import { createFileJournal, openFileJournal, readFileJournal } from "../adapters/journal/file.ts";
import { excludeOwnFiles } from "../adapters/repo/git/tree/excludes.ts";
import { readUncommitted } from "../adapters/repo/git/tree/uncommitted.ts";
import { type Flags, settings as settingsIn } from "../adapters/settings/file.ts";
import { takeLock } from "../adapters/store/lock.ts";
import { newRunId } from "../adapters/store/runs.ts";
import { documentsFor } from "../core/run/document-paths.ts";
import type { Mode } from "../core/run/mode.ts";
import type { Ahead } from "../engine/asking/question-queue.ts";
import type { World } from "../engine/drive/world.ts";
import { recap } from "../engine/views/show/recap.ts";
import { SuperteamInput, superteam } from "../pipelines/superteam.ts";
import type { Journal, RunHeader } from "../ports/journal.ts";
import { conduct } from "./conduct.ts";
import type { ActiveRun, Host } from "./host.ts";
import { lookAt } from "./look/look.ts";
import { exitCodes, Problem } from "./problem.ts";
import { viewOf } from "./show/show.ts";
import { activeRun, openTree, refuseUnwritable, type Tree } from "./tree.ts";
import { broughtBy } from "./trust.ts";

export interface RunOptions {
  readonly folder: string;
  /** What the repository brings along counts in this run, without being asked about. */
  readonly trust?: boolean;
  readonly model?: string;
  readonly backend?: "pi";
  readonly execution?: "auto" | "checkpoint" | "batch";
  readonly batchSize?: number;
  readonly review?: "iterative" | "single-pass";
  /** The hard limit in dollars, over the configuration's. */
  readonly budget?: number;
  /** Sleep while a provider's quota is used up, instead of suspending the run. */
  readonly wait?: boolean;
  /** Where variables for agents are taken from; the process's own unless a host says otherwise. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface StartOptions extends RunOptions {
  readonly goal: string;
  readonly mode?: Mode;
  readonly skipBrainstorm?: boolean;
  readonly dryRun?: boolean;
}

export async function start(options: StartOptions, host: Host): Promise<number> {
  const { goal, mode, skipBrainstorm, dryRun, budget: budgetUsd } = options;
  const wishes = { mode, skipBrainstorm, dryRun, budgetUsd };
  return startRun(options, host, { order: (tree) => defaultRun(tree, { goal, wishes }), documents: [], name: goal });
}

/** A run that is to be started. */
export interface Start {
  /** Made when nothing stands in its way any more. */
  readonly order: (tree: Tree) => RunOrder;
  /** Those of its documents that are there already: changes to them are no reason to refuse. */
  readonly documents: readonly string[];
  /** What it is told as. */
  readonly name: string;
}

/** With an active run the person is asked which of the two they want. */
export async function startRun(options: RunOptions, host: Host, { order, documents, name }: Start): Promise<number> {
  const tree = await openTree(options.folder);
  const ready = await prepare(tree, options, host);
  const active = await tree.store.readActive();
  if (active !== undefined && (await instead(tree, active, host)) === "resume") return resume(options, host);
  await refuseDirty(tree, documents);
  await refuseWithoutModel(ready.pi, ready.env, tree);
  if (active !== undefined)
    await (await import("./end.ts")).abort(options.folder, host.tell, "the person started a new run instead");
  const runId = newRunId(Date.now());
  const exitCode = await locked(tree, runId, async () => {
    const journal = await begin(tree, runId, order(tree), host);
    return conducted(journal, {
      ...ready,
      tree,
      runId,
      trust: options.trust ?? false,
      opening: [`Run ${runId}: ${name}`],
      ahead: undefined,
      host,
    });
  });
  return (await import("./next.ts")).afterFinish({ runId, exitCode }, options, host);
}

export async function resume(options: RunOptions, host: Host, answer?: (journal: Journal) => Ahead): Promise<number> {
  const tree = await openTree(options.folder);
  const runId = await activeRun(tree);
  const budget = options.budget ?? (await budgetOf(tree, runId));
  const ready = await prepare(tree, { ...options, ...(budget === undefined ? {} : { budget }) }, host);
  const exitCode = await locked(tree, runId, async () => {
    const { journal, repairs } = await openFileJournal({ folder: tree.store.paths(runId).folder });
    const opening = [...repairs, recap(viewOf(journal.entries))];
    return conducted(journal, {
      ...ready,
      tree,
      runId,
      trust: options.trust ?? false,
      opening,
      ahead: answer?.(journal),
      host,
    });
  });
  return (await import("./next.ts")).afterFinish({ runId, exitCode }, options, host);
}

/** What the run was started with. A journal that cannot be read is told by whoever opens it next. */
async function budgetOf(tree: Tree, runId: string): Promise<number | undefined> {
  const read = readFileJournal(tree.store.paths(runId).folder);
  const [first] = await read.then(({ entries }) => entries).catch(() => []);
  if (first?.type !== "run") return undefined;
  const input = SuperteamInput.safeParse(first.header.input);
  return input.success ? input.data.wishes.budgetUsd : undefined;
}

export async function conducted(
  journal: Journal,
  job: Omit<Parameters<typeof conduct>[0], "journal">,
): Promise<number> {
  try {
    return await conduct({ ...job, journal });
  } finally {
    await journal.close();
  }
}

export async function prepare(tree: Tree, options: RunOptions, host: Host) {
  const env = options.env ?? process.env;
  const settings = settingsIn(tree.place.root, flagsOf(options));
  const config = await settings.read();
  const brought = await broughtBy(tree.place.root, settings);
  const model = options.model ?? null;
  // Another model has a quota of its own.
  const patience: World["patience"] = options.wait ? "sleep" : model === null ? "suspend" : "forget";
  return { settings, config, brought, env, model, patience, pi: await host.pi(env) };
}

/** What the command line sets, in the shape of the configuration. */
function flagsOf({ model, backend, execution, batchSize, review, budget }: RunOptions): Flags {
  return {
    ...(budget === undefined ? {} : { costs: { hardLimitUsd: budget } }),
    ...(model === undefined ? {} : { model }),
    ...(backend === undefined ? {} : { backend }),
    execution: {
      ...(execution === undefined ? {} : { mode: execution }),
      ...(batchSize === undefined ? {} : { batchSize }),
    },
    review: review === undefined ? {} : { mode: review },
  };
}

/** One runner per working tree. */
export async function locked<T>(tree: Tree, runId: string, act: () => Promise<T>): Promise<T> {
  await refuseUnwritable(tree);
  const locking = await takeLock(tree.store.lock, runId, Date.now());
  if (!locking.taken) throw new Problem(locking.message, exitCodes.notPossibleHere);
  try {
    await sweepOwnFolder(tree.place.root);
    return await act();
  } finally {
    await sweepOwnFolder(tree.place.root);
    await locking.lock.release();
  }
}

/** What the default pipeline is started with; its documents are named after its goal. */
export type DefaultRunInput = Omit<z.input<typeof SuperteamInput>, "documents">;

/** A run as it is begun: which pipeline, and its input. */
export type RunOrder = Pick<RunHeader, "pipeline" | "input">;

export function defaultRun({ place }: Tree, beginning: DefaultRunInput): RunOrder {
  const date = new Date().toISOString().slice(0, 10);
  const documents = documentsFor(date, beginning.goal, (path) => existsSync(join(place.root, path)));
  return { pipeline: superteam.name, input: SuperteamInput.parse({ ...beginning, documents }) };
}

/** The run is active once its first entry is on disk. */
export async function begin(tree: Tree, runId: string, order: RunOrder, host: Host): Promise<Journal> {
  await excludeOwnFiles(tree.place);
  const journal = await createFileJournal({ folder: tree.store.paths(runId).folder });
  const header = { runId, ...order, startedAt: Date.now() };
  const entry = await journal.append({ type: "run", header }, { sync: true });
  await tree.store.writeActive(runId);
  host.watch?.({ type: "entry", entry });
  return journal;
}

/** With an active run the person says which of the two they want; one that goes on right now is not theirs to choose. */
async function instead(tree: Tree, active: string, host: Host): Promise<"resume" | "start"> {
  await locked(tree, active, () => Promise.resolve());
  return host.instead(await standingOf(tree, active));
}

/** A journal that cannot be read must not keep anybody from starting anew. */
async function standingOf({ store }: Tree, runId: string): Promise<ActiveRun> {
  try {
    const { view } = await lookAt(store, runId);
    return { runId, goal: view.goal, standing: recap(view) };
  } catch (error) {
    return { runId, goal: `Run ${runId}`, standing: reasonOf(error) };
  }
}

export async function refuseDirty(tree: Tree, documents: readonly string[] = []): Promise<void> {
  const { tracked } = await readUncommitted(tree.place.root, documents);
  if (tracked.length === 0) return;
  const shown = tracked.slice(0, 10).map((path) => `  ${path}`);
  const more = tracked.length > shown.length ? [`  and ${tracked.length - shown.length} more`] : [];
  throw new Problem(
    [
      "The tree has uncommitted changes, and superteam commits what agents change:",
      ...shown,
      ...more,
      "Commit or stash them first (git commit, git stash), then run it again. Untracked files may stay.",
    ].join("\n"),
    exitCodes.notPossibleHere,
  );
}

export async function refuseWithoutModel(
  pi: Parameters<typeof piModels>[0],
  env: NodeJS.ProcessEnv,
  tree: Tree,
): Promise<void> {
  const models = await piModels(pi, env, tree.place.root);
  if (models.ok && models.models.length > 0) return;
  const what = models.ok ? "pi has no model it could use." : models.detail;
  throw new Problem(
    `${what}\nLog in once: run pi and type /login, or set a provider's key such as ANTHROPIC_API_KEY. To see superteam at work without a key: superteam demo`,
    exitCodes.notPossibleHere,
  );
}
