// What can be asked of a repository, as data, and how it is asked: the same of git and of the model.

import type { Anchor, CommitOutcome, RestoreOutcome, WriterTraces } from "../../../src/core/flow/repository.ts";
import { anyEdit, applyEdit, type Edit, rulePaths, somePaths, someTexts } from "../../contracts/repo/edits.ts";
import { order } from "../../contracts/repo/order.ts";
import type { RepoRig } from "../../contracts/repo.ts";
import fc from "../../rig/property.ts";

export type Step = Edit | HandStep | Question;

type HandStep =
  | { readonly do: "commit all" | "amend" | "uncommit" }
  | { readonly do: "checkout" | "detach" | "reset" | "forward"; readonly branch: string };

/** Numbers choose among the anchors, trees and requests that there are by then, the latest first. */
type Question =
  | { readonly do: "snapshot" | "tree" | "commit documents" }
  | { readonly do: "changes"; readonly since: number }
  | { readonly do: "difference"; readonly from: number; readonly to: number }
  | {
      readonly do: "commit task";
      readonly since: number;
      readonly judged: Judged;
      readonly leaveOut: readonly string[];
    }
  | { readonly do: "end writer" | "undo work"; readonly since: number; readonly files: readonly string[] }
  | { readonly do: "find commit"; readonly since: number; readonly request: number }
  | { readonly do: "restore"; readonly to: number; readonly name: string }
  | { readonly do: "restore files"; readonly since: number; readonly paths: readonly string[] }
  | { readonly do: "person at work"; readonly since: number; readonly goneAt: number }
  | { readonly do: "without"; readonly at: number; readonly start: number; readonly files: readonly string[] };

/** The tree as it is now, one that was seen before, or none. */
type Judged = "now" | number | null;

export const documents = ["docs/plan.md", "docs/x.log"];
const hidden = [...documents, ".superteam-workflow.json", ".superteam/mine"];
/** The last is ignored from the start, and can be in the way of a file. */
const paths = [...somePaths, ...rulePaths, ...hidden, "docs/other", "a/x.log"];
const rules = ["/d/\n*.log\n", "!x.log\nb\n", "/e\nd/y\n# a\n", "mi*\n", "docs\n"];
const texts = [...someTexts, ...rules];
const branch = fc.constantFrom("main", "other");
const number = fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, fc.nat({ max: 5 }));
const judged = fc.oneof(fc.constant("now" as const), number, fc.constant(null));
const somePathsAtOnce = fc.uniqueArray(fc.constantFrom(...paths), { maxLength: 6 });
const goneAt = fc.constantFrom(0, Date.UTC(2500, 0));

const onItsOwn = <What extends string>(...what: What[]) => fc.record({ do: fc.constantFrom(...what) });

const anyWrite = fc.record({
  do: fc.constant("write" as const),
  path: fc.constantFrom(...paths),
  text: fc.constantFrom(...texts),
});

const anyHand: fc.Arbitrary<Edit | HandStep> = fc.oneof(
  { arbitrary: anyWrite, weight: 4 },
  { arbitrary: anyEdit(paths, texts), weight: 4 },
  onItsOwn("commit all", "amend", "uncommit"),
  fc.record({ do: fc.constant("checkout" as const), branch }),
  fc.record({ do: fc.constantFrom("detach" as const, "reset" as const, "forward" as const), branch }),
);

const anyQuestion: fc.Arbitrary<Question> = fc.oneof(
  onItsOwn("snapshot", "commit documents", "tree"),
  fc.record({ do: fc.constant("changes" as const), since: number }),
  fc.record({ do: fc.constant("difference" as const), from: number, to: number }),
  {
    arbitrary: fc.record({ do: fc.constant("commit task" as const), since: number, judged, leaveOut: somePathsAtOnce }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      do: fc.constantFrom("end writer" as const, "undo work" as const),
      since: number,
      files: somePathsAtOnce,
    }),
    weight: 3,
  },
  fc.record({ do: fc.constant("find commit" as const), since: number, request: number }),
  {
    arbitrary: fc.record({ do: fc.constant("restore" as const), to: number, name: fc.constantFrom("undo", "b/c") }),
    weight: 3,
  },
  fc.record({ do: fc.constant("restore files" as const), since: number, paths: somePathsAtOnce }),
  fc.record({ do: fc.constant("person at work" as const), since: number, goneAt }),
  fc.record({ do: fc.constant("without" as const), at: number, start: number, files: somePathsAtOnce }),
);

/** Two branches with each its own. */
const apart: readonly Step[] = [
  { do: "checkout", branch: "other" },
  { do: "write", path: "a", text: "2" },
  { do: "write", path: "mine/inner", text: "1" },
  { do: "delete", path: "d/x" },
  { do: "commit all" },
  { do: "checkout", branch: "main" },
];

/** Hands at work, and a question to the repository, in turn. An anchor comes first, so that there is one. */
export const anySteps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(anyHand, { maxLength: 4 }),
    fc.array(fc.tuple(fc.array(anyHand, { maxLength: 5 }), anyQuestion), { minLength: 2, maxLength: 6, size: "max" }),
  )
  .map(([before, rounds]) => [
    ...apart,
    ...before,
    { do: "snapshot" },
    ...rounds.flatMap(([hands, question]) => [...hands, question]),
  ]);

