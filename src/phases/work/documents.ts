// The run's documents get commits of their own. When git refuses one, the person decides.

import { config, type Flow, snapshot } from "../../core/flow/flow.ts";
import { warn } from "./consult.ts";
import { commitOrAsk } from "./escalation.ts";

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
