// Offers to bring the documentation up to date. The result is not reviewed, so it may only change documentation and has to leave the checks
// green; otherwise it is undone.

import { ask, changes, config, type Flow } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { readWriterReport } from "../../core/plan/writer-report.ts";
import { isProven } from "../../core/review/receipts.ts";
import type { DocsResult } from "../../core/run/report.ts";
import type { Baseline } from "../../core/validation/baseline.ts";
import { updateDocs, updateDocsAgain, type WholeBrief } from "../../prompts/final.ts";
import { type Checked, checkTree, requiredChecks, type Suite, suiteFrom } from "../suite/suite.ts";
import { warn } from "../work/consult.ts";
import { blockedBy, leftOutText, type Obstacle } from "../work/escalation.ts";
import { commitOrAsk } from "../work/git-questions.ts";
import { commitProven, type Proof } from "../work/proof.ts";
import { escalate } from "../work/respond.ts";
import { attempt, endedAfter, ofTrouble, plainRetry } from "../work/trouble.ts";
import {
  commitRange,
  findWork,
  rangeOf,
  rollBack,
  sendWriter,
  type WorkRange,
  type WriterOrder,
  type Written,
} from "../work/work-range.ts";
import { messageOf, tellWords, type WriterWords } from "../work/writer-words.ts";

const without = (status: DocsResult["status"]): DocsResult => ({ status, commit: null, files: [] });
export const notOffered = without("not-offered");

/** The second attempt gets what was wrong with the first; there is no third. */
const attempts = 2;

/** The work that the documentation is about: where it began, and what is known of its tests. */
interface Documented {
  readonly start: Anchor;
  readonly tests: Baseline | null;
}

export function* offerDocs(brief: Omit<WholeBrief, "changes">, { start, tests }: Documented): Flow<DocsResult> {
  const answer = yield* ask({
    id: "finalize.docs",
    kind: "confirm",
    title: "Documentation",
    message: "Update README and documentation for what has changed? It takes one more agent.",
    recommended: "no",
  });
  if (answer !== "yes") return without("declined");
  const first = updateDocs({ ...brief, changes: yield* changes("work", start) });
  let prompt = first;
  for (let tries = 1; ; tries++) {
    const order = { step: "finalize.docs", name: "docs", role: "implementer", prompt };
    const written = yield* writeDocs(order);
    if (!written) return without("unchanged");
    const range = rangeOf(written);
    const { report } = readWriterReport(written.text);
    const words = { said: report.summary, concerns: report.concerns };
    const blocked = blockedBy(report);
    const outcome = blocked
      ? notPossible(blocked)
      : yield* commitDocs(range, tests && suiteFrom({ ...tests, pending: [] }), words);
    if (!("problem" in outcome)) {
      yield* tellWords("documentation", words);
      return { ...outcome, ...(report.concerns.length === 0 ? {} : { concerns: report.concerns }) };
    }
    if (range.ours.size === 0) {
      yield* warn(`The documentation was not updated. ${outcome.problem}`);
      return without("unchanged");
    }
    const backupRef = yield* rollBack(range, names);
    if (tries === attempts || blocked) {
      yield* warn(`The documentation update was undone; it is kept at ${backupRef}. ${outcome.problem}`);
      return without("undone");
    }
    prompt = updateDocsAgain(first, outcome.problem);
  }
}

/** Undefined if the person finishes without it: the work itself is done. */
function* writeDocs(order: WriterOrder): Flow<Written | undefined> {
  for (;;) {
    const written = yield* attempt(sendWriter({ ...order, mayGiveUp: true }, null));
    if ("value" in written) return written.value;
    const { trouble } = written;
    const question = ofTrouble(trouble, [plainRetry, finishWithout]);
    const way = yield* escalate(trouble.matter, question, { ended: endedAfter(trouble), step: order.step });
    if (way === "retry") continue;
    yield* warn(`The documentation was not updated. ${trouble.short}`);
    return undefined;
  }
}

const finishWithout = { key: "skip", label: "Finish without the documentation" } as const;

interface DocsProblem {
  readonly kind: "problem";
  readonly problem: string;
}

const names = { name: "docs", step: "finalize.docs" };

function* commitDocs(range: WorkRange, suite: Suite | null, words: WriterWords): Flow<DocsResult | DocsProblem> {
  const proof: Proof = { receipts: [], isUnsettled: false };
  const checked = { command: (yield* config()).validationCommand ?? "", suite };
  const outcome = yield* commitProven<DocsProblem | { readonly kind: "unchanged" }>(proof, {
    what: "the documentation after it was checked",
    *judge() {
      const { files, tree } = yield* findWork(range, names);
      if (files.length === 0) return { kind: "unchanged" };
      const others = files.map(({ path }) => path).filter((path) => !isDocumentation(path));
      if (others.length > 0) return problem(`It changed files that are not documentation: ${others.join(", ")}.`);
      return (yield* checkDocs(proof, tree, checked)) ?? { tree };
    },
    isProven: (tree) => isProven(proof.receipts, tree, requiredChecks(checked)),
    commit: (tree) => {
      const at = { step: "finalize.docs", what: "the documentation", skip: "undo it" };
      const request = { name: "docs", message: messageOf("workflow: documentation", words), tree };
      return commitRange(range, at.what, request, (order) => commitOrAsk(at, order));
    },
    checkAgain: (tree) => checkDocs(proof, tree, checked),
    hooked: (_, files) => problem(`A commit hook changed it again after it was checked: ${files.join(", ")}.`),
    // It changes nothing that runs.
    *leftOut({ leftOut }) {
      return leftOut;
    },
    *checkAlone({ files }) {
      yield* warn(leftOutText(files, "the documentation"));
      return undefined;
    },
  });
  if ("kind" in outcome) return outcome.kind === "problem" ? outcome : without("unchanged");
  if (outcome.status === "moved") return problem("The tree changed while it was being checked.");
  if (outcome.status === "nothing") return without("unchanged");
  if (outcome.status === "committed") return { status: "updated", commit: outcome.sha, files: [...outcome.files] };
  yield* rollBack(range, names);
  return without("undone");
}

function* checkDocs(proof: Proof, tree: string, checked: Checked): Flow<DocsProblem | undefined> {
  const failing = yield* checkTree(proof, tree, checked, { task: null, start: null, name: "docs" });
  return failing && problem(`With this change \`${failing.command}\` fails:\n${failing.output.slice(-1000)}`);
}

const notPossible = ({ reason, needs }: Obstacle<"blocked">): DocsProblem =>
  problem(`The writer was blocked: ${reason}${needs === "" ? "" : ` It needs: ${needs}`}`);

const problem = (text: string): DocsProblem => ({ kind: "problem", problem: text });

/** Whether the work brought its documentation along: a README, or pages below docs/. */
export function writesDocs(paths: readonly string[]): boolean {
  return paths.some((path) => isDocumentation(path) && /(^|\/)(readme(\.[^/]*)?$|docs?\/)/i.test(path));
}

/** Text documents wherever they are; below docs/ everything a page may need, but nothing that runs. */
export function isDocumentation(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/\.(md|mdx|markdown|rst|adoc|asciidoc|txt)$/i.test(name))
    return !/^(requirements|constraints).*\.txt$|^CMakeLists/i.test(name);
  if (/^(README|CHANGELOG|CONTRIBUTING|AUTHORS|NOTICE)$/i.test(name)) return true;
  return /^docs\//.test(path) && /\.(svg|png|jpe?g|gif|webp|html|css)$/i.test(name);
}
