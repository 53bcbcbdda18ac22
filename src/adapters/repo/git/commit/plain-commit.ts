// A commit without hooks, signature or another encoding. `git commit` would give the same result and take five times as long.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { CommitOrder } from "../../../../ports/repo.ts";
import type { Checkout } from "../place/checkout.ts";
import { insteadOfConfigured } from "../place/hooks.ts";
import { settingsOf } from "../place/settings.ts";
import { toBytes } from "../process/paths.ts";
import { type GitAnswer, tryGit } from "../process/run.ts";
import type { PendingCommit } from "../restore/undo-commit.ts";
import { writeCommit } from "./commit-object.ts";
import { withTrailers } from "./find-commit.ts";
import { onlyConfigured } from "./refusal.ts";

/** The commit, on no branch yet. Undefined where `git commit` has to make it, which also says what is wrong. */
export async function writePlainly(
  checkout: Checkout,
  { order, parent, wanted }: PendingCommit,
): Promise<string | undefined> {
  const settings = hasHooks(checkout) ? undefined : await settingsOf(checkout);
  if (settings === undefined || settings.values.some(isSaid)) return undefined;
  if ((await insteadOfConfigured(checkout)) !== undefined) return undefined;
  const message = messageOf(order);
  const written = await writeCommit(checkout, settings, { tree: wanted, parent, message });
  if (written !== undefined) return written;
  const args = [...onlyConfigured, "commit-tree", "-p", parent, "-F", "-", wanted];
  const made = await tryGit(checkout.root, args, { input: message });
  return made.code === 0 ? made.out.trim() : undefined;
}

/** Fails when HEAD is not where it was any more. */
export async function moveToPlain({ root }: Checkout, { order, tip }: PendingCommit, sha: string): Promise<GitAnswer> {
  const message = messageOf(order);
  const why = `commit: ${message.slice(0, message.indexOf("\n"))}`;
  return await tryGit(root, ["update-ref", "-m", why, "HEAD", sha, tip]);
}

const messageOf = (order: CommitOrder): string => tidied(toBytes(withTrailers(order)));

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
