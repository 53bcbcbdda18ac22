// A merge, rebase or similar that is in progress in a tree. git keeps it in files of its folder, so it is saved, ended and
// restored as those files (E3b).

import { existsSync, lstatSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { GitFolders } from "../../../files/git-folders.ts";
import { codeOf } from "../../../files/present.ts";
import { putFilesBack, readFiles, type SavedFiles } from "./git-files.ts";

interface Operation {
  /** The file or folder that is there as long as it is in progress. */
  readonly file: string;
  readonly name: string;
  readonly command: string;
  readonly advice: string;
}

const finishOrEnd = (command: string): string =>
  `Finish it (git ${command} --continue) or end it (git ${command} --abort)`;
const operation = (file: string, name: string, command: string): Operation => ({
  file,
  name,
  command,
  advice: finishOrEnd(command),
});

const operations: readonly Operation[] = [
  operation("MERGE_HEAD", "A merge", "merge"),
  operation("rebase-merge", "A rebase", "rebase"),
  operation("rebase-apply/applying", "A series of patches", "am"),
  operation("rebase-apply", "A rebase", "rebase"),
  operation("CHERRY_PICK_HEAD", "A cherry-pick", "cherry-pick"),
  operation("REVERT_HEAD", "A revert", "revert"),
  { file: "BISECT_LOG", name: "A bisect", command: "bisect", advice: "End it (git bisect reset)" },
];

export function operationIn(place: Pick<GitFolders, "gitDir">): Operation | undefined {
  const there = new Set(namesIn(place.gitDir));
  return operations.find(({ file }) => there.has(topOf(file)) && existsSync(join(place.gitDir, file)));
}

/** A merge, rebase or similar is in progress, so `consequence`. */
export function whyNotNow(
  place: Pick<Required<GitFolders>, "gitDir" | "root">,
  consequence = "nothing was committed",
): string | undefined {
  const found = operationIn(place);
  if (found === undefined) return undefined;
  return `${found.name} is in progress in ${place.root}, so ${consequence}. ${found.advice}, then try again.`;
}

const files = [
  // In the last of these git keeps changes of the person, to bring them back at the end of the merge.
  ...["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "AUTO_MERGE", "MERGE_AUTOSTASH"],
  ...["CHERRY_PICK_HEAD", "REVERT_HEAD"],
  ...["BISECT_LOG", "BISECT_START", "BISECT_TERMS", "BISECT_NAMES", "BISECT_EXPECTED_REV", "BISECT_ANCESTORS_OK"],
  ...["BISECT_FIRST_PARENT"],
];
const folders = ["rebase-merge", "rebase-apply", "sequencer", "refs/bisect"];

export function readOperation({ gitDir }: Pick<GitFolders, "gitDir">): SavedFiles {
  const there = new Set(namesIn(gitDir));
  const inside = folders.filter((folder) => there.has(topOf(folder))).flatMap((folder) => filesIn(gitDir, folder));
  return readFiles(gitDir, [...files.filter((file) => there.has(file)), ...inside]);
}

/** One look instead of one for each. */
function namesIn(gitDir: string): readonly string[] {
  try {
    return readdirSync(gitDir);
  } catch (cause) {
    if (codeOf(cause) === "") throw cause;
    return [];
  }
}

const topOf = (path: string): string => path.split("/")[0] ?? "";

/** Makes the operation what it was, which may be none. Files, HEAD and index stay. Gives git's files that differed. */
export async function putOperationBack(
  place: Pick<GitFolders, "gitDir">,
  before: SavedFiles,
): Promise<readonly string[]> {
  const changed = await putFilesBack(place.gitDir, before, readOperation(place));
  const isUsed = (folder: string): boolean => Object.keys(before).some((path) => path.startsWith(`${folder}/`));
  // git takes some of these folders for a sign by themselves.
  for (const folder of folders.filter((each) => !isUsed(each)).map((each) => join(place.gitDir, each)))
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) await rm(folder, { recursive: true, force: true });
  return changed;
}

/** None behind a link: that is no folder of git's, and could lead anywhere. */
function filesIn(gitDir: string, folder: string): readonly string[] {
  if (!lstatSync(join(gitDir, folder), { throwIfNoEntry: false })?.isDirectory()) return [];
  const entries = readdirSync(join(gitDir, folder), { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return paths.map((path) => path.slice(gitDir.length + 1)).sort();
}
