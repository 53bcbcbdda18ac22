// What a run that was aborted or failed has left in the tree: work that is in no commit, and how to undo it.

import type { Request } from "../../core/flow/flow.ts";
import type { Anchor, ChangedFile } from "../../core/flow/repository.ts";
import { count, nameText, shellWord, shortSha } from "../../core/text/format.ts";
import { commitOutcome, dispatchOutcome } from "../../engine/views/fold/outcomes.ts";
import { pipelineNamed } from "../../pipelines/pipelines.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { Entry } from "../../ports/journal.ts";
import type { Repo } from "../../ports/repo.ts";
import type { Workplace } from "../workplace.ts";

type Left = Pick<Workplace, "openRepo"> & { readonly tree: Pick<Workplace["tree"], "uncommitted"> };

/** Nothing when all that agents did is committed or taken back, and no document of the run is left. */
export async function unfinishedLines(place: Left, entries: readonly Entry[]): Promise<readonly string[]> {
  const [first] = entries;
  if (first?.type !== "run") return [];
  try {
    const { runId, pipeline, input } = first.header;
    const documents = pipelineNamed(pipeline.name)?.documents(input) ?? [];
    const work = uncommittedWork(entries);
    const lines = work === undefined ? [] : await workLines(await place.openRepo(runId, documents), work);
    return [...lines, ...(await documentLines(place, documents))];
  } catch (error) {
    return [`What is in the tree could not be compared with what was there before: ${reasonOf(error)}`];
  }
}

async function workLines(repo: Repo, { start, files: known }: Unfinished): Promise<readonly string[]> {
  const [seen, head] = await Promise.all([repo.changes(start), repo.head()]);
  const files = known === null ? seen.files : seen.files.filter(({ path }) => known.has(path));
  return files.length === 0 ? [] : tellOf(files, start, head.sha);
}

/** A run that ends early commits no progress file, and a design or plan only once it was approved. */
async function documentLines({ tree }: Left, documents: readonly string[]): Promise<readonly string[]> {
  if (documents.length === 0) return [];
  const { untracked } = await tree.uncommitted([]);
  const left = untracked.filter((path) => documents.includes(path));
  if (left.length === 0) return [];
  return [
    "Documents of the run are left in the tree, uncommitted:",
    ...left.map((path) => `  ${path}`),
    `To remove them: rm -- ${left.map(shellWord).join(" ")}`,
  ];
}

/** Work of agents that is in no commit. */
interface Unfinished {
  /** The state that it started from. */
  readonly start: Anchor;
  /** The files it is in; null when an agent was interrupted, and nobody knows. */
  readonly files: ReadonlySet<string> | null;
}

/** undefined when all of it is in commits, or was taken back. */
function uncommittedWork(entries: readonly Entry[]): Unfinished | undefined {
  const requests = new Map<string, Request>();
  const writing = new Set<string>();
  let base: (Unfinished & { readonly writer: string }) | undefined;
  for (const entry of entries) {
    if (entry.type === "begin") {
      const { request, anchor, key } = entry;
      requests.set(key, request);
      if (request.do !== "dispatch" || request.access !== "write" || !anchor) continue;
      base ??= { writer: key, start: anchor, files: new Set() };
      writing.add(key);
    }
    if (entry.type !== "settle") continue;
    writing.delete(entry.key);
    const request = requests.get(entry.key);
    if (base === undefined || request === undefined) continue;
    const { writer } = base;
    const work = after(request, entry.outcome, base, entry.key === writer);
    base = work && { ...work, writer };
  }
  return base && writing.size > 0 ? { ...base, files: null } : base;
}

/** A fix that failed goes back to a state with work in it; that is no clean one. */
function after(request: Request, outcome: unknown, work: Unfinished, isFirst: boolean): Unfinished | undefined {
  const { start, files } = work;
  switch (request.do) {
    case "restore":
      return request.to.tree === start.tree ? undefined : work;
    case "undo-work":
      return request.work.start.tree === start.tree ? undefined : work;
    case "commit":
      return request.documents === undefined && leavesNothing(outcome) ? undefined : work;
    case "anchor-without":
      // The same work, on top of what the person has done meanwhile. The engine settles it with an anchor.
      return { ...work, start: outcome as Anchor };
    case "dispatch": {
      const changed = dispatchOutcome(outcome)?.traces?.changed ?? [];
      const given = isFirst ? givenTo(outcome) : undefined;
      const all = files?.union(new Set(changed)) ?? null;
      return all?.size === 0 ? undefined : { start: given ?? start, files: all };
    }
    default:
      return work;
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
  const shown = files.slice(0, filesShown).map(({ path, change }) => `  ${change} ${nameText(path)}`);
  const more = files.length > filesShown ? [`  and ${files.length - filesShown} more`] : [];
  return [
    `${count(files.length, "file")} of unfinished work ${files.length === 1 ? "is" : "are"} left in the tree, uncommitted:`,
    ...shown,
    ...more,
    `To keep the work, commit it. To undo it, back to ${start.ref}:`,
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
