// What a writer did beside its work, in words for the person. All of it was put back, but for a push.

import type { PutBack } from "../../core/flow/repository.ts";
import { count, listed } from "../../core/text/format.ts";

/** A warning each; none when it kept to its work. */
export function putBackTexts(role: string, back: PutBack): readonly string[] {
  const kept = back.refsKept.length === 0 ? "" : ` What it left is kept at ${listed(back.refsKept)}.`;
  const { files, settings, operation, pushed, refs, staged = [] } = back;
  const texts = [
    files.length > 0 && `changed files of yours: ${listed(files)}. They are as they were.${kept}`,
    staged.length > 0 && `changed what is staged: ${listed(staged)}. It is staged as before.${kept}`,
    (back.moved || back.branch !== undefined) && `${headText(back)} The work is in the tree, uncommitted.${kept}`,
    refs.length > 0 && `changed branches, tags or stashes: ${listed(refs)}. They are as they were.${kept}`,
    settings.length > 0 && `changed git's own files: ${listed(settings)}. They are as they were.`,
    operation !== undefined && `left a ${operation} unfinished. It was ended; the files are as the agent left them.`,
    pushed.length > 0 && `pushed to ${listed(pushed)}. That cannot be taken back from here: look at it there.`,
  ];
  return texts.filter((text) => text !== false).map((text) => `The ${role} ${text}`);
}

function headText({ commits, branch }: PutBack): string {
  const subjects = listed(commits.map((subject) => `"${subject}"`));
  const made = commits.length === 0 ? "moved the branch" : `made ${count(commits.length, "commit")} (${subjects})`;
  if (branch === undefined) return `${made}. The branch is where it was.`;
  return `switched to ${branch}${commits.length === 0 ? "" : ` and ${made}`}. HEAD is back on its branch.`;
}
