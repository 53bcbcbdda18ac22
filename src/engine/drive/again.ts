// A scope that cannot continue is offered again: where code and journal disagree (E5), and where a flow cannot handle what it was
// given (E11). The person sees what was wrong and what would be paid for again.

import { tokensOf, type Usage } from "../../core/flow/dispatch.ts";
import { aboutScope, asideQuestion, atEpoch, isInside, readAside, withoutEpoch } from "../../core/flow/keys.ts";
import { restoreTexts } from "../../core/flow/put-back.ts";
import type { Question } from "../../core/flow/question.ts";
import type { Entry } from "../../ports/journal.ts";
import { openKeys } from "../asking/asides.ts";
import { beside } from "../asking/question-queue.ts";
import { spentInside } from "../views/fold/ledger.ts";
import { spentText } from "../views/show/money.ts";
import { noteUndone } from "./ended/interrupted.ts";
import { putTextsBack } from "./given-documents.ts";
import type { Parts } from "./perform.ts";
import { append, settle } from "./recorder.ts";
import { type Diverged, nextEpoch, Unhandled } from "./replay.ts";
import type { World } from "./world.ts";

/** The scope starts over at its next epoch and from its anchor, if the person says so. */
export async function offerAgain({ world, questions, halt, tally }: Offering, diverged: Diverged): Promise<void> {
  const base = withoutEpoch(diverged.scope);
  const spent = spentInside(tally.view.spend, diverged.scope);
  const question = {
    ...(diverged instanceof Unhandled ? unhandled : divergence)(diverged, base),
    ...ways(base, spent),
  };
  const isAside = (key: string): boolean => readAside(key)?.about === aboutScope(base);
  const asked = world.journal.entries.filter((entry) => entry.type === "begin" && isAside(entry.key)).length;
  const key = asideQuestion(aboutScope(base), question.id, asked + 1);
  const answer = await questions.ask(key, question, { ...beside, halt });
  if (answer !== "again") halt.drain("question");
  halt.check();
  const epoch = nextEpoch(world.journal.entries, base);
  // Recorded first: once its work is taken back, no version of the program may find the scope done.
  await append(world, { type: "restart", scope: diverged.scope, epoch, by: "person" });
  await toAnchor(world, diverged.scope);
}

/** Takes back what a scope did whose restart was recorded, if superteam was killed before that was done. */
export async function finishRestart(world: World): Promise<void> {
  const { entries } = world.journal;
  const last = entries.findLast((entry) => entry.type === "restart");
  if (last?.type !== "restart" || last.by !== "person") return;
  const { scope, epoch, seq } = last;
  const next = atEpoch(withoutEpoch(scope), epoch);
  const isDone = entries
    .slice(seq)
    .some(
      (entry) =>
        isBegun(entry, next) || (entry.type === "note" && entry.note.type === "undone" && isInside(entry.key, scope)),
    );
  if (!isDone) await toAnchor(world, scope);
}

const isBegun = (entry: Entry, scope: string): boolean =>
  ("scope" in entry && entry.scope === scope) || ("key" in entry && isInside(entry.key, scope));

type Offering = Pick<Parts, "world" | "questions" | "halt" | "tally">;

const isAboutScope = (key: string): boolean => readAside(key)?.about.endsWith(aboutScope("")) === true;

/** What an earlier life asked about a scope may be of no concern to this one; if it is, it is asked again. */
export async function withdrawAsides(world: World): Promise<void> {
  for (const key of openKeys(world.journal)) if (isAboutScope(key)) await settle(world, key, null);
}

/** The tree before the first agent of a scope is the scope's anchor. */
async function toAnchor(world: World, scope: string): Promise<void> {
  const first = world.journal.entries.find(
    (entry) => isOfAgent(entry) && entry.anchor !== undefined && isInside(entry.key, scope),
  );
  if (first?.type !== "begin" || first.anchor === undefined) return;
  const place = await world.places.at(first.place);
  const undone = await place.repo.restore(first.anchor, `${first.seq}-diverged`);
  for (const text of restoreTexts(undone)) world.watch({ type: "told", text });
  const { restored, moved, backupRef } = undone;
  if (restored.length > 0 || moved) await noteUndone(world, first.key, restored, backupRef);
  const isWriter = (entry: Entry) =>
    entry.type === "begin" && entry.documents !== undefined && isInside(entry.key, scope);
  const writer = world.journal.entries.find(isWriter);
  if (writer?.type === "begin") await putTextsBack(world, place, writer, "undone");
}

/** What is there before a check is no place to go back to: what came between it and the first agent is the person's. */
const isOfAgent = (entry: Entry): entry is Entry & { readonly type: "begin" } =>
  entry.type === "begin" && entry.request.do === "dispatch";

type Trouble = Pick<Question, "id" | "title" | "message">;

function divergence({ message }: Diverged, scope: string): Trouble {
  const wrong = `This run was recorded by another version of superteam: ${message}.`;
  const lines = [wrong, `Nothing was done. ${offer(scope)}`, "Or continue with the version that started it."];
  return { id: "run.diverged", title: "Journal and program disagree", message: lines.join("\n") };
}

/** No outcome makes a run unresumable (E11). */
function unhandled({ message }: Diverged, scope: string): Trouble {
  const wrong = `${whole(scope)} cannot continue from what it was given: ${message}`;
  const advice = "If this happens again, please report it with the output of superteam log.";
  return { id: "run.unhandled", title: "A step cannot continue", message: [wrong, offer(scope), advice].join("\n") };
}

const whole = (scope: string): string => (scope === "" ? "The run" : `Step ${scope}`);

function offer(scope: string): string {
  return `${whole(scope)} can be run again from its start; its changes to the tree are undone and kept under refs/superteam.`;
}

function ways(scope: string, spent: Usage) {
  const paid =
    tokensOf(spent) === 0 ? "no agent ran in it" : `its agents are paid for again: ${spentText(spent)} so far`;
  const again = { key: "again", label: `Run ${scope === "" ? "the whole run" : scope} again`, hint: paid };
  return { kind: "select", options: [again, { key: "stop", label: "Leave it as it is" }] } as const;
}
