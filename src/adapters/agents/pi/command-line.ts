// The command line pi is started with. Both system texts are always given, and as files: a text that is missing would
// let a stray SYSTEM.md or APPEND_SYSTEM.md in, and one in the arguments is open for all to read.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentOrder } from "../../../ports/agents.ts";
import { keepText } from "../../files/small-file.ts";
import { piTools } from "./tools.ts";

/** Makes sure that the system texts are in `folder`, where another pi may be reading them, and says how pi is called. */
export function piArguments(order: AgentOrder, folder: string): readonly string[] {
  const system = join(folder, "system.md");
  const context = join(folder, "context.md");
  const tools = piTools(order.capabilities);
  keepText(system, order.system);
  keepText(context, order.context);
  return [
    ...["--mode", "json", "-p"],
    ...isolated,
    ...["--thinking", order.thinking, "--system-prompt", system, "--append-system-prompt", context],
    ...(tools.length === 0 ? ["--no-tools"] : ["--tools", tools.join(",")]),
    ...(order.model === null ? [] : ["--model", order.model]),
    ...(order.testFirst === undefined ? [] : ["--skill", skill]),
    ...(order.testFirst === "guarded" ? ["-e", guard] : []),
  ];
}

/** `skills/` of the package: four folders up, from the sources as from what is published. */
const skill = fileURLToPath(new URL("../../../../skills/test-driven-development/", import.meta.url));

/** Beside this file, and like it a source or built: pi loads both. */
const guard = fileURLToPath(import.meta.url).replace(/command-line(\.\w+)$/, join("guard", "extension$1"));

/** Nothing of the person's own pi, nor of the repository, has a say. */
export const isolated: readonly string[] = [
  ...["--no-session", "--no-extensions", "--no-skills", "--no-prompt-templates"],
  ...["--no-themes", "--no-context-files", "--no-approve"],
];
