// What a repository contains that acts on the person's machine or steers agents: profiles, and settings that run
// commands, hand out variables or give tools. It is read once, at the start; the person is asked whether to trust it, and
// exactly what was shown takes effect, whatever happens to the files meanwhile.

import { readAside } from "../../core/flow/keys.ts";
import type { Question } from "../../core/flow/question.ts";
import { type Asides, openAsides } from "../../engine/asking/asides.ts";
import type { Ahead } from "../../engine/asking/question-queue.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { Journal } from "../../ports/journal.ts";
import type { Claim } from "../../ports/settings.ts";
import type { Brought, Grant, KnownTrust, ProjectProfile, TrustMemory } from "../../ports/trust.ts";

const questionId = "preflight.trust";
const nothing: Grant = { claims: [], profiles: [] };

/** `--trust` answers for this run, without anybody being asked. */
type Given = "trust" | undefined;

/** What takes effect in this session. Asks unless the person's trust, this run's journal or the flag decides. */
export async function settleTrust(brought: Brought, desk: Asides, memory: TrustMemory, given: Given): Promise<Grant> {
  for (const [index, line] of brought.ignored.entries()) await desk.warn(line, `${brought.hash}-ignored-${index}`);
  const known = await whatIsKnown(brought, memory);
  if (known.trouble !== undefined) await desk.warn(known.trouble, known.trouble);
  if (known.trusted) {
    await desk.withdraw(questionId, "");
    return brought;
  }
  const question = trustQuestion(brought, known.before, memory.where);
  const { answer, fresh } = await asked(brought, desk, question, given);
  if (answer !== "trust") {
    await desk.warn(withoutText(brought), `${brought.hash}-without`);
    return nothing;
  }
  if (fresh && given === undefined) await remember(brought, desk, memory);
  return brought;
}

/** An answer is only good for the files that were there when the question was asked. */
export function stillMeant(ahead: Ahead | undefined, journal: Journal, { hash }: Brought): Ahead | undefined {
  if (ahead?.question !== questionId) return ahead;
  return openAsides(journal, questionId).some((key) => readAside(key)?.mark.startsWith(`${hash}-`)) ? ahead : undefined;
}

/** What takes effect when nobody can be asked: what was trusted before, or nothing. */
export async function trustedBefore(
  brought: Brought,
  memory: TrustMemory,
): Promise<{ readonly grant: Grant; readonly told: readonly string[] }> {
  const known = await whatIsKnown(brought, memory);
  const told = [...brought.ignored, ...(known.trouble === undefined ? [] : [known.trouble])];
  if (known.trusted) return { grant: brought, told };
  const what = [...brought.claims.map(({ path }) => claimName(path)), ...brought.profiles.map(({ path }) => path)];
  const untrusted = `What the repository brings along is not trusted and does not count: ${what.join("; ")}. The next run asks the person about it.`;
  return { grant: nothing, told: [...told, untrusted] };
}

async function whatIsKnown(brought: Brought, memory: TrustMemory): Promise<KnownTrust> {
  const nothingToTrust = brought.claims.length === 0 && brought.profiles.length === 0;
  if (nothingToTrust) return { trusted: true, before: false, trouble: undefined };
  return memory.look(brought.hash);
}

/** After a stop the question is asked again; after "continue without" it is not, unless the flag says otherwise now. */
async function asked({ hash }: Brought, desk: Asides, question: Question, given: Given) {
  for (let time = 1; ; time++) {
    const mark = `${hash}-${time}`;
    await desk.withdraw(questionId, mark);
    const said = await desk.ask(question, mark, given);
    if (said.answer === "trust" || (said.answer === "without" && given === undefined)) return said;
    if (said.fresh) desk.stop();
  }
}

async function remember(brought: Brought, desk: Asides, memory: TrustMemory): Promise<void> {
  const what = [...brought.profiles.map(({ path }) => path), ...brought.claims.map(({ path }) => claimName(path))];
  try {
    await memory.remember(brought.hash, what);
  } catch (cause) {
    await desk.warn(
      `What you trust could not be remembered, so the next run asks again: ${reasonOf(cause)}`,
      `${brought.hash}-unremembered`,
    );
  }
}

function trustQuestion(brought: Brought, before: boolean, file: string): Question {
  return {
    id: questionId,
    kind: "select",
    title: "Trust this repository?",
    message: [
      before
        ? "What this repository brings along has changed since you trusted it. It now has:"
        : "This repository brings along what would act on your machine or steer the agents:",
      ...brought.claims.flatMap(claimLines),
      ...brought.profiles.flatMap(profileLines),
      `Your trust is remembered for exactly this content, in ${file}.`,
    ].join("\n"),
    options: [
      { key: "trust", label: "Trust and go on" },
      { key: "without", label: "Go on without them", hint: "profiles are ignored, validation is off" },
      { key: "stop", label: "Stop" },
    ],
  };
}

const purposes: Readonly<Record<string, string>> = {
  validationCommand: "a command that is run to check each task",
  environment: "variables that agents and checks are given",
  agents: "tools that a role is given",
  costs: "how much a run may spend",
  budgetCheckpointUsd: "when you are asked about the money",
};

function claimLines({ path, value }: Claim): readonly string[] {
  return [`  ${claimName(path)} (${purposes[path[0] ?? ""] ?? "a setting"}):`, `    ${shown(value)}`];
}

function profileLines({ role, path, changes }: ProjectProfile): readonly string[] {
  const { system, tools, model, thinking } = changes;
  const fields = [
    ...(tools === undefined ? [] : [`tools: ${shown(tools)}`]),
    ...(model === undefined ? [] : [`model: ${model}`]),
    ...(thinking === undefined ? [] : [`thinking: ${thinking}`]),
    ...(system === undefined ? [] : [`its own system prompt, ${system.length} characters`]),
  ];
  return [`  ${path} (the ${role}):`, `    ${fields.join("; ")}`];
}

function withoutText({ claims, profiles }: Brought): string {
  const left = [
    ...claims.map(({ path, value }) => `${claimName(path)} (${shown(value)}) does not count`),
    ...profiles.map(({ path }) => `${path} is ignored`),
  ];
  const off = claims.some(({ path }) => path[0] === "validationCommand")
    ? " Validation is off unless yours is set."
    : "";
  return `Going on without what the repository brings along: ${left.join("; ")}.${off} superteam resume --trust takes it up.`;
}

/** How people, and what is trusted, name a setting of the repository. */
export function claimName(path: readonly string[]): string {
  return `.superteam.json: ${path.join(".")}`;
}

/** All of it, on one line, with nothing in it that a terminal would not show: what is hidden could not be trusted. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(", ");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
