// Loads what is needed on first use with the runtime's own loader. pi's loader transforms each file by itself, with all
// packages it imports: for the whole of superteam that takes seconds in which pi stands still.

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

interface Parts {
  readonly "commands/command": typeof import("./commands/command.ts");
  readonly "commands/verbs": typeof import("./commands/verbs.ts");
  readonly "chat/greeting": typeof import("./chat/greeting.ts");
  readonly outdated: typeof import("./outdated.ts");
  readonly "commands/sdd": typeof import("./commands/sdd.ts");
  readonly "tools/team-tool": typeof import("./tools/team-tool.ts");
  readonly "chat/transcript": typeof import("./chat/transcript.ts");
  readonly "tools/workflow-tool": typeof import("./tools/workflow-tool.ts");
}

const require = createRequire(import.meta.url);

export function load<N extends keyof Parts>(name: N): Parts[N] {
  const source = import.meta.url.replace(/load\.(ts|js)$/, `${name}.$1`);
  return require(fileURLToPath(runnable(source)));
}

/** Node runs TypeScript, but not that of an installed package: there the built files lie beside it. */
function runnable(source: string): string {
  if (!source.includes("/node_modules/")) return source;
  return source.replace(/\/src\/(hosts\/pi\/[\w/-]+)\.ts$/, "/dist/$1.js");
}
