// The run's documents get commits of their own, apart from the tasks'.

import { ask, commit, config, type Flow, fail, snapshot } from "../core/flow.ts";
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
  for (;;) {
    const since = yield* snapshot(name);
    const outcome = yield* commit({ name, message, since, documents });
    if (outcome.status !== "refused") return;
    const choice = yield* ask({
      id: `${step}.commit`,
      kind: "select",
      title: "Commit Refused",
      message: `The commit of ${documents.join(", ")} was refused.\nError: ${outcome.detail}`,
      options: [
        { key: "retry", label: "Retry", hint: "after you have mended the cause" },
        { key: "skip", label: "Skip", hint: "leave them in the tree, uncommitted" },
        { key: "abort", label: "Abort workflow" },
      ],
    });
    if (choice === "abort") fail({ kind: "aborted", step, detail: "the person ended the run at a refused commit" });
    if (choice === "skip") return yield* warn(`Not committed: ${documents.join(", ")}.`);
  }
}
