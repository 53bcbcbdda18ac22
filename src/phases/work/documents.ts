// The run's documents get commits of their own. When git refuses one, the person decides.

import { config, type Flow, read, snapshot, write } from "../../core/flow/flow.ts";
import type { Committed } from "../../core/flow/repository.ts";
import { documentsIn } from "../../core/run/ceremony.ts";
import type { Mode } from "../../core/run/config.ts";
import { listed } from "../../core/text/format.ts";
import { warn } from "./consult.ts";
import { commitOrAsk } from "./git-questions.ts";
import { pass } from "./respond.ts";

/**
 * What stands in a document that was written before. A person may edit it; one that is gone, as after `git clean`, is written
 * again as it is known from the journal.
 */
export function* readKept(path: string, known: string): Flow<string> {
  const text = yield* read(path);
  if (text !== null) return text;
  yield* write(path, known);
  yield* warn(`${path} was missing. It was restored from the journal.`);
  return known;
}

/** What happens to the run's documents. Those that are not committed stay in the tree. */
export function* fateOfDocuments(mode: Mode): Flow<ReturnType<typeof documentsIn>> {
  return documentsIn(mode, (yield* config()).documents.commit);
}

/** One commit of the documents, in the phase that questions name. */
export function* commitDocuments(step: string, message: string, documents: readonly string[]): Flow<void> {
  const since = yield* snapshot("documents");
  const paths = documents.join(", ");
  const outcome = yield* commitOrAsk(
    { step, what: paths, skip: "leave them in the tree, uncommitted" },
    { name: "documents", message, since, documents },
  );
  if (outcome.status === "refused") yield* warn(`Not committed: ${paths}.`);
  if (outcome.status === "committed") yield* tellHooked(step, outcome, documents);
}

/** Beside the documents a commit of theirs should have nothing. What a formatter made of these is for the person to read. */
function* tellHooked(step: string, { sha, byHook }: Committed, documents: readonly string[]): Flow<void> {
  const others = byHook?.files.filter((path) => !documents.includes(path)) ?? [];
  if (others.length === 0) return;
  const [what, commit] = [listed(others), sha.slice(0, 10)];
  yield* pass("changed-by-hook", {
    id: `${step}.hook`,
    title: "Changed By A Hook",
    message: `A commit hook put more into the commit of ${listed(documents)} than superteam did, which nobody has reviewed: ${what}.\nLook at it: git show ${commit}`,
  });
}
