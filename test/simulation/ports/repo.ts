// The model of a repository as a port, at which git may fail, hooks act and checks write.

import type { CommitOutcome } from "../../../src/core/flow/repository.ts";
import type { CheckRun } from "../../../src/ports/checks.ts";
import type { CommitOrder, Repo } from "../../../src/ports/repo.ts";
import { documents, goesWrong, type Machine, mustBeOnDisk, runId, watchingOver } from "../machine/machine.ts";
import { ofCheck } from "../oracles/place.ts";
import { type InstantRepo, instantRepo } from "../repo/open.ts";
import { checkoutOf, type Hook } from "../repo/repository.ts";
import { effect, git } from "./trouble.ts";

export function simulatedRepo(machine: Machine): Repo {
  const { clone } = machine;
  clone.hook = hookOf(machine);
  const repo = instantRepo(checkoutOf(clone, runId, documents));
  const around =
    <Given extends readonly unknown[], T>(verb: string, act: (...given: Given) => T) =>
    (...given: Given): Promise<T> =>
      git(machine, verb, () => watchingOver(machine, "the run", () => act(...given)));
  return {
    head: around("head", repo.head),
    tree: around("tree", repo.tree),
    snapshot: around("snapshot", (name) => {
      machine.keptAt = machine.trace.length;
      const kept = repo.snapshot(name);
      machine.lookedAt = kept.tree;
      return kept;
    }),
    look: around("look", repo.look),
    afterWriter: around("afterWriter", (writer, name) => {
      machine.isWriting = false;
      return repo.afterWriter(writer, name);
    }),
    afterReader: around("afterReader", repo.afterReader),
    gitFiles: around("gitFiles", repo.gitFiles),
    restoreGitFiles: around("restoreGitFiles", repo.restoreGitFiles),
    undoAround: around("undoAround", repo.undoAround),
    changedAround: around("changedAround", repo.changedAround),
    undoWork: around("undoWork", repo.undoWork),
    takenBack: around("takenBack", repo.takenBack),
    forgetStates: around("forgetStates", repo.forgetStates),
    anchorWithout: around("anchorWithout", repo.anchorWithout),
    changes: around("changes", repo.changes),
    difference: around("difference", repo.difference),
    commit: around("commit", (order) => commitOnly(machine, repo, order)),
    findCommit: around("findCommit", repo.findCommit),
    restore: around("restore", repo.restore),
    restoreFiles: around("restoreFiles", repo.restoreFiles),
    personAtWork: around("personAtWork", repo.personAtWork),
  };
}

/** E1, T1: a commit has begun on disk before it is made, and a task's is of a tree that the check passed for. */
function commitOnly(machine: Machine, repo: InstantRepo, order: CommitOrder): CommitOutcome {
  mustBeOnDisk(machine, Number(order.request.split("/")[1]), "a commit is made before its beginning");
  const tree = repo.tree();
  const outcome = repo.commit(order);
  if (outcome.status !== "committed" || order.task === undefined) return outcome;
  const [subject] = order.message.split("\n");
  const why = machine.isSteered ? ", with a configuration that an agent wrote" : "";
  const told = (what: string): void => void machine.seen.push(`the commit "${subject}" is of a tree ${what}${why}`);
  if (!machine.checked.has(tree)) told("that no check passed for");
  if (!isTested(machine) || machine.tested.has(tree)) return outcome;
  if ("validationCadence" in machine.config) machine.untested.add(outcome.sha);
  else told("whose tests were not run, or broken by it");
  return outcome;
}

/** Unless the person goes without the tests. */
function isTested({ config, entries }: Machine): boolean {
  const isWaived = entries.some(
    (entry) =>
      entry.type === "begin" &&
      entry.request.do === "record" &&
      entry.request.fact.type === "waiver" &&
      entry.request.fact.step === "execute.baseline",
  );
  return "testCommand" in config && !isWaived;
}

/** A formatter, a generator that breaks what it touches, and a rule that says no. */
function hookOf(machine: Machine): Hook {
  const { hands, clone } = machine;
  const rewrite = (path: string, text: string): void => {
    hands.write(path, text);
    hands.stage(path);
  };
  return () => {
    if (goesWrong(machine, "hook refuses")) return "the message has no issue";
    if (goesWrong(machine, "hook breaks the tree")) rewrite("broken.txt", "by a hook\n");
    if (!goesWrong(machine, "hook changes files")) return undefined;
    for (const [path, { text }] of clone.repository.index.entries) {
      if (path.startsWith("letters/") && !text.includes("formatted")) rewrite(path, `${text}formatted\n`);
    }
    return undefined;
  };
}

/** Passes unless the tree is broken. Some checks leave files in the tree, or commit what is staged. */
const checkOf = (isBroken: boolean): CheckRun => {
  const output = isBroken ? "broken" : "";
  return { exitCode: isBroken ? 1 : 0, signal: null, timedOut: false, output, durationMs: 1 };
};

/** In a place nothing else goes wrong with it. */
export function runCheckIn(machine: Machine, hands: Pick<Machine["hands"], "read">): Promise<CheckRun> {
  return effect(machine, "the check in a place", () => checkOf(hands.read("broken.txt") !== undefined));
}

export function runCheck(machine: Machine) {
  // What somebody writes while a check runs is put back like its own doing: its receipt is for the tree it was given.
  const given = machine.lookedAt;
  return effect(machine, "the check", () => {
    const isBroken = machine.hands.read("broken.txt") !== undefined;
    if (!isBroken) machine.checked.add(given);
    if (goesWrong(machine, "check changes files")) leaveFile(machine);
    if (goesWrong(machine, "check commits")) machine.hands.commit(ofCheck, []);
    return checkOf(isBroken);
  });
}

function leaveFile(machine: Machine): void {
  const text = `as the check saw it at ${machine.scheduler.now()}\n`;
  machine.ofChecks.add(text);
  machine.hands.write("snapshot.txt", text);
  machine.trace.push("  the check writes snapshot.txt");
}
