// What an agent did beside its work, in words for the person. All of it was undone, except a push.

import { count, listed } from "../text/format.ts";
import type { AroundPutBack, PutBack, RestoreOutcome } from "./repository.ts";

/** A warning each; none when it kept to its work. */
export function putBackTexts(role: string, back: PutBack): readonly string[] {
  const { files, filesKept, uncovered = [], copied = [], operation, switched = [] } = back;
  const kept = keptText(back);
  const texts = [
    files.length > 0 && `changed your files: ${listed(files)}. They were restored.${kept}${leftIn(filesKept)}`,
    files.length === 0 && filesKept !== undefined && `left what no commit can hold. It was moved to ${filesKept}.`,
    ...damageTexts(back),
    uncovered.length > 0 &&
      `changed what git ignores, so that git now sees files of yours: ${listed(uncovered)}. They are in no commit. Ignore them again to keep them out.`,
    copied.length > 0 &&
      `moved or copied files of yours that git does not track to ${listed(copied)}. They are in no commit. Delete them, or commit them yourself.`,
    isElsewhere(back) && `${headText(back)} The work is in the tree, uncommitted.${kept}`,
    !isElsewhere(back) && switched.length > 0 && `stashed work.${switchedText(switched)}${kept}`,
    operation !== undefined && `left a ${operation} unfinished. It was ended; the files are as the agent left them.`,
  ];
  return [...ofRole(role, texts), ...aroundTexts(role, back), ...restoreTexts({ meanwhile: back.meanwhile })];
}

/** The same of a reader, and of an agent or a check that was interrupted. Its files are another matter: they make its answer useless. */
export function readerTexts(role: string, back: AroundPutBack): readonly string[] {
  const { operation } = back;
  const ended = operation !== undefined && `left a ${operation} unfinished. It was ended.`;
  const meanwhile = restoreTexts({ meanwhile: back.meanwhile });
  return [...ofRole(role, [ended]), ...leftTexts(role, back), ...aroundTexts(role, back), ...meanwhile];
}

/** What no tree can hold, and what cannot be restored, of an agent whose files were put back. */
function leftTexts(role: string, left: LeftBack): readonly string[] {
  return ofRole(role, leftIfAny(left));
}

/** What a check did beside the files that it changed. */
export function checkTexts(
  command: string,
  { settings, settingsKept, outside, staged = [], backupRef, meanwhile, ...left }: CheckBack,
): readonly string[] {
  const kept = keptText({ refsKept: backupRef === undefined ? [] : [backupRef] });
  const texts = [
    settingsText({ settings, settingsKept }),
    outsideText({ outside }),
    stagedText(staged, kept),
    ...leftIfAny(left),
  ];
  const own = texts.filter((text) => text !== false).map((text) => `\`${command}\` ${text}`);
  return [...own, ...restoreTexts({ meanwhile })];
}

type CheckBack = Partial<AroundPutBack> & { readonly backupRef?: string | undefined };

function leftIfAny({ filesKept, leftAlone = [], ...damage }: LeftBack): readonly (string | false)[] {
  return [
    ...damageTexts(damage),
    filesKept !== undefined && `put something else in the place of files. They were restored.${leftIn(filesKept)}`,
    leftAlone.length > 0 &&
      `made what superteam does not undo (too big, a repository of its own, or a name that git refuses): ${listed(leftAlone)}. It is still there.`,
  ];
}

type LeftBack = Damage & Pick<Partial<AroundPutBack>, "filesKept" | "leftAlone">;

const stagedText = (staged: readonly string[], kept: string): string | false =>
  staged.length > 0 && `changed what was staged: ${listed(staged)}. It is staged as before.${kept}`;

type Damage = Pick<AroundPutBack, "filesLost" | "opened" | "unsaved">;

function damageTexts({ filesLost, opened = [], unsaved }: Damage): readonly (string | false)[] {
  const { changed, gone } = unsaved ?? { changed: [], gone: [] };
  return [
    opened.length > 0 && `made files or folders unreadable: ${listed(opened)}. They are open again, for you alone.`,
    filesLost !== undefined &&
      `changed files of yours that could not be restored: ${listed(filesLost.files)}. Yours are kept: git show ${filesLost.ref}:<file>`,
    changed.length > 0 && `changed ${listed(changed)}. ${noCopy}`,
    gone.length > 0 && `removed, moved or closed ${listed(gone)}. ${noCopy}`,
  ];
}

