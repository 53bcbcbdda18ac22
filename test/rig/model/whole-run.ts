// The whole default pipeline on the demo's repository, in this process: the engine on a memory journal, real git, real
// checks, the real pi, and the scripted model with the play under test.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { piAgents } from "../../../src/adapters/agents/pi/backend.ts";
import { findPi } from "../../../src/adapters/agents/pi/find.ts";
import { shellChecks } from "../../../src/adapters/checks/shell.ts";
import { memoryJournal } from "../../../src/adapters/journal/memory.ts";
import { onlyTree } from "../../../src/adapters/place/only-tree.ts";
import { systemClock } from "../../../src/adapters/process/clock.ts";
import { openRepo } from "../../../src/adapters/repo/git/open.ts";
import { git } from "../../../src/adapters/repo/git/process/run.ts";
import { profileRoles } from "../../../src/adapters/roles/profiles.ts";
import { settings } from "../../../src/adapters/settings/file.ts";
import { documents } from "../../../src/adapters/store/documents.ts";
import { queueOf } from "../../../src/adapters/store/queue.ts";
import { documentsFor } from "../../../src/core/run/document-paths.ts";
import { outlineOf } from "../../../src/core/run/pipeline.ts";
import { demoAnswers } from "../../../src/demo/answers.ts";
import type { ModelPlay } from "../../../src/demo/model/play.ts";
import { type Demo, openDemo } from "../../../src/demo/open.ts";
import { goal } from "../../../src/demo/scenario/brainstorm-texts.ts";
import { Halt } from "../../../src/engine/drive/halt.ts";
import { type RunEnd, run } from "../../../src/engine/drive/run.ts";
import type { World } from "../../../src/engine/drive/world.ts";
import { roleNames } from "../../../src/pipelines/pipelines.ts";
import { superteam, type Wishes } from "../../../src/pipelines/superteam.ts";
import type { Person } from "../../../src/ports/person.ts";

export interface WholeRun {
  readonly end: RunEnd;
  /** Questions that nobody had an answer to. */
  readonly unanswered: readonly string[];
  readonly demo: Demo;
  readonly git: (...args: readonly string[]) => Promise<string>;
  readonly text: (path: string) => Promise<string | null>;
}

type Answers = typeof demoAnswers;
type Wished = z.input<typeof Wishes>;

/**
 * Runs the demo to its end or to a question without an answer, lets the caller look, and removes everything. `changed`
 * are answers instead of the demo's own, `wishes` what the person said when they started the run.
 */
export async function wholeRun<T>(
  play: ModelPlay,
  look: (run: WholeRun) => T | Promise<T>,
  changed: Answers = {},
  wishes: Wished = {},
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-whole-"));
  const demo = await openDemo(folder, play);
  const unanswered: string[] = [];
  const person = scripted({ ...demoAnswers, ...changed }, unanswered);
  const { world, close } = await worldFor(demo, folder, { person, wishes });
  try {
    const end = await run(world, superteam, new Halt());
    return await look({
      end,
      unanswered,
      demo,
      git: (...args) => git(demo.repository, args),
      text: (path) => readFile(join(demo.repository, path), "utf8").catch(() => null),
    });
  } finally {
    await close();
    await demo.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function worldFor(demo: Demo, folder: string, { person, wishes }: { person: Person; wishes: Wished }) {
  const env = { ...process.env, ...demo.environment };
  const found = await findPi(env);
  if (!found.found) throw new Error(found.detail);
  const root = demo.repository;
  const paths = documentsFor("2026-01-01", goal, () => false);
  const journal = memoryJournal();
  const header = {
    runId: "whole",
    pipeline: outlineOf(superteam),
    input: { goal, documents: paths, wishes },
    startedAt: 0,
  };
  await journal.append({ type: "run", header }, { sync: true });
  const agents = piAgents(found.program, env);
  const config = settings({ root, roles: roleNames, globalFile: join(folder, "no-global-config.json") });
  const texts = documents(root);
  const world: World = {
    journal,
    agents,
    person,
    places: onlyTree({
      root,
      repo: await openRepo({ root, runId: "whole", documents: Object.values(paths) }),
      checks: shellChecks({ cwd: root, environment: [] }),
      documents: texts,
    }),
    clock: systemClock,
    settings: config,
    roles: profileRoles({ root, settings: config, model: demo.model, models: () => [] }),
    inbox: { listen: () => () => undefined, receipt: () => Promise.resolve() },
    dispatches: {
      folder: (id) => join(folder, "dispatches", id),
      goneAt: () => Promise.resolve(undefined),
      besides: () => Promise.resolve([]),
    },
    history: { read: () => Promise.resolve({ runs: [], skipped: 0 }) },
    queue: queueOf(join(folder, "queue.json"), async () => false),
    patience: "suspend",
    session: { pid: process.pid, versions: {} },
    next: () => undefined,
    publish: (document) => texts.write(paths[document], `${document}\n`),
    watch: () => undefined,
  };
  return { world, close: () => agents.close() };
}

/** Takes the answers in order, and leaves the dialog where there is none. */
function scripted(answers: Answers, unanswered: string[]): Person {
  const given = new Map<string, number>();
  const ask: Person["ask"] = (question) => {
    const { id } = question;
    const count = given.get(id) ?? 0;
    given.set(id, count + 1);
    const said = [answers[id] ?? []].flat()[count];
    if (said === undefined) unanswered.push(id);
    if (question.kind !== "select") return Promise.resolve(said);
    return Promise.resolve(question.options.find(({ key, label }) => key === said || label === said)?.key);
  };
  const nothing = (): void => undefined;
  return { ask, notify: nothing, status: nothing, widget: nothing };
}
