// The texts about trust in a repository: what its settings and profiles would change.

import type { Question } from "../../core/flow/question.ts";
import { type FoundCommand, foundText } from "../../core/validation/found-command.ts";
import type { OwnChange, SettingChange } from "../../ports/settings.ts";
import { type Brought, type Grant, namesOf, type ProjectProfile } from "../../ports/trust.ts";

export const trustQuestionId = "preflight.trust";

interface Asked {
  /** The person has trusted other content of this repository, in this run or before. */
  readonly isChanged: boolean;
  /** What they trusted: the run works with it. */
  readonly held: Grant;
  /** Where trust is remembered. */
  readonly where: string;
}

/** The safe answer comes first, and none is recommended. */
export function trustQuestion(brought: Brought, changes: readonly SettingChange[], asked: Asked): Question {
  const { held } = asked;
  const hasTrusted = namesOf(held).length > 0;
  const commands = brought.commands.filter((command) => !isHeld(command, held));
  const lines = [
    ...changes.filter((change) => !commands.some((command) => saysAll(command, change))).map(changeLine),
    ...brought.profiles.flatMap(profileLines),
    ...commands.map((command) => commandLine(command, held)),
  ];
  return {
    id: trustQuestionId,
    kind: "select",
    title: "Trust this repository?",
    message: [
      asked.isChanged
        ? "What this repository contains for superteam has changed since you trusted it. If you trust it as it is now:"
        : firstWords(brought),
      ...(lines.length > 0 ? lines : ["It removes what you trusted."]).map((line) => `  ${line}`),
      `Trust covers exactly this content and is remembered in ${asked.where}.`,
    ].join("\n"),
    options: [
      hasTrusted
        ? { key: "without", label: "Continue with what you trusted", hint: "the changes are ignored" }
        : { key: "without", label: "Continue without them", hint: "your own configuration applies" },
      { key: "trust", label: "Trust them" },
      { key: "stop", label: "Stop" },
    ],
    unattended: "without",
  };
}

function firstWords({ config, profiles }: Brought): string {
  const isOnlyFound = config === null && profiles.length === 0;
  return isOnlyFound
    ? "superteam found commands that check this repository. If you trust them:"
    : "This repository contains settings for superteam. If you trust them:";
}

/** Trusted as it is. */
const isHeld = ({ key, command, definition }: FoundCommand, held: Grant): boolean =>
  held.commands.some((one) => one.key === key && one.command === command && one.definition === definition);

/** A command that a setting names is said with what its files make of it: once is enough. */
const saysAll = ({ key, command }: FoundCommand, { path, from, to }: SettingChange): boolean =>
  key === path && command === to && (from === undefined || from === "");

function commandLine(found: FoundCommand, held: Grant): string {
  const before = held.commands.find(({ key }) => key === found.key);
  const now = before === undefined ? "" : ` (now: ${shown(foundText(before))})`;
  return `It runs this command after each change: ${shown(foundText(found))}${now}`;
}

export function ignoredText(brought: Brought, held: Grant): string {
  const had = namesOf(held);
  if (had.length === 0) return `${untrustedText(brought)} To use it: superteam resume --trust`;
  const names = namesOf(brought);
  const gone = had.filter((name) => !names.includes(name));
  const what = names.length === 0 ? `${gone.join(", ")} removed` : `${names.join(", ")} changed`;
  return `Ignored: ${what} since you trusted this repository. The run continues with what you trusted. To use the new content: superteam resume --trust`;
}

export function untrustedText(brought: Brought): string {
  return `Ignored, because you have not trusted it: ${namesOf(brought).join(", ")}. Your own configuration and flags apply.`;
}

/** The person's own file changed in the middle of a run. */
export function ownChangeText({ file, changes, problem }: OwnChange): string {
  const before = "The run continues with what was in it when you started or resumed it.";
  if (problem !== undefined)
    return `${file} was changed while the run was at work, and cannot be used now: ${problem}\n${before} Correct the file before you resume the run or start another.`;
  const what = changes.map((change) => `  ${changeLine(change)}`).join("\n");
  return `${file} was changed while the run was at work:\n${what}\n${before} If you did not change it, undo that before you resume the run or start another: the next start uses it.`;
}

function changeLine({ path, from, to }: SettingChange): string {
  const words = wordsFor(path, to);
  const before = from === undefined || from === "" ? "" : ` (now: ${shown(from)})`;
  return `${words}${before}`;
}

/** What a setting does. */
function wordsFor(path: string, to: unknown): string {
  const tools = /^agents\.(.+)\.tools$/.exec(path)?.[1];
  if (tools !== undefined) return `It lets the ${tools} use: ${shown(to)}`;
  const own = words[path]?.(to);
  return own ?? (to === undefined ? `It unsets ${path}` : `It sets ${path} to ${shown(to)}`);
}

const words: Readonly<Record<string, (to: unknown) => string | undefined>> = {
  validationCommand: (to) => commandWords(to, "It turns off the check after each change"),
  testCommand: (to) => commandWords(to, "It turns off the tests after each change"),
  notify: (to) => (to === "" ? undefined : `It runs this command when a question waits or a run ends: ${shown(to)}`),
  environment: (to) => `It passes these variables to agents and checks: ${shown(to)}`,
  mode: (to) =>
    to === undefined ? undefined : `It sets how much process a run has to ${shown(to)}, without asking you`,
  model: (to) => (to === undefined ? undefined : `It uses this model, which you pay for: ${shown(to)}`),
  tdd: (to) => (to === "off" ? "It turns off test-first work" : undefined),
  "review.mode": (to) =>
    to === "single-pass" ? "It turns off second reviews: findings that are not critical pass" : undefined,
  "review.planMode": (to) =>
    to === "single-pass" ? "It turns off second reviews of the plan: findings that are not critical pass" : undefined,
  "review.blockOnSeverity": (to) => (to === undefined ? undefined : `It lets findings below ${shown(to)} pass`),
  "costs.hardLimitUsd": (to) => `It sets the spending limit to $${shown(to)}`,
  "costs.warnAtUsd": (to) => `It asks you about the spending at $${shown(to)}`,
  budgetCheckpointUsd: (to) => (to === undefined ? undefined : `It asks you about the spending at $${shown(to)}`),
};

function commandWords(to: unknown, off: string): string | undefined {
  if (to === undefined) return undefined;
  return to === "" ? off : `It runs this command after each change: ${shown(to)}`;
}

function profileLines({ role, path, changes }: ProjectProfile): readonly string[] {
  const { system, tools, model, thinking } = changes;
  const fields = [
    ...(tools === undefined ? [] : [`tools: ${shown(tools)}`]),
    ...(model === undefined ? [] : [`model: ${shown(model)}`]),
    ...(thinking === undefined ? [] : [`thinking: ${thinking}`]),
    ...(system === undefined ? [] : [`its own system prompt, ${system.length} characters`]),
  ];
  return [`It changes the ${role} (${path}):`, `  ${fields.join("; ")}`];
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
