// Makes a repository with a run that waits for its plan to be approved. Called as: suspended-run.ts <folder>

import { locate } from "../src/adapters/repo/git/place/locate.ts";
import { fileRuns } from "../src/adapters/store/file-runs.ts";
import { answers, goOn, makeRepository } from "../test/rig/small-run.ts";

const [root = ""] = process.argv.slice(2);
makeRepository(root);
const { "plan.approval": _, ...others } = answers;
const { end, entries } = await goOn({ root, answers: others });
const located = await locate(root);
const [first] = entries;
if (end.how !== "suspended" || first?.type !== "run" || !located.found)
  throw new Error(`The run should wait, and is ${end.how}.`);
await fileRuns(located.place).writeActive(first.header.runId);
