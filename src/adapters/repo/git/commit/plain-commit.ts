// A commit in which nobody else has a say: no hook, no signature, no other encoding. `git commit` would do no more than what is done
// here, and take five times as long.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Checkout } from "../place/checkout.ts";
import { settingsOf } from "../place/settings.ts";
import { toBytes } from "../process/paths.ts";
import { type GitAnswer, tryGit } from "../process/run.ts";
import type { PendingCommit } from "../restore/undo-commit.ts";
import { withTrailers } from "./find-commit.ts";
import { onlyConfigured } from "./refusal.ts";

/** Undefined where `git commit` has to make it, which also says what is wrong. */
export async function commitPlainly(checkout: Checkout, work: PendingCommit): Promise<GitAnswer | undefined> {
  if (hasHooks(checkout)) return undefined;
  const { order, parent, tip, wanted } = work;
  const input = tidied(toBytes(withTrailers(order)));
  const [settings, made] = await Promise.all([
    settingsOf(checkout),
    tryGit(checkout.root, [...onlyConfigured, "commit-tree", "-p", parent, "-F", "-", wanted], { input }),
  ]);
  if (settings === undefined || made.code !== 0 || settings.values.some(isSaid)) return undefined;
  const why = `commit: ${input.slice(0, input.indexOf("\n"))}`;
  return await tryGit(checkout.root, ["update-ref", "-m", why, "HEAD", made.out.trim(), tip]);
}

function hasHooks({ commonDir }: Checkout): boolean {
  try {
    return readdirSync(join(commonDir, "hooks")).some((name) => !name.endsWith(".sample"));
  } catch {
    // No folder, no hook. One that may not be read git sees no more of.
    return false;
  }
}

/** Settings that have something to say about a commit, as `<key>\n<value>`. */
const isSaid = (setting: string): boolean =>
  /^(?:core\.hookspath|hook\.|i18n\.commitencoding|commit\.gpgsign(?:$|\n(?!(?:false|no|off|0|)$)))/i.test(setting);

/** A message as `git commit --cleanup=whitespace` has it, in bytes. */
export function tidied(message: string): string {
  const lines = message.split("\n").map((line) => line.replace(/[ \t\r]+$/, ""));
  const kept = lines.filter((line, at) => line !== "" || (at > 0 && lines[at - 1] !== ""));
  const [first, last] = [kept.findIndex(Boolean), kept.findLastIndex(Boolean)];
  return kept
    .slice(Math.max(first, 0), last + 1)
    .map((line) => `${line}\n`)
    .join("");
}
