// What a run needs before its first step: its settings, what stands in its way, and its first entry on disk.

import type { z } from "zod";
import type { Answerer } from "../../core/flow/question.ts";
import { backendsIn, type Config } from "../../core/run/config.ts";
import { documentsFor } from "../../core/run/document-paths.ts";
import { outlineOf, type Pipeline } from "../../core/run/pipeline.ts";
import { nameText } from "../../core/text/format.ts";
import { append } from "../../engine/drive/recorder.ts";
import type { World } from "../../engine/drive/world.ts";
import { SuperteamInput, superteam } from "../../pipelines/superteam.ts";
import type { FoundBackend, OpenBackends } from "../../ports/backend.ts";
import type { Entry, Journal } from "../../ports/journal.ts";
import type { Flags } from "../../ports/settings.ts";
import type { NextOptions, OnBegin, RunOptions } from "../handle.ts";
import type { Host } from "../host.ts";
import { Problem } from "../problem.ts";
import type { Workplace } from "../workplace.ts";
import { expectedOf } from "./trust.ts";

/** A run that is started or gone on with: where, with what, and by whom. */
export interface Going {
  readonly place: Workplace;
  readonly options: NextOptions;
  readonly host: Host;
  readonly onBegin: OnBegin;
}

export async function prepare({ place, options, host }: Omit<Going, "onBegin">) {
  const settings = place.settings(flagsOf(options));
  const contained = await place.brought(settings);
  const { expected, brought } = await expectedOf(contained, place.trust, options.trust ?? false);
  const config = await settings.holding(() => expected.config).read();
  const model = options.model ?? null;
  // Another model has a quota of its own.
  const patience: World["patience"] = options.wait ? "sleep" : model === null ? "suspend" : "forget";
  const backends = host.backends();
  const backend = await foundBackend(backends, config.backend);
  await refuseMissing(backends, config);
  return { settings, config, brought, model, patience, backends, backend };
}

/** What the command line sets, in the shape of the configuration. */
function flagsOf({ model, backend, execution, batchSize, review, budget: hardLimitUsd }: RunOptions): Flags {
  const modes = { execution: { mode: execution, batchSize }, review: { mode: review } };
  return { model, backend, costs: { hardLimitUsd }, ...modes };
}

/** A run as it is begun. */
export interface RunOrder {
  readonly pipeline: Pipeline;
  readonly input: unknown;
  /** Who began it; the person unless said otherwise. */
  readonly by?: Answerer | undefined;
}

/** A run of the default pipeline; its documents are named after its goal. */
export function defaultRun(
  { clock, tree }: Workplace,
  beginning: Omit<z.input<typeof SuperteamInput>, "documents">,
): RunOrder {
  const date = new Date(clock.now()).toISOString().slice(0, 10);
  const documents = documentsFor(date, beginning.goal, (path) => tree.has(path));
  return { pipeline: superteam, input: SuperteamInput.parse({ ...beginning, documents }) };
}

/** What such a run was begun with; undefined for any other. */
export function inputOf([first]: readonly Entry[]): SuperteamInput | undefined {
  return first?.type === "run" ? SuperteamInput.safeParse(first.header.input).data : undefined;
}

/** A run that becomes active is that once its first entry is on disk. */
export async function begin(
  { place, host }: { readonly place: Workplace; readonly host: Pick<Host, "watch"> },
  runId: string,
  { pipeline, input, by = "person" }: RunOrder,
): Promise<Journal> {
  const { runs } = place;
  // Told now, and not when the work is paid for.
  for (const path of pipeline.documents(input)) await place.tree.reach(path);
  await place.tree.excludeOwnFiles();
  const journal = await runs.create(runId);
  const startedBy = by === "person" ? {} : { startedBy: by };
  const header = { runId, pipeline: outlineOf(pipeline), input, startedAt: place.clock.now(), ...startedBy };
  try {
    const entry = await append({ journal, watch: () => undefined }, { type: "run", header });
    if (pipeline.becomesActive) await runs.writeActive(runId);
    host.watch?.({ type: "entry", entry });
    return journal;
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** A merge or similar in progress would be noticed at the first commit only, after agents were paid. */
export function refuseInTheMiddle(tree: Workplace["tree"]): void {
  const obstacle = tree.inTheWay();
  if (obstacle !== undefined) throw new Problem(obstacle, "not-possible");
}

export async function refuseDirty({ tree }: Workplace, documents: readonly string[] = []): Promise<void> {
  refuseInTheMiddle(tree);
  const { tracked } = await tree.uncommitted(documents);
  if (tracked.length === 0) return;
  const shown = tracked.slice(0, 10).map((path) => `  ${nameText(path)}`);
  const more = tracked.length > shown.length ? [`  and ${tracked.length - shown.length} more`] : [];
  throw new Problem(
    [
      "The tree has uncommitted changes, and superteam commits what agents change:",
      ...shown,
      ...more,
      "Commit or stash them first (git commit, git stash), then run it again. Untracked files may stay.",
    ].join("\n"),
    "not-possible",
  );
}

/** Every backend that this configuration names is there. */
export async function refuseMissing(backends: OpenBackends, config: Config): Promise<void> {
  for (const name of backendsIn(config)) await foundBackend(backends, name);
}

async function foundBackend(backends: OpenBackends, name: string): Promise<FoundBackend> {
  const search = await backends.find(name);
  if (search.found) return search.backend;
  if (search.reason === "unknown") throw new Problem(search.detail, "wrong-usage");
  throw new Problem(`${search.detail}\nTo see superteam at work without it: superteam demo`, "not-possible");
}

export async function refuseWithoutModel(backend: FoundBackend, { root }: Workplace): Promise<void> {
  const models = await backend.models(root);
  if (models.ok && models.models.length > 0) return;
  const what = models.ok ? `${backend.name} has no model it can use.` : models.detail;
  throw new Problem(
    `${what}\nLog in once: ${backend.loginAdvice}. To see superteam at work without a key: superteam demo`,
    "not-possible",
  );
}
