// The tool `workflow`: a run by a model's calls. Each goes on to the next question, the end or the suspension of the run,
// and gives back text that says where it stands and what the next call can do.

import type { AgentToolResult, AgentToolUpdateCallback, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { statusText } from "../run/status.ts";

export interface Call {
  /** What the model said, checked against the tool's parameters. */
  readonly given: unknown;
  /** Aborted by Escape. */
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: AgentToolUpdateCallback<unknown> | undefined;
}

export async function workflowTool(_call: Call, { cwd }: ExtensionContext): Promise<AgentToolResult<undefined>> {
  return { content: [{ type: "text", text: await statusText(cwd) }], details: undefined };
}
