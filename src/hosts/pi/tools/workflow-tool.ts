// The tool `workflow`: a run by a model's calls, in this pi.

import type { AgentToolResult, AgentToolUpdateCallback, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { z } from "zod";
import type { Question } from "../../../core/flow/question.ts";
import { type Act, callByModel, RefusedInput } from "../../../runs/by-model/call.ts";
import { Narrative } from "../../../runs/by-model/narrative.ts";
import { toldOf } from "../../../runs/trouble.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { workplaceAt } from "../../wiring/workplace-at.ts";
import { sessionUsage } from "../chat/session-usage.ts";
import { workflowVerbs } from "../commands/verbs.ts";
import { type Session, sessionOf, tellIn } from "../host.ts";
import { liveRun, occupy, runAtWork } from "../kept.ts";
import { busyText } from "../launch.ts";
import { inPi } from "../wording.ts";
import { toolHost } from "./workflow-tool-host.ts";

export interface Call {
  /** What the model said, as the tool's parameters have it. */
  readonly given: unknown;
  /** Aborted by Escape. */
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: AgentToolUpdateCallback<undefined> | undefined;
}

/** pi marks what is thrown as failed: input that was refused, and trouble. */
export async function workflowTool(call: Call, context: ExtensionContext): Promise<AgentToolResult<undefined>> {
  const narrative = new Narrative((text) => call.onUpdate?.(asResult(text)), inPi);
  const reader = context.sessionManager.getSessionId();
  const session = sessionOf(context);
  try {
    const { input = "" } = Input.parse(call.given);
    await runAtWork();
    const caller = {
      ...{ reader, narrative, verbs: workflowVerbs, now: Date.now },
      runs: await runsAt(session.cwd),
      open: () => workplaceAt(session.cwd),
      speech: { wording: inPi, decideHere: session.hasUI ? askedHere : "" },
      launch: (act: Act, standing: () => Promise<string>) => launched({ call, session, narrative }, act, standing),
      callPerson: (question: Question) => callPerson(session, question),
    };
    return { ...asResult(await callByModel(caller, input.trim())), usage: sessionUsage(narrative.used) };
  } catch (error) {
    throw error instanceof RefusedInput ? error : new Error(inPi(toldOf(error).text));
  }
}

const Input = z.object({ input: z.string().optional() });

const askedHere = "by typing /workflow in this pi, which asks them, or ";

function asResult(text: string): AgentToolResult<undefined> {
  return { content: [{ type: "text", text }], details: undefined };
}

interface Launching {
  readonly call: Call;
  readonly session: Session;
  readonly narrative: Narrative;
}

/** Goes on in this pi until the run comes to rest. Gives what is told instead while something else does. */
async function launched(
  { call: { signal }, session, narrative }: Launching,
  act: Act,
  standing: () => Promise<string>,
): Promise<string | undefined> {
  const live = liveRun();
  if (live) return busyText(live, standing);
  session.ui.setStatus("workflow", "⚡ Workflow: starting...");
  await occupy({ isActive: true, signal }, (stay) =>
    act(toolHost(session, stay, narrative))
      .then((run) => run?.ended)
      .finally(() => session.ui.setStatus("workflow", undefined)),
  );
  return undefined;
}

function callPerson(session: Session, { title }: Question): void {
  if (!session.hasUI) return;
  tellIn(session, `The run waits for your decision: ${title.replace(/(?<![?.:])$/, ".")} /workflow asks you.`, "info");
}
