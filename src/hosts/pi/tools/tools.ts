// The tools that a model in pi is given. They are registered when a session starts, by names that are free then: pi does
// not even start when two extensions bring a tool of the same name along.

import type { ExtensionAPI, ExtensionContext, ToolDefinition } from "@earendil-works/pi-coding-agent";
import { load } from "../load.ts";
import { teamTool } from "./team.ts";

/** What a tool takes is plain JSON schema, and what it does is loaded when it is called. */
const tools: readonly ToolDefinition[] = [
  {
    name: "workflow",
    label: "Workflow",
    description: [
      "Runs superteam: a fixed program that has agents design, plan, build and review a change in this repository, and",
      "commits it. It costs money and takes long: use it only when the person asks for it. Without an active run the",
      "input says what to build, and starts a run. While a question waits the input is its answer: an option's key,",
      'number or label, yes or no, or text. Empty input goes on with the active run; "status" only looks. The call',
      "returns at the next question, at the end of the run, or when it is suspended, and says what to do next.",
      "Approvals and other decisions of the person cannot be answered here: tell the person about them, and stop.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        input: {
          type: "string",
          description: 'What to build, an answer to the question that waits, "status", or nothing to go on.',
        },
      },
    },
    executionMode: "sequential",
    execute: (_id, given, signal, onUpdate, context) =>
      load("tools/workflow-tool").workflowTool({ given, signal, onUpdate }, context),
  },
  teamTool,
];

/** Says nothing where each tool has the name it is known by. */
export function registerTools(pi: ExtensionAPI, { ui, hasUI }: ExtensionContext): void {
  for (const tool of tools) {
    const present = pi.getAllTools();
    // superteam may be loaded twice: one of each tool will do.
    if (present.some(({ description }) => description === tool.description)) continue;
    const taken = new Map(present.map(({ name, sourceInfo }) => [name, sourceInfo.path]));
    const name = [tool.name, `superteam_${tool.name}`].find((free) => !taken.has(free));
    if (name !== undefined) pi.registerTool({ ...tool, name });
    if (name === tool.name || !hasUI) continue;
    const here = name === undefined ? "not there" : `called ${name}`;
    ui.notify(
      `The tool ${tool.name} is another extension's (${taken.get(tool.name)}). superteam's is ${here} in this session.`,
      "warning",
    );
  }
}
