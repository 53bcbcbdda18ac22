// Commits that are not a task's: the run's documents, and what is done to the whole at the end. When git refuses one,
// the person decides.

import { ask, type CommitRequest, commit, config, type Flow, fail, snapshot } from "../../core/flow/flow.ts";
import type { CommitOutcome } from "../../core/flow/repository.ts";
import { warn } from "./consult.ts";

export interface DocumentsCommit {
  /** The phase, as questions name it. */
  readonly step: string;
  readonly name: string;
  readonly message: string;
  readonly documents: readonly string[];
}

/** One commit of the documents, if the configuration wants it. Without one they stay in the tree, uncommitted. */
export function* commitDocuments({ step, name, message, documents }: DocumentsCommit): Flow<void> {
  const settings = yield* config();
  if (!settings.documents.commit) return;
  const since = yield* snapshot(name);
  const paths = documents.join(", ");
  const outcome = yield* commitOrAsk(
    { step, what: paths, skip: "leave them in the tree, uncommitted" },
    { name, message, since, documents },
  );
  if (outcome.status === "refused") yield* warn(`Not committed: ${paths}.`);
}

export interface Insistence {
  /** The phase, as its question names it. */
  readonly step: string;
  /** What is to be committed, in words. */
  readonly what: string;
  /** What skipping the commit means. */
  readonly skip: string;
}

/** Commits until it works, or the person would rather go without: then the outcome is still `refused`. */
export function* commitOrAsk(
  { step, what, skip }: Insistence,
  request: Omit<CommitRequest, "do">,
): Flow<CommitOutcome> {
  for (;;) {
    const outcome = yield* commit(request);
    if (outcome.status !== "refused") return outcome;
    const choice = yield* ask({
      id: `${step}.commit`,
      kind: "select",
      title: "Commit Refused",
      message: `The commit of ${what} was refused.\nError: ${outcome.detail}`,
      options: [
        { key: "retry", label: "Retry", hint: "after you have mended the cause" },
        { key: "skip", label: "Skip", hint: skip },
        { key: "abort", label: "Abort workflow" },
      ],
    });
    if (choice === "abort") fail({ kind: "aborted", step, detail: "the person ended the run at a refused commit" });
    if (choice === "skip") return outcome;
  }
}
