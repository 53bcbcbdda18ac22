// What a run that ended before its end has left in the tree: work that no commit holds, and how it is taken back.

import type { Request } from "../../core/flow/flow.ts";
import type { Anchor, ChangedFile } from "../../core/flow/repository.ts";
import { count, shellWord, shortSha } from "../../core/text/format.ts";
import { commitOutcome, dispatchOutcome } from "../../engine/views/fold/outcomes.ts";
import { pipelineNamed } from "../../pipelines/pipelines.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { Entry } from "../../ports/journal.ts";
import type { Workplace } from "../workplace.ts";

/** Nothing when all that agents did is committed or taken back. */
export async function unfinishedLines(
  place: Pick<Workplace, "openRepo">,
  entries: readonly Entry[],
): Promise<readonly string[]> {
  const start = uncommittedSince(entries);
  const [first] = entries;
  if (start === undefined || first?.type !== "run") return [];
  try {
    const { runId, pipeline, input } = first.header;
    const documents = pipelineNamed(pipeline.name)?.documents(input) ?? [];
    const repo = await place.openRepo(runId, documents);
    const [{ files }, head] = await Promise.all([repo.changes(start), repo.head()]);
    return files.length === 0 ? [] : tellOf(files, start, head.sha);
  } catch (error) {
    return [`What is in the tree could not be compared with what was there before: ${reasonOf(error)}`];
  }
}

/** The state that the work in the tree started from: undefined when all of it is in commits, or was taken back. */
function uncommittedSince(entries: readonly Entry[]): Anchor | undefined {
  const requests = new Map<string, Request>();
  let base: Base | undefined;
  for (const entry of entries) {
    if (entry.type === "begin") {
      const { request, anchor, key } = entry;
      if (request.do === "dispatch" && request.access === "write" && anchor) base ??= { writer: key, start: anchor };
      requests.set(key, request);
    }
    if (entry.type !== "settle" || base === undefined) continue;
    const request = requests.get(entry.key);
    const start = request && startAfter(request, entry, base);
    base = start && { ...base, start };
  }
  return base?.start;
}

interface Base {
  /** The first agent that may write since the tree was clean. */
  readonly writer: string;
  readonly start: Anchor;
}

/** A fix that failed goes back to a state with work in it; that is no clean one. */
function startAfter(
  request: Request,
  { key, outcome }: Entry & { readonly type: "settle" },
  { writer, start }: Base,
): Anchor | undefined {
  switch (request.do) {
    case "restore":
      return request.to.tree === start.tree ? undefined : start;
    case "commit":
      return request.documents === undefined && leavesNothing(outcome) ? undefined : start;
    case "anchor-without":
      // The same work, on top of what the person has done meanwhile. The engine settles it with an anchor.
      return outcome as Anchor;
    case "dispatch":
      return key === writer ? (givenTo(outcome) ?? start) : start;
    default:
      return start;
  }
}

/** A commit that was refused, or found another tree, leaves the work where it is. */
function leavesNothing(outcome: unknown): boolean {
  const status = commitOutcome(outcome)?.status;
  return status === "committed" || status === "nothing";
}

/** What the person did before an agent started is theirs, however long it had to wait. */
function givenTo(outcome: unknown): Anchor | undefined {
  const dispatched = dispatchOutcome(outcome);
  return dispatched?.isMixed === true ? undefined : dispatched?.start;
}

const filesShown = 20;

function tellOf(files: readonly ChangedFile[], start: Anchor, head: string): readonly string[] {
  const shown = files.slice(0, filesShown).map(({ path, change }) => `  ${change} ${path}`);
  const more = files.length > filesShown ? [`  and ${files.length - filesShown} more`] : [];
  return [
    `${count(files.length, "file")} of unfinished work ${files.length === 1 ? "is" : "are"} left in the tree, uncommitted:`,
    ...shown,
    ...more,
    `To keep the work, commit it. To take it back to ${start.ref}, the tree before it:`,
    ...undoCommands(files, start).map((command) => `  ${command}`),
    ...(head === start.sha
      ? []
      : [`HEAD has moved since then: git log ${shortSha(start.sha)}.. shows what is on top.`]),
  ];
}

/** By exact path, so that nothing else is touched; unstaged first, so that git knows of no file that goes. */
function undoCommands(files: readonly ChangedFile[], { ref }: Anchor): readonly string[] {
  const named = (some: readonly ChangedFile[]) => some.map(({ path }) => shellWord(path)).join(" ");
  const added = files.filter(({ change }) => change === "added");
  const others = files.filter(({ change }) => change !== "added");
  return [
    "git reset --quiet",
    ...(others.length === 0 ? [] : [`git restore --source=${ref} -- ${named(others)}`]),
    ...(added.length === 0 ? [] : [`rm -- ${named(added)}`]),
  ];
}
