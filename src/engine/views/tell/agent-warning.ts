// What a person should know about an agent while it still runs: it is silent, it meets trouble, it fails
// again and again, it is held back.

import { duration, oneLine } from "../../../core/text/format.ts";
import { type Activity, type AgentSign, isInTrouble } from "../fold/activity.ts";
import { guardText } from "./test-first.ts";
import { formatToolAction } from "./tool-text.ts";

/** The activity is the one this sign was just folded into. */
export function agentWarning(activity: Activity, sign: AgentSign): string | undefined {
  const { role, event } = sign;
  if (event.type === "silent")
    return `${role} has been silent for ${duration(event.forMs)} and may be stuck. It will be stopped if this continues; Escape twice stops it now.`;
  if (event.type === "trouble") return `${role}: ${oneLine(event.detail, 200)}`;
  const held = event.type === "tool" && event.guard ? guardText(role, event.guard) : undefined;
  if (held !== undefined) return held;
  if (event.type !== "tool" || !isInTrouble(activity, sign)) return undefined;
  const last = formatToolAction(event);
  return `${role} may be in trouble: its last three tool calls failed, most recently ${last}. It keeps trying; Escape twice stops it.`;
}
