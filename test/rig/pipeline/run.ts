// Runs a pipeline, the default one unless told otherwise, in this process as a test wants it: real git, real files, the file journal and a real (tiny)
// process per agent. What agents do and what the person answers is the test's.

import { writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { z } from "zod";
import { scriptedAgents } from "../../../src/adapters/agents/scripted/agents.ts";
import type { ScriptedPlay } from "../../../src/adapters/agents/scripted/script.ts";
import { shellChecks } from "../../../src/adapters/checks/shell.ts";
import { createFileJournal, openFileJournal } from "../../../src/adapters/journal/file.ts";
import { headlessPerson } from "../../../src/adapters/person/headless/headless.ts";
import { worktreePlaces } from "../../../src/adapters/place/worktrees.ts";
import { systemClock } from "../../../src/adapters/process/clock.ts";
import { openRepo } from "../../../src/adapters/repo/git/open.ts";
import { worktreesOf } from "../../../src/adapters/repo/git/place/worktree.ts";
import { profileRoles } from "../../../src/adapters/roles/profiles.ts";
import { settings } from "../../../src/adapters/settings/file.ts";
import { documents } from "../../../src/adapters/store/documents.ts";
import { historyOf } from "../../../src/adapters/store/history.ts";
import { inboxOf } from "../../../src/adapters/store/inbox.ts";
import { queueOf } from "../../../src/adapters/store/queue.ts";
import { documentsFor, pathsIn, type RunDocuments } from "../../../src/core/run/document-paths.ts";
import { outlineOf, type Pipeline } from "../../../src/core/run/pipeline.ts";
import { Halt } from "../../../src/engine/drive/halt.ts";
import { type RunEnd, run } from "../../../src/engine/drive/run.ts";
import type { World } from "../../../src/engine/drive/world.ts";
import { viewOf } from "../../../src/engine/views/fold/run-view.ts";
import { roleNames } from "../../../src/pipelines/pipelines.ts";
import { superteam, type Wishes } from "../../../src/pipelines/superteam.ts";
import type { Entry, Journal } from "../../../src/ports/journal.ts";
import type { Place } from "../../../src/ports/place.ts";
import { repositoryWith } from "../prepared.ts";

/** What is to be built, and how everybody behaves. */
export interface Scenario {
  readonly goal: string;
  readonly play: ScriptedPlay;
  /** Answers by id, each used once; a question without one is closed, and the run is suspended there. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** What the person said on the command line. */
  readonly wishes?: z.input<typeof Wishes>;
}

export interface PipelineRun extends Scenario {
  readonly root: string;
  readonly watch?: (entry: Entry) => void;
  /** When agents of an earlier life were gone. */
  readonly goneAt?: () => Promise<number | undefined>;
  /** Another pipeline than the default one, with its input. */
  readonly order?: { readonly pipeline: Pipeline; readonly input: unknown };
  /** Puts something around the ports, such as a stopwatch. */
  readonly around?: (world: World) => World;
}

export interface Lived {
  readonly end: RunEnd;
  readonly entries: readonly Entry[];
}

export const runId = "20260102-000000-abcd";
export const personsNote = "do not touch\n";

export function documentsOf(goal: string): RunDocuments {
  return documentsFor("2026-01-02", goal, () => false);
}

/** A repository with a commit, a configuration and a person's untracked file. */
export function makeRepository(
  root: string,
  { config = {}, files = {} }: { readonly config?: unknown; readonly files?: Readonly<Record<string, string>> } = {},
): void {
  repositoryWith(root, {
    files: { "README.md": "# Letters\n", ...files, ".superteam.json": JSON.stringify(config) },
    subject: "Begin",
    person: { name: "Person", email: "person@example.org" },
  });
  writeFileSync(join(root, "notes.txt"), personsNote);
}

/** Where the person's own configuration is: out of the tree, and copied with the repository. */
export function globalConfig(root: string): string {
  return join(root, ".git/superteam-global.json");
}

/** Starts the run, or goes on with it, as another process would: everything is opened anew. */
export async function goOn(options: PipelineRun): Promise<Lived> {
  const folder = join(options.root, ".git/superteam/runs", runId);
  const journal = await openOrCreate(folder, options);
  const bare = await worldOf(options, journal, folder);
  const world = options.around?.(bare) ?? bare;
  try {
    return { end: await run(world, options.order?.pipeline ?? superteam, new Halt()), entries: journal.entries };
  } finally {
    await world.agents.close();
    await journal.close();
  }
}

async function openOrCreate(folder: string, { goal, watch, wishes = {}, order }: PipelineRun): Promise<Journal> {
  await mkdir(folder, { recursive: true });
  try {
    const journal = await createFileJournal({ folder });
    const { pipeline, input } = order ?? {
      pipeline: superteam,
      input: { goal, documents: documentsOf(goal), wishes },
    };
    const header = { runId, pipeline: outlineOf(pipeline), input, startedAt: 0 };
    const entry = await journal.append({ type: "run", header }, { sync: true });
    watch?.(entry);
    return journal;
  } catch (error) {
    if (!(error instanceof Error && "kind" in error && error.kind === "exists")) throw error;
    return (await openFileJournal({ folder })).journal;
  }
}

async function worldOf(options: PipelineRun, journal: Journal, folder: string): Promise<World> {
  const { root, watch, play, order } = options;
  const paths = documentsOf(options.goal);
  const config = settings({ root, roles: roleNames, globalFile: globalConfig(root) });
  const texts = documents(root);
  return {
    journal,
    agents: scriptedAgents({ play }),
    person: { ...personWith(options.answers, journal), ...quiet },
    places: worktreePlaces({
      tree: {
        ...(await placeAt(root)),
        repo: await openRepo({
          root,
          runId,
          documents: order ? order.pipeline.documents(order.input) : pathsIn(paths),
        }),
      },
      folder: async () => `${root}-places`,
      worktrees: worktreesOf(root),
      furnishing: async () => ({ ...plainFurnishing, run: async () => ({ passed: true, output: "" }) }),
      placeAt,
    }),
    clock: systemClock,
    settings: config,
    roles: profileRoles({ root, settings: config, model: null, models: () => [] }),
    inbox: inboxOf(join(folder, "inbox")),
    dispatches: {
      folder: (id) => join(folder, "dispatches", id),
      goneAt: options.goneAt ?? (() => Promise.resolve(Date.now())),
      besides: () => Promise.resolve([]),
    },
    history: historyOf(join(root, ".git/superteam/history.jsonl")),
    queue: queueOf(join(root, ".git/superteam/queue.json"), async () => false),
    patience: "suspend",
    session: { pid: process.pid, versions: {} },
    next: () => undefined,
    // The same text in every life of a run: the real ones tell times.
    publish: (document) => texts.write(paths[document], `${document}\n`),
    watch: (sight) => sight.type === "entry" && watch?.(sight.entry),
  };
}

const plainFurnishing = { copy: [], setup: "", copyLimitMb: 10, testCommand: "" };

async function placeAt(root: string): Promise<Place> {
  const checks = shellChecks({ cwd: root, environment: [] });
  return { root, repo: await openRepo({ root, runId, documents: [] }), checks, documents: documents(root) };
}

function personWith(answers: Scenario["answers"], journal: Journal) {
  return headlessPerson({
    answers: { fileName: "answers", entries: new Map(Object.entries(answers)) },
    yes: false,
    out: new Writable({ write: (_chunk, _encoding, done) => done() }),
    served: viewOf(journal.entries).served,
    plain: true,
  });
}

const nothing = (): void => undefined;
const quiet = { notify: nothing, status: nothing, widget: nothing };
