// What a run needs before its first step: its settings, what stands in its way, and its first entry on disk.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { excludeOwnFiles } from "../../adapters/repo/git/tree/excludes.ts";
import { readUncommitted } from "../../adapters/repo/git/tree/uncommitted.ts";
import { type Flags, settings as settingsIn } from "../../adapters/settings/file.ts";
import { documentsFor } from "../../core/run/document-paths.ts";
import { outlineOf, type Pipeline } from "../../core/run/pipeline.ts";
import type { World } from "../../engine/drive/world.ts";
import { SuperteamInput, superteam } from "../../pipelines/superteam.ts";
import type { FoundBackend, OpenBackends } from "../../ports/backend.ts";
import type { Journal } from "../../ports/journal.ts";
import type { Host } from "../host.ts";
import type { RunOptions } from "../options.ts";
import { Problem } from "../problem.ts";
import type { Tree } from "../tree.ts";
import { broughtBy } from "./trust.ts";

export async function prepare(tree: Tree, options: RunOptions, host: Host) {
  const env = options.env ?? process.env;
  const settings = settingsIn(tree.place.root, flagsOf(options));
  const config = await settings.read();
  const brought = await broughtBy(tree.place.root, settings);
  const model = options.model ?? null;
  // Another model has a quota of its own.
  const patience: World["patience"] = options.wait ? "sleep" : model === null ? "suspend" : "forget";
  const backends = host.backends(env);
  const backend = await foundBackend(backends, config.backend);
  return { settings, config, brought, model, patience, backends, backend };
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

/** What the default pipeline is started with; its documents are named after its goal. */
export type DefaultRunInput = Omit<z.input<typeof SuperteamInput>, "documents">;

/** A run as it is begun. */
export interface RunOrder {
  readonly pipeline: Pipeline;
  readonly input: unknown;
}

export function defaultRun({ place }: Tree, beginning: DefaultRunInput): RunOrder {
  const date = new Date().toISOString().slice(0, 10);
  const documents = documentsFor(date, beginning.goal, (path) => existsSync(join(place.root, path)));
  return { pipeline: superteam, input: SuperteamInput.parse({ ...beginning, documents }) };
}

/** The run is active once its first entry is on disk. */
export async function begin(tree: Tree, runId: string, { pipeline, input }: RunOrder, host: Host): Promise<Journal> {
  await excludeOwnFiles(tree.place);
  const journal = await tree.runs.create(runId);
  const header = { runId, pipeline: outlineOf(pipeline), input, startedAt: Date.now() };
  const entry = await journal.append({ type: "run", header }, { sync: true });
  await tree.runs.writeActive(runId);
  host.watch?.({ type: "entry", entry });
  return journal;
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
    "not-possible",
  );
}

async function foundBackend(backends: OpenBackends, name: string): Promise<FoundBackend> {
  const search = await backends.find(name);
  if (search.found) return search.backend;
  if (search.reason === "unknown") throw new Problem(search.detail, "wrong-usage");
  throw new Problem(`${search.detail}\nTo see superteam at work without it: superteam demo`, "not-possible");
}

export async function refuseWithoutModel(backend: FoundBackend, tree: Tree): Promise<void> {
  const models = await backend.models(tree.place.root);
  if (models.ok && models.models.length > 0) return;
  const what = models.ok ? `${backend.name} has no model it could use.` : models.detail;
  throw new Problem(
    `${what}\nLog in once: ${backend.loginAdvice}. To see superteam at work without a key: superteam demo`,
    "not-possible",
  );
}
