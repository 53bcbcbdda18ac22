// The command line as the host of a run. Asked is the person at the terminal, or answers that were given beforehand.

import { readFile } from "node:fs/promises";
import { backends } from "../../adapters/agents/backends.ts";
import { openBackends } from "../../adapters/agents/open-backends.ts";
import type { AnswersFile } from "../../adapters/person/headless/answers.ts";
import { redactor } from "../../core/text/secrets.ts";
import { systemReason } from "../../ports/failure.ts";
import type { Person } from "../../ports/person.ts";
import { type Audience, activeQuestion, type Gathering, type Host, nothingStarted, onEscape } from "../../runs/host.ts";
import { Problem } from "../../runs/problem.ts";
import { type Asking, askAtTerminal, isHeadless } from "./asking.ts";
import { print, say } from "./say.ts";
import { keepYoungHeap } from "./young-heap.ts";

/** Columns of the widgets where there is room for them. */
const widgetColumns = 76;

/** A terminal, or a pipe. Reads the answers file before anything is started. */
export async function hostOf(asking: Asking, watch: Host["watch"]): Promise<Host> {
  const answers = await readAnswers(asking.answers);
  keepYoungHeap();
  return {
    audience: (gathering) => audience(asking, answers, gathering),
    givesUp: async (active) =>
      (await askAtTerminal(asking, activeQuestion(active), () => nothingStarted(active))) === "yes",
    tell: say,
    json: asking.json ? print : undefined,
    redact: redactor(asking.env ?? process.env),
    columns: () => Math.min(process.stderr.columns || widgetColumns, widgetColumns + 1) - 1,
    backends: () => openBackends(backends, asking.env ?? process.env),
    watch,
    onlyNow: asking.onlyNow ?? false,
  };
}

async function audience(asking: Asking, answers: AnswersFile | undefined, gathering: Gathering): Promise<Audience> {
  const { json: plain = false, yes = false, show = false } = asking;
  const onInterrupt = (): void => gathering.halt.stop("interrupted");
  const release = onSignal(onInterrupt);
  if (isHeadless(asking)) {
    const { headlessPerson } = await import("../../adapters/person/headless/headless.ts");
    const person = headlessPerson({ answers, yes, out: process.stderr, served: gathering.served, plain, show });
    if (process.stdin.isTTY && answers === undefined && !yes) person.notify(unasked, "info");
    return { person: worded(person, asking), problems: () => person.problems, close: inTurn(release, person.close) };
  }
  const { terminalPerson } = await import("../../adapters/person/terminal/terminal.ts");
  const person = terminalPerson({ onInterrupt, plain });
  const deaf = person.listenKeys({ onInterrupt, onEscape: () => onEscape(gathering) });
  return { person: worded(person, asking), problems: () => [], close: inTurn(release, deaf, person.close) };
}

/** They sit at a terminal, and gave no answers beforehand. */
const unasked =
  "Nothing is asked in this terminal, because the variable CI is set. To be asked, unset it: env -u CI superteam …";

function worded(person: Person, { wording }: Asking): Person {
  if (wording === undefined) return person;
  return { ...person, notify: (message, level) => person.notify(wording(message), level) };
}

const inTurn =
  (...acts: readonly (() => void)[]) =>
  (): void => {
    for (const act of acts) act();
  };

/** Ctrl-C where keys are not read, and the signals that end a session: agents are stopped and the run is suspended. */
function onSignal(stop: () => void): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

/** Read before anything is started: a file that makes no sense leaves no run behind. */
async function readAnswers(file: string | undefined): Promise<AnswersFile | undefined> {
  if (file === undefined) return undefined;
  const { parseAnswers, unknownIds } = await import("../../adapters/person/headless/answers.ts");
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Problem(`The answers file ${file} cannot be read: ${systemReason(cause)}`, "wrong-usage");
  });
  const parsed = parseAnswers(text, file);
  if (!parsed.ok) throw new Problem(parsed.problems.join("\n"), "wrong-usage");
  const { questionIds } = await import("../../pipelines/pipelines.ts");
  const unknown = unknownIds(parsed.answers, questionIds);
  if (unknown.length === 0) return parsed.answers;
  throw new Problem(
    `${file} answers questions that do not exist: ${unknown.join(", ")}. The ids are in docs/guides/headless.md; superteam status shows the one that waits.`,
    "wrong-usage",
  );
}
