// A small run of the default pipeline that is cheap enough to be done hundreds of times: real git, real files, the file
// journal and a real (tiny) process per agent. Two tasks; the second needs a fix round, its agent commits by itself, and
// one design section is turned down.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { stringify } from "yaml";
import { scriptedAgents } from "../../src/adapters/agents/scripted/agents.ts";
import type { Script } from "../../src/adapters/agents/scripted/play.ts";
import { shellChecks } from "../../src/adapters/checks/shell.ts";
import { createFileJournal, openFileJournal } from "../../src/adapters/journal/file.ts";
import { headlessPerson } from "../../src/adapters/person/headless/headless.ts";
import { openRepo } from "../../src/adapters/repo/git/open.ts";
import { profileRoles } from "../../src/adapters/roles/profiles.ts";
import { settings } from "../../src/adapters/settings/file.ts";
import { documents } from "../../src/adapters/store/documents.ts";
import { inboxOf } from "../../src/adapters/store/inbox.ts";
import { documentsFor } from "../../src/core/slug.ts";
import { Halt } from "../../src/engine/halt.ts";
import { type RunEnd, run } from "../../src/engine/run.ts";
import type { World } from "../../src/engine/world.ts";
import { viewOf } from "../../src/hosts/cli/show.ts";
import { superteam } from "../../src/pipelines/superteam.ts";
import type { Order } from "../../src/ports/agents.ts";
import type { Entry, Journal } from "../../src/ports/journal.ts";

export const goal = "Write two letters";
export const paths = documentsFor("2026-01-02", goal, () => false);
export const personsNote = "do not touch\n";
const runId = "20260102-000000-abcd";

export const answers: Readonly<Record<string, readonly string[]>> = {
  "brainstorm.question.*": ["one", "two", "three"],
  "brainstorm.approach": ["plain"],
  "brainstorm.section.1": ["no", "yes"],
  "brainstorm.section.1.feedback": ["shorter"],
  "plan.approval": ["approve"],
};

/** A repository with a commit and a person's untracked file. */
export function makeRepository(root: string): void {
  mkdirSync(root, { recursive: true });
  const git = (...args: readonly string[]): void => void execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Person");
  git("config", "user.email", "person@example.org");
  writeFileSync(join(root, "README.md"), "# Letters\n");
  writeFileSync(join(root, ".superteam.json"), JSON.stringify({ validationCommand: "test -f README.md" }));
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
  writeFileSync(join(root, "notes.txt"), personsNote);
}

export interface SmallRun {
  readonly root: string;
  readonly watch?: (entry: Entry) => void;
  /** Answers by id; what is not there closes the question. */
  readonly answers?: Readonly<Record<string, readonly string[]>>;
  readonly play?: (order: Order) => Script;
  /** When agents of an earlier life were gone. */
  readonly goneAt?: () => Promise<number | undefined>;
}

/** Starts the run, or goes on with it, as another process would: everything is opened anew. */
export async function goOn(options: SmallRun): Promise<{ end: RunEnd; entries: readonly Entry[] }> {
  const folder = join(options.root, ".git/superteam/runs", runId);
  const journal = await openOrCreate(folder, options.watch);
  const world = await worldOf(options, journal, folder);
  try {
    return { end: await run(world, superteam, new Halt()), entries: journal.entries };
  } finally {
    await world.agents.close();
    await journal.close();
  }
}

async function openOrCreate(folder: string, watch: SmallRun["watch"]): Promise<Journal> {
  await mkdir(folder, { recursive: true });
  try {
    const journal = await createFileJournal({ folder });
    const header = { runId, pipeline: superteam.name, input: { goal, documents: paths }, startedAt: 0 };
    const entry = await journal.append({ type: "run", header }, { sync: true });
    watch?.(entry);
    return journal;
  } catch (error) {
    if (!(error instanceof Error && "kind" in error && error.kind === "exists")) throw error;
    return (await openFileJournal({ folder })).journal;
  }
}

