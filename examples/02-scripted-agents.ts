// The default pipeline from a sentence to a commit, on a repository made for it, with agents that need no model: each is a
// small real process that plays a script. Run it: node examples/02-scripted-agents.ts

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentOrder,
  createFileJournal,
  documents,
  documentsFor,
  Halt,
  headlessPerson,
  onlyTree,
  openRepo,
  outlineOf,
  profileRoles,
  run,
  type Script,
  scriptedAgents,
  settings,
  shellChecks,
  superteam,
  type World,
} from "../src/index.ts";
import { worldWith } from "./support/world.ts";

const goal = "Say hello";
const paths = documentsFor("2026-01-31", goal, () => false);
const folder = mkdtempSync(join(tmpdir(), "superteam-example-"));
const root = join(folder, "repository");
const git = (...args: readonly string[]): string => execFileSync("git", ["-C", root, ...args], { encoding: "utf8" });

try {
  makeRepository();
  const world = await makeWorld();
  const end = await run(world, superteam, new Halt());
  await world.agents.close();
  await world.journal.close();
  if (end.how !== "finished") throw new Error(`The run is ${end.how}.`);
  console.log(`The run is finished. The commits:\n${git("log", "--reverse", "--format=  %s")}`);
  console.log(`hello.txt says: ${git("show", "HEAD:hello.txt")}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeRepository(): void {
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  writeFileSync(join(root, ".superteam.json"), JSON.stringify({ validationCommand: "test -s hello.txt" }));
  git("add", "-A");
  git("commit", "-qm", "Start");
}

async function makeWorld(): Promise<World> {
  const journal = await createFileJournal({ folder: join(folder, "run") });
  const header = { runId: "example", pipeline: outlineOf(superteam), input: { goal, documents: paths }, startedAt: 0 };
  await journal.append({ type: "run", header }, { sync: true });
  const config = settings({ root, roles: [], globalFile: join(folder, "no-global-configuration.json") });
  const texts = documents(root);
  const entries = new Map([["brainstorm.question.*", ["hello", "in English", "no"]]]);
  const answers = { fileName: "answers", entries };
  return worldWith({
    journal,
    agents: scriptedAgents({ play }),
    person: headlessPerson({ answers, yes: true, out: process.stderr, served: new Map(), plain: true }),
    places: onlyTree({
      root,
      repo: await openRepo({ root, runId: "example", documents: Object.values(paths) }),
      checks: shellChecks({ cwd: root, environment: [] }),
      documents: texts,
    }),
    settings: config,
    roles: profileRoles({ root, settings: config, model: null, models: () => [] }),
    dispatches: {
      folder: (id) => join(folder, "dispatches", id),
      goneAt: () => Promise.resolve(undefined),
      besides: () => Promise.resolve([]),
    },
    publish: (document) => texts.write(paths[document], `The ${document} of the example.\n`),
  });
}

/** The last line of a prompt says what an agent has to do: `[superteam] run=... role=... step=... attempt=...`. */
function play({ prompt }: AgentOrder): Script {
  const step = / step=(\S+) attempt=\d+\s*$/.exec(prompt)?.[1] ?? "";
  const script = scripts()[step];
  if (script === undefined) throw new Error(`There is no script for ${step}.`);
  return script;
}

function scripts(): Readonly<Record<string, Script>> {
  const question = (id: string, text: string) => ({ id, text, type: "input" });
  const way = (id: string) => ({ id, title: id, summary: `A ${id} file.`, tradeoffs: "None.", taskEstimate: 1 });
  const requirements = [{ id: "R1", text: "A file hello.txt greets the reader." }];
  const section = { id: "s1", title: "The greeting", content: "One file with one line.", requirements };
  const review = { text: block("superteam-json", { passed: true, findings: [], summary: "It is there." }) };
  const questions = [
    question("q1", "Which word?"),
    question("q2", "In which language?"),
    question("q3", "Anything else?"),
  ];
  const proposal = { mode: "standard", reason: "The example shows all of it." };
  const answer = (value: unknown): Script => ({ text: block("superteam-brainstorm", value) });
  return {
    "brainstorm/scout": { text: `An empty repository.\n\n${block("superteam-json", proposal)}` },
    "brainstorm/questions": answer({ type: "questions", questions }),
    "brainstorm/approaches": answer({
      type: "approaches",
      approaches: [way("plain"), way("fancy")],
      recommendation: "plain",
      reasoning: "Plain is enough.",
    }),
    "brainstorm/design": answer({ type: "design", sections: [section] }),
    "plan-write/plan": {
      run: `mkdir -p docs/plans && cat > ${paths.plan} <<'END'\n${planText()}END`,
      text: "Written.",
    },
    "plan-review/architect/architect-review": review,
    "plan-review/spec-reviewer/plan-spec-review": review,
    "execute/task-1/implement": { run: "echo 'Hello, reader.' > hello.txt", text: "Done." },
    "execute/task-1/spec-review": review,
    "execute/task-1/quality-review": review,
    "finalize/final-review": review,
  };
}

function block(tag: string, value: unknown): string {
  return `Here it is.\n\n\`\`\`${tag}\n${JSON.stringify(value)}\n\`\`\`\n`;
}

function planText(): string {
  return `# Plan

**Goal:** Say hello

**Architecture:** One file.

**Tech Stack:** Plain text.

### Task 1: The greeting

Write hello.txt with one line that greets the reader.

\`\`\`superteam-tasks
- id: 1
  title: The greeting
  files: [hello.txt]
  criteria: [hello.txt greets the reader]
  commands: [cat hello.txt]
  covers: [R1]
\`\`\`
`;
}
