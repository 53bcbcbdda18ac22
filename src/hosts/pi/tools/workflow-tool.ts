// The tool `workflow`: a run by a model's calls, in this pi.

import type { AgentToolResult, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { z } from "zod";
import type { Question } from "../../../core/flow/question.ts";
import type { Person } from "../../../ports/person.ts";
import { type Act, callByModel, RefusedInput } from "../../../runs/by-model/call.ts";
import { Narrative } from "../../../runs/by-model/narrative.ts";
import { type Host, nothingStarted, stopWhen } from "../../../runs/host.ts";
import { startQuestionId } from "../../../runs/life/start-approval.ts";
import { toldOf } from "../../../runs/problem.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { workplaceAt } from "../../wiring/workplace-at.ts";
import { workflowVerbs } from "../commands/verbs.ts";
import { personAt, piHost, type Session, sessionOf, tellIn } from "../host.ts";
import { liveRun, runAtWork, type Stay } from "../kept.ts";
import { busyText, goOn } from "../launch.ts";
import { inPi } from "../wording.ts";
import { asResult, type ModelCall, sessionUsage } from "./model-call.ts";

/** pi marks what is thrown as failed: input that was refused, and trouble. */
export async function workflowTool(call: ModelCall, context: ExtensionContext): Promise<AgentToolResult<undefined>> {
  const narrative = new Narrative((text) => call.onUpdate?.(asResult(text)), inPi);
  const reader = context.sessionManager.getSessionId();
  const session = sessionOf(context);
  try {
    const { input = "" } = Input.parse(call.given);
    await runAtWork();
    const caller = {
      reader,
      narrative,
      verbs: workflowVerbs,
      now: Date.now,
      runs: await runsAt(session.cwd),
      open: () => workplaceAt(session.cwd),
      speech: { wording: inPi, decideHere: session.hasUI ? askedHere : "" },
      launch: async (act: Act, standing: () => Promise<string>) => {
        const live = liveRun();
        if (live) return busyText(live, standing);
        await goOn(session, call.signal, async (stay) => (await act(toolHost(session, stay, narrative)))?.ended);
        return undefined;
      },
      callPerson: (question: Question) => callPerson(session, question),
    };
    return { ...asResult(await callByModel(caller, input.trim())), usage: sessionUsage(narrative.used) };
  } catch (error) {
    throw error instanceof RefusedInput ? error : new Error(inPi(toldOf(error).text));
  }
}

const Input = z.object({ input: z.string().optional() });

const askedHere = "by typing /workflow in this pi, which asks them, or ";

/**
 * The host of a run that a model's call continues: progress is shown to the person as ever, what is told goes into the
 * call's text, and nobody is asked but whether to start. Each question stays on disk for whoever may answer it.
 */
function toolHost(session: Session, stay: Stay, narrative: Narrative): Host {
  const host = piHost(session, stay);
  const person = personAt(session);
  const { status, widget } = person;
  const notify = (text: string): void => narrative.add(text);
  return {
    ...host,
    audience: async (gathering) => {
      stay.leaving = false;
      stopWhen(stay.away, gathering);
      const close = (): void => {
        stay.leaving = true;
      };
      // Whether a run is started at all is asked at once: nothing happens before the person's yes.
      const ask: Person["ask"] = async (question, signal) =>
        question.id === startQuestionId && session.hasUI ? person.ask(question, signal) : undefined;
      return { person: { ask, notify, status, widget }, problems: () => [], close };
    },
    // Whether an active run is given up is the person's to say.
    givesUp: (active) => Promise.reject(nothingStarted(active)),
    tell: notify,
    watch: (sight) => {
      host.watch?.(sight);
      narrative.see(sight);
    },
  };
}

function callPerson(session: Session, { title }: Question): void {
  if (!session.hasUI) return;
  tellIn(session, `The run waits for your decision: ${title.replace(/(?<![?.:])$/, ".")} /workflow asks you.`, "info");
}
