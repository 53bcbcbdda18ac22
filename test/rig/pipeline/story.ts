// The shortest run there is, in a folder of its own, for tests in which one thing goes wrong: one requirement, one task,
// one file. Every agent does its part well and the person agrees to everything, unless a test says otherwise.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, type TestContext } from "node:test";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import type { DispatchRequest } from "../../../src/core/flow/flow.ts";
import type { Question } from "../../../src/core/flow/question.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import { documentsOf, globalConfig, goOn, type Lived, makeRepository, type PipelineRun } from "./run.ts";
import {
  agreeing,
  brainstorming,
  contentReviewers,
  planDocument,
  playFrom,
  type TaskText,
  writesPlan,
} from "./scripts.ts";

export const goal = "Write a letter";
export const paths = documentsOf(goal);
export const task: TaskText = {
  id: 1,
  title: "The letter",
  description: "Write letter.txt.",
  files: ["letter.txt"],
  criteria: ["It is signed"],
  covers: ["R1"],
};
export const plan = planDocument(goal, [task]);

export interface Twist {
  readonly scripts?: Readonly<Record<string, Script>>;
  readonly answers?: Readonly<Record<string, readonly string[]>>;
  /** Ids of questions that nobody answers. */
  readonly closed?: readonly string[];
  /** What the person said on the command line; only the first life of a run hears it. */
  readonly wishes?: PipelineRun["wishes"];
  readonly around?: PipelineRun["around"];
}

export interface Story {
  readonly root: string;
  /** Starts the run, or goes on with it. */
  live(twist?: Twist): Promise<Told>;
  git(...args: readonly string[]): string;
  /** A file of the tree; null when there is none. */
  text(path: string): string | null;
  write(path: string, text: string): void;
  /** Sets the person's own configuration. */
  configure(config: unknown): void;
}

export interface Told extends Lived {
  /** The question the run waits at; undefined when it waits at none. */
  readonly waits: Question | undefined;
  readonly dispatches: readonly DispatchRequest[];
  readonly warnings: readonly string[];
}

export function story(
  context: TestContext,
  setting: { readonly config?: unknown; readonly files?: Readonly<Record<string, string>> } = {},
): Story {
  const root = newFolder();
  context.after(() => rmSync(root, { recursive: true, force: true }));
  makeRepository(root, setting);
  return storyIn(root);
}

/** To be called at the top of a test file: stories whose run waits for the approval of its plan. It comes there once. */
export function plannedStories(): (context: TestContext) => Story {
  const planned = newFolder();
  before(async () => {
    makeRepository(planned);
    const { waits } = await storyIn(planned).live({ closed: ["plan.approval"] });
    assert.equal(waits?.id, "plan.approval");
  });
  after(() => rmSync(planned, { recursive: true, force: true }));
  return (context) => {
    const root = newFolder();
    context.after(() => rmSync(root, { recursive: true, force: true }));
    cpSync(planned, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    return storyIn(root);
  };
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), "superteam-story-"));

function storyIn(root: string): Story {
  return {
    root,
    live: async (twist = {}) => toldBy(await goOn(runOf(root, twist))),
    git: (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim(),
    text: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : null),
    write: (path, text) => writeFileSync(join(root, path), text),
    configure: (config) => writeFileSync(globalConfig(root), JSON.stringify(config)),
  };
}

function runOf(root: string, { scripts = {}, answers = {}, closed = [], around, wishes = {} }: Twist): PipelineRun {
  const given = Object.entries({ ...agreeing, ...answers }).filter(([id]) => !closed.includes(id));
  const play = playFrom({ ...usual, ...scripts });
  return { root, goal, play, answers: Object.fromEntries(given), wishes, ...(around ? { around } : {}) };
}

const usual: Readonly<Record<string, Script>> = {
  ...contentReviewers,
  ...brainstorming({
    title: "The letter",
    content: "A letter in letter.txt.",
    requirements: [{ id: "R1", text: "There is a letter." }],
  }),
  "plan-write/plan": writesPlan(goal, plan),
  "execute/task-1/implement": { run: "echo 'Dear reader, signed' > letter.txt", text: "Done." },
};

function toldBy(lived: Lived): Told {
  const { end, entries } = lived;
  const begun = entries.flatMap((entry) => (entry.type === "begin" ? [entry.request] : []));
  return {
    ...lived,
    waits: end.how === "suspended" ? openQuestion(entries) : undefined,
    dispatches: begun.filter((request) => request.do === "dispatch"),
    warnings: begun.flatMap((request) =>
      request.do === "record" && request.fact.type === "warning" ? [request.fact.text] : [],
    ),
  };
}

function openQuestion(entries: readonly Entry[]): Question | undefined {
  const settled = new Set(entries.flatMap((entry) => (entry.type === "settle" ? [entry.key] : [])));
  const open = entries.findLast(
    (entry) => entry.type === "begin" && entry.request.do === "ask" && !settled.has(entry.key),
  );
  return open?.type === "begin" && open.request.do === "ask" ? open.request.question : undefined;
}
