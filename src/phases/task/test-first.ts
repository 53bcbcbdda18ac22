// Test first, proved and not believed: the task's tests are put on the sources from before it, in a place of their own, and have to
// fail there. That they pass on the task's own tree is known by then. Where the place itself may be why they fail, they have to pass in one
// like it with the change.

import {
  anchorWithout,
  difference,
  type Flow,
  type NoPlace,
  readClaimed,
  record,
  snapshot,
} from "../../core/flow/flow.ts";
import { greenIn, isDoubtful, proveByRuns, type TestFirstProof } from "../../core/test-first/red-proof.ts";
import { bringsTests, isSourceFile, isTestFile } from "../../core/test-first/source-file.ts";
import { listed } from "../../core/text/format.ts";
import { readResults } from "../../core/validation/results.ts";
import { askPlace, lackIn, runElsewhere } from "../suite/scratch-run.ts";
import { isPending, isWatched, type Suite } from "../suite/suite.ts";
import type { Obstacle } from "../work/escalation.ts";
import type { TaskWork } from "./task-work.ts";

/** What is missing for the proof; undefined when it is there, or is not asked for. The checks have passed for this tree. */
export function* proveTestFirst(job: TaskWork, tree: string): Flow<Obstacle<"unproved"> | undefined> {
  const { suite } = job;
  if ((!isWatched(suite) && !isPending(suite)) || job.settings.tdd === "off" || job.unproved !== null) return undefined;
  const due = yield* dueIn(job, tree);
  if (due === null) return undefined;
  const proof = "why" in due ? due : suite.isDue ? yield* prove(job, suite, due.sources) : noted(testsLater);
  const { red, green, why } = proof;
  yield* record({ type: "tests.first", task: `${job.input.task.id}`, red: some(red), green: some(green), why });
  if (why !== "" && !proof.isFine) return { kind: "unproved", why };
  job.testFirst = { tree, green: some(green) };
  return undefined;
}

/** The proof, for who reviews the task: nobody else can see that a test failed before. */
export function testFirstEvidence({ testFirst }: Pick<TaskWork, "testFirst">): string[] {
  const { green } = testFirst ?? { green: [] };
  return green.length === 0 ? [] : [`These pass with the task's change and not without it: ${listed(green)}.`];
}

const some = (names: readonly string[]): readonly string[] => names.slice(0, 20);
/** `isFine`: it is reported, and stops nothing. */
type Proof = TestFirstProof & { readonly isFine?: true };
const noted = (why: string): Proof => ({ red: [], green: [], why, isFine: true });

/** The sources to go back, or what there is to say instead; null when there are none, or no test has changed since the last proof. */
function* dueIn(job: TaskWork, tree: string): Flow<{ readonly sources: readonly string[] } | Proof | null> {
  const { tdd } = job.input.task;
  const last = job.testFirst;
  if (last !== null && !(yield* difference("tests-since", last.tree, tree)).some(isTestFile)) return null;
  const paths = job.changes.files.filter(({ change }) => change !== "deleted").map(({ path }) => path);
  const sources = job.changes.files.map(({ path }) => path).filter(isSourceFile);
  if (sources.length === 0) return null;
  if (tdd !== "required") return noted(notAsked[tdd]);
  if (paths.some(isTestFile)) return { sources };
  for (const path of paths.filter(isSourceFile))
    if (bringsTests(path, (yield* readClaimed(path)) ?? "")) return noted(`${path} contains its own tests.`);
  return { red: [], green: [], why: "No test was added or changed." };
}

const testsLater = "The tests do not run after this task (validationCadence).";

const notAsked = {
  "existing-tests": "The plan says that there are tests for it.",
  none: "The plan asks for no tests.",
} as const;

const noPlace = "The tests could not run in a worktree.";

function* prove(job: TaskWork, suite: Suite, sources: readonly string[]): Flow<Proof> {
  for (;;) {
    const proof = yield* proveOnce(job, suite, sources);
    if (proof !== null && !("lack" in proof)) return proof;
    if (proof !== null && (yield* askPlace(proof.lack, lossOf(job))) === "retry") continue;
    job.unproved = noPlace;
    return noted(noPlace);
  }
}

type Tried = Proof | { readonly lack: NoPlace } | null;

/** Everything as it is now, but for the sources: tests may need more than themselves. */
function* proveOnce(job: TaskWork, { known, latest }: Suite, sources: readonly string[]): Flow<Tried> {
  const { command } = known;
  const now = yield* snapshot("test-first");
  const at = yield* anchorWithout("test-first", now, { start: job.range.start, files: [...sources] });
  const without = yield* runElsewhere(at, { ...placeFor(job, "test-first"), command });
  if (without === null) return null;
  const before = known.results === null ? undefined : readResults(known.results);
  const runs = { command, before, without, after: latest?.results };
  const proof = proveByRuns(runs);
  const changed = job.changes.files.map(({ path }) => path);
  if (proof.why !== "" || !isDoubtful(runs, changed)) return proof;
  const green = some(proof.green);
  const only = green.filter((name) => name !== command);
  const within = yield* runElsewhere(now, { ...placeFor(job, "with-change"), command, only });
  if (within === null) return null;
  const greenThere = greenIn(within, green);
  if (greenThere.length > 0) return { ...proof, green: greenThere };
  return { lack: lackIn(`\`${command}\` fails there with the change as well, and passes in your tree`, within) };
}

const lossOf = ({ input }: TaskWork): string => `nothing shows that task ${input.task.id} was built test first`;

const placeFor = (job: TaskWork, name: string) => ({
  place: `task-${job.input.task.id}-${name}`,
  name,
  loss: lossOf(job),
});
