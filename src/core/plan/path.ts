// Where plans are, and paths as agents write them. Separate, so that commands that only read a run load no schema.

/** Where the plan of a part goes; they count from 1, and the first is where the plan of the whole would be. */
export function planPath(plan: string, part: number): string {
  return part === 1 ? plan : plan.replace(/(\.md)?$/, `-${part}$1`);
}

/** Without what is said about a file beside its path: what happens to it, line numbers, remarks. */
export function plainPath(said: string): string {
  return said
    .trim()
    .replace(/^(?:create|add|new|modify|change|update|edit|test|delete|remove):\s+/i, "")
    .replace(/^[`"'](.*)[`"'](.*)$/, "$1$2")
    .replace(/\s+[-–—]+\s.*$/, "")
    .replace(/:\s.*$/, "")
    .replace(/\s*\([^()]*\)$/, "")
    .replace(/(?::\d+(?:[-–]\d+)?(?::\d+)?|#L\d+(?:-L?\d+)?)(?:,\s*\d+(?:[-–]\d+)?)*$/, "")
    .trim()
    .replace(/(?<=[^/])\/$/, "");
}

/** The path of a file that is named with more about it: `{"path": "src/a.ts", "action": "create"}`. */
export function pathIn(said: unknown): unknown {
  if (typeof said !== "object" || said === null) return said;
  return "path" in said && typeof said.path === "string" ? said.path : said;
}
