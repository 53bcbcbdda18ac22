// Offers to bring the documentation up to date. Nobody reviews what comes of it, so that it may only be documentation,
// and has to leave the checks green; what is not so is taken back.

import { ask, changes, check, config, type Flow, restore, snapshot } from "../../core/flow/flow.ts";
import type { Anchor, Changes } from "../../core/flow/repository.ts";
import type { DocsResult } from "../../core/run/report.ts";
import { updateDocs, updateDocsAgain, type WholeBrief } from "../../prompts/final.ts";
import { engage, warn } from "../work/consult.ts";
import { commitOrAsk } from "../work/documents.ts";

export const notOffered: DocsResult = { status: "not-offered", commit: null, files: [] };

/** A second attempt is told what was wrong with the first; there is no third. */
const attempts = 2;

export function* offerDocs(brief: Omit<WholeBrief, "changes">, start: Anchor): Flow<DocsResult> {
  const answer = yield* ask({
    id: "finalize.docs",
    kind: "confirm",
    title: "Documentation",
    message: "Update README and documentation for what has changed? It takes one more agent.",
    recommended: "no",
  });
  if (answer !== "yes") return { status: "declined", commit: null, files: [] };
  const before = yield* snapshot("docs");
  const first = updateDocs({ ...brief, changes: yield* changes("work", start) });
  let prompt = first;
  for (let tries = 1; ; tries++) {
    const order = { step: "finalize.docs", name: "docs", role: "implementer", access: "write", undo: before } as const;
    // What the person did while the agent waited for its turn is theirs.
    const { start: given = before } = yield* engage({ ...order, prompt });
    const landed = yield* prove(given);
    if (typeof landed !== "string") return landed;
    const { backupRef } = yield* restore("docs", given);
    if (tries === attempts) {
      yield* warn(`The documentation update was taken back; it is kept at ${backupRef}. ${landed}`);
      return { status: "undone", commit: null, files: [] };
    }
    prompt = updateDocsAgain(first, landed);
  }
}

/** Commits what was checked, just that tree; says what is wrong instead. A check may rewrite what it is shown, once. */
function* prove(before: Anchor): Flow<DocsResult | string> {
  for (let looks = 1; looks <= 2; looks++) {
    const now = yield* changes("docs", before);
    if (now.files.length === 0) return { status: "unchanged", commit: null, files: [] };
    const problem = yield* problemWith(now);
    const landed = problem ?? (yield* land(before, now.tree));
    if (landed !== "moved") return landed;
  }
  return "The tree changed while it was being checked.";
}

function* problemWith({ files, tree }: Changes): Flow<string | undefined> {
  const others = files.map(({ path }) => path).filter((path) => !isDocumentation(path));
  if (others.length > 0) return `It changed what is no documentation: ${others.join(", ")}.`;
  const { validationCommand: command } = yield* config();
  if (command === "") return undefined;
  const { passed, output, tree: checked } = yield* check("docs", command);
  if (!passed) return `After it \`${command}\` fails:\n${output.slice(-1000)}`;
  return checked === tree ? undefined : "moved";
}

/** Text documents wherever they are; below docs/ everything a page may need, but nothing that runs. */
export function isDocumentation(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/\.(md|mdx|markdown|rst|adoc|asciidoc|txt)$/i.test(name))
    return !/^(requirements|constraints).*\.txt$|^CMakeLists/i.test(name);
  if (/^(README|CHANGELOG|CONTRIBUTING|AUTHORS|NOTICE)$/i.test(name)) return true;
  return /^docs\//.test(path) && /\.(svg|png|jpe?g|gif|webp|html|css)$/i.test(name);
}

function* land(since: Anchor, tree: string): Flow<DocsResult | "moved"> {
  const outcome = yield* commitOrAsk(
    { step: "finalize.docs", what: "the documentation", skip: "take it back" },
    { name: "docs", message: "workflow: documentation", since, tree },
  );
  if (outcome.status === "moved") return "moved";
  if (outcome.status === "nothing") return { status: "unchanged", commit: null, files: [] };
  if (outcome.status === "committed") return { status: "updated", commit: outcome.sha, files: [...outcome.files] };
  yield* restore("docs", since);
  return { status: "undone", commit: null, files: [] };
}