async function worldOf(options: SmallRun, journal: Journal, folder: string): Promise<World> {
  const { root, watch } = options;
  const config = settings(root, {}, join(folder, "no-global-config.json"));
  const texts = documents(root);
  const entries = new Map(Object.entries(options.answers ?? answers));
  const out = new Writable({ write: (_chunk, _encoding, done) => done() });
  return {
    journal,
    agents: scriptedAgents({ play: options.play ?? play }),
    person: {
      ...headlessPerson({
        answers: { fileName: "answers", entries },
        yes: false,
        out,
        served: viewOf(journal.entries).served,
        plain: true,
      }),
      ...quiet,
    },
    repo: await openRepo({ root, runId, documents: Object.values(paths) }),
    checks: shellChecks({ cwd: root, environment: [] }),
    clock: { now: Date.now },
    documents: texts,
    settings: config,
    roles: profileRoles({ root, settings: config, model: null, hasModel: () => false }),
    inbox: inboxOf(join(folder, "inbox")),
    dispatches: {
      folder: (id) => join(folder, "dispatches", id),
      goneAt: options.goneAt ?? (() => Promise.resolve(Date.now())),
    },
    versions: {},
    next: () => undefined,
    publish: (document) => texts.write(paths[document], `${document}\n`),
    watch: (sight) => sight.type === "entry" && watch?.(sight.entry),
  };
}

const nothing = (): void => undefined;
const quiet = { notify: nothing, status: nothing, widget: nothing };

/** What each agent does, by the step in its prompt's first line. */
export function play(order: Order): Script {
  const step = /step=(\S+) attempt=(\d+)/.exec(order.prompt);
  const name = (step?.[1] ?? "").replaceAll(/@\d+/g, "");
  const script = scripts[`${name} ${step?.[2]}`] ?? scripts[name];
  if (!script) throw new Error(`no script for ${name} ${step?.[2]}`);
  return { usage, ...script };
}

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, costUsd: 0.01, estimated: false };
const block = (tag: string, value: unknown): string => `So:\n\n\`\`\`${tag}\n${JSON.stringify(value)}\n\`\`\`\n`;
const passed = { text: block("superteam-json", { passed: true, findings: [], summary: "fine" }) };
const section = (content: string) => ({
  id: "s1",
  title: "Letters",
  content,
  requirements: [{ id: "R1", text: "two letters" }],
});
const input = (id: string) => ({ id, text: `${id}?`, type: "input" });

const tasks = [
  { id: 1, title: "Letter a", description: "Write a.txt", files: ["a.txt"], covers: ["R1"] },
  {
    id: 2,
    title: "Letter b",
    description: "Write b.txt with a greeting",
    files: ["b.txt"],
    covers: ["R1"],
    dependsOn: [1],
  },
];
const plan = `# Plan\n\n**Goal:** letters\n\n### Task 1: Letter a\n\n### Task 2: Letter b\n\n\`\`\`superteam-tasks\n${stringify(tasks)}\`\`\`\n`;
const missing = { rule: "missing", severity: "high", anchor: { file: "b.txt", quote: "b" }, what: "no greeting" };
const repaired = {
  passed: true,
  findings: [],
  resolutions: [{ id: "F1", state: "resolved", quote: "hello b" }],
  summary: "now there",
};

const scripts: Readonly<Record<string, Script>> = {
  "brainstorm/scout": { text: "A repository with a README." },
  "brainstorm/questions": {
    text: block("superteam-brainstorm", { type: "questions", questions: ["q1", "q2", "q3"].map(input) }),
  },
  "brainstorm/approaches": {
    text: block("superteam-brainstorm", {
      type: "approaches",
      approaches: ["plain", "fancy"].map((id) => ({ id, title: id, summary: id, tradeoffs: "none", taskEstimate: 2 })),
      recommendation: "plain",
      reasoning: "plain is enough",
    }),
  },
  "brainstorm/design": {
    text: block("superteam-brainstorm", { type: "design", sections: [section("Two letters, at length.")] }),
  },
  "brainstorm/section-1": {
    text: block("superteam-brainstorm", { type: "section", section: section("Two letters.") }),
  },
  "plan-write/plan": { run: `mkdir -p docs/plans && cat > ${paths.plan} <<'END'\n${plan}END`, text: "written" },
  "execute/task-1/implement": { run: "echo a > a.txt", text: "done" },
  "execute/task-2/implement": {
    run: "echo b > b.txt; git add b.txt; git commit -qm 'mine' --no-verify; echo more > scratch.txt; rm scratch.txt",
    text: "done",
  },
  "execute/task-2/spec-review 1": {
    text: block("superteam-json", { passed: false, findings: [missing], summary: "not yet" }),
  },
  "execute/task-2/fix": { run: "echo 'hello b' > b.txt", text: "fixed" },
  "execute/task-2/spec-review 2": { text: block("superteam-json", repaired) },
  "execute/task-1/spec-review": passed,
  "execute/task-1/quality-review": passed,
  "execute/task-2/quality-review": passed,
};
