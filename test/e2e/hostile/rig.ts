// A repository that was made to trick superteam, and a whole hotfix in it: scout, implementer, reviewer. What the agents do
// is one shell command each; nothing that the repository contains may run, loosen or stop anything.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { ModelPlay } from "../../../src/demo/model/play.ts";
import { type Cli, type Exit, openCli } from "../../rig/cli/cli.ts";
import { goal, smallPlay } from "../../rig/cli/small-play.ts";

interface Doing {
  /** Runs before the scout looks; the scout may only read. */
  readonly scout?: string;
  /** Beside writing letter.txt. */
  readonly implementer?: string;
  /** What the reviewer says, one text after the other; then the last one again. */
  readonly reviewer?: readonly string[];
  readonly trust?: boolean;
}

export async function hostile(context: TestContext, doing: Doing = {}): Promise<Cli> {
  return await openCli(context, { play: playOf(doing), trust: doing.trust ?? true });
}

function playOf({ scout, implementer, reviewer = [] }: Doing): ModelPlay {
  let looked = 0;
  let reviewed = 0;
  const run = (command: string) => ({ tools: [{ name: "bash", args: { command } }] });
  return smallPlay((step, turn) => {
    if (turn > 0) return {};
    if (step === "brainstorm/scout" && scout !== undefined && looked++ === 0) return run(scout);
    if (step === "execute/task-1/implement" && implementer !== undefined) return run(`${letter}; ${implementer}`);
    const said = step === "execute/task-1/spec-review" ? (reviewer[reviewed++] ?? reviewer.at(-1)) : undefined;
    if (said !== undefined) return { text: said };
    return {};
  });
}

const letter = "echo 'Dear reader,' > letter.txt";

export function hotfix(cli: Cli, ...more: readonly string[]): Promise<Exit> {
  return cli.go("run", goal, "--mode", "hotfix", ...more);
}

/** The run is over, its commit is on the branch, and this is all that it changed. */
export function assertDone(cli: Cli, exit: Exit, files: readonly string[] = ["letter.txt"]): void {
  assert.equal(exit.code, 0, exit.stderr);
  assert.equal(cli.git("log", "-1", "--format=%s"), `workflow: task 1 — ${goal}`, exit.stderr);
  const changed = cli.git("diff-tree", "-r", "-z", "--name-only", "HEAD~1", "HEAD", "--").split("\0").filter(Boolean);
  assert.deepEqual(changed.sort(), [...files].sort(), exit.stderr);
  assert.equal(cli.active, undefined);
}

export function put(cli: Cli, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cli.root, path)), { recursive: true });
    writeFileSync(join(cli.root, path), text, { mode: 0o755 });
  }
}

export function commitAll(cli: Cli): void {
  cli.git("add", "-A", "--", ".", ":!notes.txt");
  cli.git("commit", "-q", "--no-verify", "-m", "Make it hostile");
}
