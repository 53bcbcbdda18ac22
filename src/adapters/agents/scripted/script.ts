// What a scripted agent does, as data.

import type { DispatchFailureKind, Usage } from "../../../core/flow/dispatch.ts";
import type { AgentOrder } from "../../../ports/agents.ts";

/** In this order: the commands are run, then the agent hangs, fails, or gives its answer. */
export interface Script {
  /** Shell commands, run in the agent's working directory. What they change is real. */
  readonly run?: string;
  /** The final answer. */
  readonly text: string;
  /** Said to be the model that ran; by default the one that was asked for, or `scripted/model`. */
  readonly model?: string;
  /** Of its last turn; by default one that costs a cent. */
  readonly usage?: Usage;
  /** What each turn before the last one used, told after its commands. */
  readonly turns?: readonly Usage[];
  /** Gives no sign any more after its commands. */
  readonly hang?: boolean;
  readonly fail?: {
    readonly kind: DispatchFailureKind;
    readonly detail: string;
    readonly retryAfterMs?: number;
  };
}

/** Decides by the order alone what an agent does. */
export type ScriptedPlay = (order: AgentOrder) => Script;
