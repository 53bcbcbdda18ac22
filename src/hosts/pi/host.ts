// pi as the host of a run: its dialogs ask, its chat tells, and agents are run with this very pi.

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { backends } from "../../adapters/agents/backends.ts";
import { openBackends } from "../../adapters/agents/open-backends.ts";
import { piPerson } from "../../adapters/person/pi/person.ts";
import { redactor } from "../../core/text/secrets.ts";
import type { Level } from "../../ports/person.ts";
import type { Audience, Gathering, Host } from "../../runs/host.ts";
import { activeQuestion, nothingStarted, onEscape, stopWhen } from "../../runs/host.ts";
import { tellBriefly, tellIn } from "./chat/tell.ts";
import type { Stay } from "./kept.ts";
import { inPi } from "./wording.ts";

export { answerIn, tellIn } from "./chat/tell.ts";

/** What a run needs of a session, taken once: pi refuses its context to whoever asks after the session has ended. */
export interface Session extends Pick<ExtensionContext, "ui" | "mode" | "hasUI" | "cwd" | "isIdle"> {
  /** Aborted when it ends: a dialog of its own that is answered later starts nothing. */
  readonly ended: AbortSignal;
}

const never: AbortSignal = new AbortController().signal;

/** A call of a tool needs no `ended`: it is over before its session is. */
export function sessionOf({ ui, mode, hasUI, cwd, isIdle }: ExtensionContext, ended: AbortSignal = never): Session {
  return { ui, mode, hasUI, cwd, isIdle, ended };
}

export function piHost(session: Session, stay: Stay): Host {
  return {
    audience: (gathering) => (session.hasUI ? atPi(session, gathering, stay) : atNobody(gathering, stay)),
    givesUp: async (active) => {
      const answer = session.hasUI ? await personAt(session).ask(activeQuestion(active), stay.away) : undefined;
      if (answer === undefined) throw nothingStarted(active);
      return answer === "yes";
    },
    tell: (text) => tellIn(session, text, "info"),
    json: undefined,
    redact: redactor(process.env),
    columns: () => Math.min(terminalColumns() - 2, widgetColumns),
    backends: () => openBackends({ ...backends, pi: hostingPi }, process.env),
    watch: (sight) => {
      // What comes after the last entry is always shown.
      if (sight.type === "entry" && sight.entry.type === "end") stay.leaving = true;
    },
    onlyNow: false,
  };
}

const hostingPi = async () => (await import("../../adapters/agents/pi/backend.ts")).hostingPi;

/** Columns of the widgets where there is room for them. */
const widgetColumns = 76;

function terminalColumns(): number {
  return process.stdout.columns || 80;
}

async function atPi(session: Session, gathering: Gathering, stay: Stay): Promise<Audience> {
  stay.leaving = false;
  const person = personAt(session);
  const deaf = person.listenEscape(() => onEscape(gathering));
  stopWhen(stay.away, gathering);
  const close = (): void => {
    stay.leaving = true;
    deaf();
  };
  return { person, problems: () => [], close };
}

/** pi in print mode: the run continues to its first question, and waits there. */
async function atNobody({ halt, served }: Gathering, { away }: Stay): Promise<Audience> {
  const { headlessPerson } = await import("../../adapters/person/headless/headless.ts");
  const out = process.stderr;
  const person = headlessPerson({ answers: undefined, yes: false, out, served, plain: true, show: false });
  stopWhen(away, { halt });
  return { person, problems: () => person.problems, close: person.close };
}

export function personAt(session: Session) {
  const { ui, mode, isIdle } = session;
  const tell = (text: string, level: Level): void => tellBriefly(session, text, level);
  const publish = (text: string): void => tellIn(session, text, "info");
  return piPerson({ ui, mode, wording: inPi, columns: terminalColumns, tell, publish, isIdle });
}
