// A small run of the default pipeline that is cheap enough to be done hundreds of times. Two tasks; the second needs a
// fix round, its agent commits by itself, and one design section is turned down.

import type { ScriptedPlay } from "../../src/adapters/agents/scripted/script.ts";
import type { Entry } from "../../src/ports/journal.ts";
import * as pipeline from "./pipeline/run.ts";
import {
  agreeing,
  answer,
  brainstorming,
  contentReviewers,
  planDocument,
  playFrom,
  review,
  writesPlan,
} from "./pipeline/scripts.ts";

export { personsNote } from "./pipeline/run.ts";

export const goal = "Write two letters";
export const paths = pipeline.documentsOf(goal);

export const answers: Readonly<Record<string, readonly string[]>> = {
  ...agreeing,
  "brainstorm.section.1": ["no", "yes"],
  "brainstorm.section.1.feedback": ["shorter"],
};

export function makeRepository(root: string, files: Readonly<Record<string, string>> = {}): void {
  pipeline.makeRepository(root, { config: { validationCommand: "test -f README.md" }, files });
}

export interface SmallRun {
  readonly root: string;
  readonly watch?: (entry: Entry) => void;
  readonly answers?: Readonly<Record<string, readonly string[]>>;
  readonly play?: ScriptedPlay;
  readonly goneAt?: () => Promise<number | undefined>;
}

/** Starts the run, or goes on with it. */
export function goOn(options: SmallRun): Promise<pipeline.Lived> {
  return pipeline.goOn({ goal, play, answers, ...options });
}

const section = (content: string) => ({
  title: "Letters",
  content,
  requirements: [{ id: "R1", text: "two letters" }],
});

export const tasks = [
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

/** What each agent does. */
export const play: ScriptedPlay = playFrom({
  ...contentReviewers,
  ...brainstorming(section("Two letters, at length.")),
  "brainstorm/section-1": {
    text: answer("superteam-brainstorm", { type: "section", section: { id: "s1", ...section("Two letters.") } }),
  },
  "plan-write/plan": writesPlan(goal, planDocument(goal, tasks)),
  "execute/task-1/implement": { run: "echo a > a.txt", text: "done" },
  "execute/task-2/implement": {
    run: "echo b > b.txt; git add b.txt; git commit -qm 'mine' --no-verify; echo more > scratch.txt; rm scratch.txt",
    text: "done",
  },
  "execute/task-2/spec-review 1": review({
    findings: [{ rule: "missing", severity: "high", anchor: { file: "b.txt", quote: "b" }, what: "no greeting" }],
  }),
  "execute/task-2/fix": { run: "echo 'hello b' > b.txt", text: "fixed" },
  "execute/task-2/spec-review 2": review({ resolutions: [{ id: "F1", state: "resolved", quote: "hello b" }] }),
});
