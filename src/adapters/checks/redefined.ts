// A command that a file defines is trusted with its definition. If the definition has changed, the command would run something that was never
// trusted: it is not run, and proves nothing.

import { definitionFor } from "../../core/validation/definition.ts";
import type { CheckRun } from "../../ports/checks.ts";
import type { Grant } from "../../ports/trust.ts";
import { treeFiles } from "./tree-files.ts";

/** Undefined when the command does what it did when it was trusted. */
export function redefined(root: string, command: string, { commands }: Grant): CheckRun | undefined {
  const trusted = commands.find((found) => found.command === command);
  if (trusted === undefined) return undefined;
  const { definition } = definitionFor(command, treeFiles(root));
  if (definition === trusted.definition) return undefined;
  const becomes = definition === "" ? "is no longer defined there as before" : `now runs: ${definition}`;
  const output = `Not run. In ${trusted.from}, ${command} ${becomes}\nThe person trusted: ${trusted.definition || command}\nThe person has not approved this change. Restore the script.`;
  return { exitCode: null, signal: null, timedOut: false, output, durationMs: 0 };
}