/** One repository, and what has been seen of it. */
export interface Side {
  readonly rig: RepoRig;
  readonly anchors: Anchor[];
  readonly trees: string[];
  /** Of commits that were ordered. */
  readonly requests: string[];
}

export const sideOf = (rig: RepoRig): Side => ({ rig, anchors: [], trees: [], requests: [] });

/** Does a step and gives what came of it; `nth` makes messages and names differ. */
export async function perform(side: Side, step: Step, nth: number): Promise<unknown> {
  const { rig } = side;
  switch (step.do) {
    case "commit all":
      return await rig.commit(`all ${nth}`);
    case "amend":
      return await rig.amend(`amended ${nth}`);
    case "uncommit":
      return await rig.uncommit();
    case "checkout":
      return await rig.checkout(step.branch);
    case "detach":
      return await rig.detach(step.branch);
    case "reset":
      return await rig.reset(step.branch);
    case "forward":
      return await rig.forward(step.branch);
    case "write":
    case "delete":
    case "stage":
    case "unstage":
    case "rename":
    case "commit":
      return await applyEdit(rig, step, `wip ${nth}`);
    default:
      return await ask(side, step, nth);
  }
}

async function ask(side: Side, step: Question, nth: number): Promise<unknown> {
  const { trees } = side;
  const { repo } = side.rig;
  const anchor = (at: number): Anchor => chosen(side.anchors, at);
  const tree = (at: number): string => chosen(trees, at);
  switch (step.do) {
    case "tree":
      return trees[trees.push(await repo.tree()) - 1];
    case "snapshot":
      return keep(side, await repo.snapshot(`s ${nth}`));
    case "changes": {
      const { diff, ...seen } = await repo.changes(anchor(step.since));
      return { ...seen, isEmpty: diff === "" };
    }
    case "difference":
      return await repo.difference(tree(step.from), tree(step.to));
    case "commit task":
      return await commitTask(side, step, nth);
    case "commit documents":
      return uncounted(await repo.commit(order(anchor(0), { request: requestOf(side, nth), documents })));
    case "find commit":
      return uncounted(
        await repo.findCommit(anchor(step.since), chosen(["run-1/none", ...side.requests], step.request)),
      );
    case "restore":
      return modelled(await repo.restore(anchor(step.to), step.name));
    case "restore files":
      return modelled(await repo.restoreFiles(anchor(step.since), step.paths, `f ${step.since}`));
    case "end writer":
      return seenOf(await repo.afterWriter({ given: anchor(step.since), ours: step.files }, `e ${nth}`));
    case "undo work":
      return modelled(await repo.undoWork({ start: anchor(step.since), files: step.files }, `u ${nth}`));
    case "person at work":
      return await repo.personAtWork(anchor(step.since), step.goneAt);
    case "without": {
      const work = { start: anchor(step.start), files: step.files };
      return keep(side, await repo.anchorWithout(anchor(step.at), work, `w ${nth}`));
    }
  }
}

/** Where things were moved to, and what is lost or happened meanwhile, the model does not say. */
function modelled(outcome: RestoreOutcome): unknown {
  const { asideIn: _aside, filesLost: _lost, meanwhile: _meanwhile, ...seen } = outcome;
  return seen;
}

/** Whatever the order of the fields. What is around HEAD is each one's own. */
function seenOf({ left: { sha, branch, tree, index, ref }, changed, dirty, putBack }: WriterTraces): unknown {
  const { files, moved, commits, branch: elsewhere, refs, refsKept, switched } = putBack;
  return [
    sha,
    branch,
    tree,
    index,
    ref,
    changed,
    dirty,
    files,
    moved,
    commits,
    elsewhere,
    switched,
    [...refs].sort(),
    refsKept.length,
  ];
}

/** The words of a refusal are each one's own. */
async function commitTask(side: Side, step: Extract<Question, { do: "commit task" }>, nth: number): Promise<unknown> {
  const { repo } = side.rig;
  const tree =
    step.judged === "now" ? await repo.tree() : step.judged === null ? null : chosen(side.trees, step.judged);
  const outcome = await repo.commit(
    order(chosen(side.anchors, step.since), {
      request: requestOf(side, nth),
      ...(tree === null ? {} : { tree }),
      leaveOut: step.leaveOut,
    }),
  );
  return "detail" in outcome ? outcome.status : uncounted(outcome);
}

/** The model counts no lines. */
function uncounted(outcome: CommitOutcome | undefined): unknown {
  if (outcome?.status !== "committed") return outcome;
  const { lines: _, ...seen } = outcome;
  return seen;
}

function requestOf({ requests }: Side, nth: number): string {
  const request = `run-1/${nth}`;
  requests.push(request);
  return request;
}

/** What is around HEAD is each one's own: git's index has times. */
function keep(side: Side, anchor: Anchor): unknown {
  side.anchors.push(anchor);
  side.trees.push(anchor.tree);
  const { around: _, ...seen } = anchor;
  return seen;
}

function chosen<Item>(items: readonly Item[], at: number): Item {
  const item = items.at(-1 - (at % items.length));
  if (item === undefined) throw new Error("every side has an anchor from the start");
  return item;
}
