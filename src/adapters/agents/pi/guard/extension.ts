// The guard in an implementer's own process: an extension that pi is started with. It holds back what its decisions say
// (`core/test-first/guard.ts`), explains that to the agent, and tells superteam through pi's stream what it did. It is loaded in
// each such process, so it imports nothing heavy; a new process begins with nothing remembered.

import { relative, resolve, sep } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { freshMemory, hearRun, type Judged, judgeWriting } from "../../../../core/test-first/guard.ts";
import { piToolCall } from "../tools.ts";
import { asObject, asText, textsOf } from "../unknown-json.ts";
import { noteName } from "./note.ts";

export default function guard(pi: ExtensionAPI): void {
  let memory = freshMemory;
  let turn = 0;
  const heed = (call: string, judged: Judged): void => {
    memory = judged.memory;
    if (judged.note) pi.appendEntry(noteName, { call, ...judged.note });
  };
  pi.on("turn_start", () => {
    turn += 1;
  });
  pi.on("tool_call", ({ toolCallId, toolName, input }, { cwd }) => {
    const { does, path = "" } = piToolCall(toolName, input);
    if (does !== "write" && does !== "edit") return undefined;
    const judged = judgeWriting(memory, { file: fileIn(path, cwd), text: textIn(input), turn });
    heed(toolCallId, judged);
    return judged.reason === undefined ? undefined : { block: true, reason: judged.reason };
  });
  pi.on("tool_result", ({ toolCallId, toolName, input, content, isError }) => {
    const { does, command = "" } = piToolCall(toolName, input);
    if (does !== "run") return;
    const output = textsOf(content).join("\n");
    heed(toolCallId, hearRun(memory, { command, failed: isError, output }));
  });
}

/** As pi finds it: a path may begin with the @ of a mention. */
function fileIn(path: string, cwd: string): string {
  return relative(cwd, resolve(cwd, path.replace(/^@/, ""))).replaceAll(sep, "/");
}

/** What a call would put into the file. */
function textIn(input: unknown): string {
  const { content, edits } = asObject(input);
  const texts = Array.isArray(edits) ? edits.map((edit) => asText(asObject(edit)["newText"])) : [];
  return [asText(content), ...texts].join("\n");
}