const noCopy =
  "superteam keeps no copy of such files (over 10 MB, unreadable, or in a repository of their own), so this is not undone.";

/** What an agent changed and superteam could not undo. */
export const notUndone = ({ filesLost, unsaved }: Damage): readonly string[] => [
  ...(filesLost?.files ?? []),
  ...(unsaved?.changed ?? []),
  ...(unsaved?.gone ?? []),
];

function aroundTexts(role: string, back: AroundPutBack): readonly string[] {
  const { settings, settingsKept, pushed, refs, refsLost = [], staged = [], exposed = [] } = back;
  const kept = keptText(back);
  return ofRole(role, [
    stagedText(staged, kept),
    refs.length > 0 && `changed branches, tags or stashes: ${listed(refs)}. They were restored.${kept}`,
    refsLost.length > 0 &&
      `changed branches, tags or stashes that cannot be restored: ${listed(refsLost)}. The commits they named are gone, or something blocks them.`,
    settingsText({ settings, settingsKept }),
    outsideText(back),
    exposed.length > 0 &&
      `let others on this machine read files of yours: ${listed(exposed)}. They are closed to others again.`,
    pushed.length > 0 && `pushed to ${listed(pushed)}. superteam cannot undo that: look at it there.`,
  ]);
}

/** After files were restored: what was moved, and what somebody changed just then. */
export function restoreTexts({ asideIn, meanwhile }: Told): readonly string[] {
  const texts = [
    asideIn !== undefined &&
      `What no commit can hold, or stood in the place of files that were restored, was moved to ${asideIn}.`,
    meanwhile !== undefined &&
      `${listed(meanwhile.files)} changed while superteam restored files, and went back to the earlier state too. The change is kept at ${listed(meanwhile.refs)}.`,
  ];
  return texts.filter((text) => text !== false);
}

type Told = { readonly [K in "asideIn" | "meanwhile"]?: RestoreOutcome[K] | undefined };

/** To follow who did it. */
export function settingsText({ settings = [], settingsKept }: SettingsBack): string | false {
  return (
    settings.length > 0 && `changed git's own files: ${listed(settings)}. They were restored.${leftIn(settingsKept)}`
  );
}

/** The same of what is not superteam's to restore. */
export function outsideText({ outside = [] }: { readonly outside?: readonly string[] | undefined }): string | false {
  const isHooks = outside.some((setting) => /^core\.hookspath /i.test(setting));
  const hooks = isHooks ? " Until then superteam commits with the hooks from before." : "";
  return (
    outside.length > 0 &&
    `changed git's configuration outside this repository: ${listed(outside)}. superteam does not restore that: look at it before you start or resume another run.${hooks}`
  );
}

interface SettingsBack {
  readonly settings?: readonly string[] | undefined;
  readonly settingsKept?: string | undefined;
}

const leftIn = (folder: string | undefined): string => (folder === undefined ? "" : ` What it left is in ${folder}.`);

const keptText = ({ refsKept }: Pick<AroundPutBack, "refsKept">): string =>
  refsKept.length === 0 ? "" : ` What it left is kept at ${listed(refsKept)}.`;

const ofRole = (role: string, texts: readonly (string | false)[]): readonly string[] =>
  texts.filter((text) => text !== false).map((text) => `The ${role} ${text}`);

const isElsewhere = ({ moved, branch }: PutBack): boolean => moved || branch !== undefined;

function headText({ commits, branch, switched = [] }: PutBack): string {
  const subjects = listed(commits.map((subject) => `"${subject}"`));
  const made = commits.length === 0 ? "moved the branch" : `made ${count(commits.length, "commit")} (${subjects})`;
  const files = switchedText(switched);
  if (branch === undefined) return `${made}. The branch was moved back.${files}`;
  return `switched to ${branch}${commits.length === 0 ? "" : ` and ${made}`}. HEAD is back on its branch.${files}`;
}

const switchedText = (files: readonly string[]): string =>
  files.length === 0 ? "" : ` Files that only this changed were restored: ${listed(files)}.`;
