// The end of a run, for tests: two tasks that are complete and one that was skipped, unless a test says otherwise.

import { type Flow, snapshot, write } from "../../src/core/flow/flow.ts";
import { Plan } from "../../src/core/plan/plan.ts";
import type { Resolution } from "../../src/core/review/review.ts";
import type { Mode } from "../../src/core/run/config.ts";
import { documentsFor } from "../../src/core/run/document-paths.ts";
import type { Report, Settled } from "../../src/core/run/report.ts";
import { fenced } from "../../src/core/text/block.ts";
import { finalize } from "../../src/phases/finish/finalize.ts";
import { suiteFlows } from "../../src/phases/suite/scratch-run.ts";
import type { Choices } from "../../src/phases/task/configure.ts";
import { type Agent, type Played, play, type Script } from "./flow.ts";

export const goal = "Add rate limiting";
export const documents = documentsFor("2026-02-07", goal, () => false);

const task = (id: number) => ({
  id,
  title: `Part ${id}`,
  description: "Do.",
  files: [`src/${id}.ts`],
  covers: [`R${id}`],
});
const plan = Plan.parse({ tasks: [1, 2, 3].map(task) });
const requirements = [1, 2, 3].map((id) => ({ id: `R${id}`, text: `Part ${id} works.` }));
const choices: Choices = { execution: "auto", batchSize: null, review: "iterative", waivers: [] };

export const settled = (id: number, more: Partial<Settled> = {}): Settled => ({
  task: id,
  title: `Part ${id}`,
  status: "complete",
  commit: `sha-of-${id}`,
  rounds: 0,
  escalated: false,
  files: [`src/${id}.ts`],
  deferred: [],
  waivers: [],
  ...more,
});
export const skipped = (id: number): Settled => settled(id, { status: "skipped", commit: null, files: [] });

/** What the final reviewer says, in its own form. */
export const says = (said: { passed?: boolean; findings?: unknown[]; resolutions?: Resolution[] } = {}): string => {
  const { findings = [], resolutions = [] } = said;
  const passed = said.passed ?? findings.length === 0;
  return fenced("superteam-json", JSON.stringify({ passed, findings, resolutions, summary: "Seen as a whole." }));
};
/** Answers in order; the last answer is repeated. */
export const final =
  (...said: Parameters<typeof says>[0][]): Agent =>
  ({ nth }) =>
    says(said[nth - 1] ?? said.at(-1));
export const gap = {
  category: "cross-task",
  severity: "high",
  anchor: { requirement: "R1" },
  what: "They do not meet.",
};

const agents: Script["agents"] = {
  "final-review": final({}),
  "final-fix": ({ files, nth }) => {
    files.set("src/1.ts", `${files.get("src/1.ts")}\nfixed(${nth});`);
    return "Fixed.";
  },
  docs: ({ files }) => {
    files.set("README.md", "new");
    return "Written.";
  },
};

export interface End {
  readonly tasks?: readonly Settled[];
  readonly choices?: Partial<Choices>;
  /** Whether the tasks left nothing in the tree. */
  readonly empty?: boolean;
  readonly mode?: Mode;
  /** Whether the tree is another one than the tasks were checked with. */
  readonly stale?: boolean;
}

/** Plays the end of a run over a tree in which the tasks have been built. */
export function end(script: Script = {}, how: End = {}): Played<Report> {
  return play(endOf(how), {
    documents: Object.values(documents),
    flows: suiteFlows,
    ...script,
    files: { "README.md": "old" },
    meanwhile: tasksCommitted(script.meanwhile),
    answers: { "finalize.docs": "no", ...script.answers },
    agents: { ...agents, ...script.agents },
  });
}

/** The work of the tasks is committed as soon as it is there. */
function tasksCommitted(others: Script["meanwhile"]): NonNullable<Script["meanwhile"]> {
  let isCommitted = false;
  return (request, files, commitAll) => {
    if (!isCommitted && files.has("src/2.ts")) {
      commitAll("The tasks");
      isCommitted = true;
    }
    others?.(request, files, commitAll);
  };
}

/** As in a run, the tree before the first task comes first; then the work of all tasks is there at once. */
function* endOf({ tasks, choices: changed, empty, stale = false, mode = "standard" }: End): Flow<Report> {
  const start = yield* snapshot("start");
  if (!empty) yield* write("src/1.ts", "one();");
  if (!empty) yield* write("src/2.ts", "two();");
  const { tree } = stale ? start : yield* snapshot("built");
  const executed = {
    start: { ...start, leftAlone: [...start.leftAlone] },
    tasks: [...(tasks ?? [settled(1), settled(2, { tree }), skipped(3)])],
  };
  return yield* finalize(
    { goal, mode, plan, requirements, choices: { ...choices, ...changed }, ...executed },
    documents,
  );
}
