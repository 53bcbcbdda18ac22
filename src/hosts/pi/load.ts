// Loads what is needed on first use with the runtime's own loader. pi's loader transforms each file by itself, with all
// packages it imports: for the whole of superteam that takes seconds in which pi stands still.

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

interface Parts {
  readonly command: typeof import("./command.ts");
  readonly greeting: typeof import("./greeting.ts");
  readonly outdated: typeof import("./outdated.ts");
  readonly sdd: typeof import("./sdd.ts");
  readonly "team-tool": typeof import("./team-tool.ts");
  readonly transcript: typeof import("./transcript.ts");
  readonly "workflow-tool": typeof import("./workflow-tool.ts");
}

const place = Symbol.for("superteam.loaded-at");
const kept = globalThis as { [place]?: number };
kept[place] ??= Date.now();

/** When this process met superteam first. Whatever was loaded since then stays, also when pi loads its extensions anew. */
export function loadedAt(): number {
  return kept[place] ?? 0;
}

const require = createRequire(import.meta.url);

export function load<N extends keyof Parts>(name: N): Parts[N] {
  const source = import.meta.url.replace(/load\.(ts|js)$/, `${name}.$1`);
  return require(fileURLToPath(runnable(source)));
}

/** Node runs TypeScript, but not that of an installed package: there the built files lie beside it. */
function runnable(source: string): string {
  if (!source.includes("/node_modules/")) return source;
  return source.replace(/\/src\/(hosts\/pi\/[\w-]+)\.ts$/, "/dist/$1.js");
}
