// The person works in the same tree while a run waits, for tests of what becomes of their work.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import type { Story } from "./story.ts";

export function commitMine(run: Story, path = "mine.txt"): string {
  run.write(path, "my own\n");
  run.git("add", path);
  run.git("commit", "-qm", "My own", "--", path);
  return run.git("rev-parse", "HEAD");
}

export const subjects = (run: Story) => run.git("log", "--format=%s").split("\n");
export const filesOf = (run: Story, commit: string) =>
  run.git("show", "--format=", "--name-only", commit).split("\n").toSorted();

/** The commit is on the branch as it was made, and its file is in the tree. */
export function assertMine(run: Story, sha: string, path = "mine.txt"): void {
  run.git("merge-base", "--is-ancestor", sha, "HEAD");
  assert.equal(run.text(path), "my own\n");
  assert.doesNotMatch(run.git("status", "--porcelain"), new RegExp(path));
}

/** Hours pass at a word. */
export function clockOf(context: TestContext): (hours: number) => void {
  const real = Date.now;
  context.after(() => {
    Date.now = real;
  });
  return (hours) => {
    Date.now = () => real() + hours * 3_600_000 + 1000;
  };
}

/** An agent that fails half-way. */
export const crash: Script = { run: "echo half > half.txt", text: "", fail: { kind: "auth", detail: "gone" } };
/** An agent whose quota comes back in five hours. */
export const usedUp: Script = { text: "", fail: { kind: "rate-limited", detail: "429", retryAfterMs: 5 * 3_600_000 } };
