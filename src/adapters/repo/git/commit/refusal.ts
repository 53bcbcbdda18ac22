// Why a commit cannot be made now, in words that say what to do.

import type { Head } from "../../../../core/flow/repository.ts";
import { type BytePath, someOf, toWords } from "../process/paths.ts";
import { type GitAnswer, lockAdvice, tryGit } from "../process/run.ts";

/** HEAD is on another branch than the work. */
export function whyNotHere(since: Head, head: Head): string | undefined {
  if (head.branch === since.branch) return undefined;
  const back = since.branch ?? `--detach ${since.sha.slice(0, 10)}`;
  return `The work started on ${branchName(since)}, and HEAD is on ${branchName(head)} now, so nothing was committed. Go back (git switch ${back}), then try again.`;
}

/** git's rules for these files do not fit them. */
export const whyNotStored = (paths: readonly BytePath[]): string =>
  `git refuses to store ${someOf(paths)} by the rules that it has for them, so nothing was committed. Usually a line in .gitattributes is wrong (git check-attr -a <file> shows what holds), or a filter's program is missing. Correct that, then try again.`;

export async function isAncestor(root: string, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  return (await tryGit(root, ["merge-base", "--is-ancestor", older, newer])).code === 0;
}

export const branchName = (head: Head): string => head.branch ?? `no branch (${head.sha.slice(0, 10)})`;

/** git would guess a name and an address from the machine; a commit should carry those that the person chose. */
export const onlyConfigured = ["-c", "user.useConfigOnly=true"];

export async function whyNotWho(root: string): Promise<string | undefined> {
  const configured = ["author", "committer"].map(async (who) => {
    const variable = `GIT_${who.toUpperCase()}_IDENT`;
    return (await tryGit(root, [...onlyConfigured, "var", variable], { as: "person" })).code === 0;
  });
  if ((await Promise.all(configured)).every(Boolean)) return undefined;
  return 'git does not know who you are, so nothing was committed. Tell it: git config --global user.name "Your Name" && git config --global user.email you@example.com, then try again.';
}

const longestQuote = 4000;

/** `git commit` itself said no: most often a hook. `state` says how HEAD, index and files are now. */
export function commitRefusal(answer: GitAnswer, state: string): string {
  const said = `${toWords(answer.out)}${answer.said}`.trim();
  const quote = said === "" ? "It printed nothing." : `It printed:\n${said.slice(-longestQuote)}`;
  const advice = lockAdvice(answer.said) ?? signingAdvice(answer.said) ?? hookAdvice;
  return `git commit ended with exit code ${answer.code}. ${state} ${quote}\n${advice}`;
}

const hookAdvice = "Usually a hook refused it: fix what it complains about, or the hook, then try again.";

/** git itself says so, whatever the program that signs printed before. */
function signingAdvice(said: string): string | undefined {
  if (!/^(?:error: |fatal: )?(?:gpg failed to sign|failed to write commit object|.*signing failed)/im.test(said))
    return undefined;
  return "The commit could not be signed: unlock your key, or turn signing off here (git config commit.gpgsign false), then try again.";
}
