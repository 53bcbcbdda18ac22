// The tools that a model in pi is given. They are registered when a session starts, by names that are free then: pi does
// not even start when two extensions bring a tool of the same name along.

import type { ExtensionAPI, ExtensionContext, ToolDefinition } from "@earendil-works/pi-coding-agent";
import { load } from "../load.ts";

const job = {
  type: "object",
  properties: {
    role: { type: "string", description: "One of the roles named in the description of this tool." },
    task: { type: "string", description: "All that the role needs to know: it sees nothing of this conversation." },
  },
  required: ["role", "task"],
};

export const teamTool: ToolDefinition = {
  name: "team",
  label: "Team",
  description: [
    "Gives work to roles of superteam, each a fresh agent in this tree that sees its task and nothing of this",
    "conversation. One: {role, task}. Readers side by side: {parallel: [{role, task}, ...]}. One after another, each given",
    "the answer of the one before: {chain: [{role, task}, ...]}, where {previous} in a task stands for that answer. At most",
    "8 in one call. It costs money: use it when fresh eyes or several of them are worth it. Readers are held to it, and",
    "what they change is undone: scout (explores the code), brainstormer (questions and designs), spec-reviewer,",
    "quality-reviewer, architect, security-reviewer, performance-reviewer, final-reviewer. Writers change files and leave",
    "them uncommitted; they run one at a time, never in parallel: planner (writes a plan's file), implementer (code, test",
    "first). Never while a run of superteam is active in this tree.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      ...job.properties,
      parallel: { type: "array", items: job, maxItems: 8, description: "Readers that work side by side." },
      chain: { type: "array", items: job, maxItems: 8, description: "Roles that work one after another." },
      atOnce: { type: "integer", minimum: 1, maximum: 4, description: "How many run side by side; unset: 4." },
    },
  },
  executionMode: "sequential",
  execute: (_id, given, signal, onUpdate, context) =>
    load("tools/team-tool").runTeamTool({ given, signal, onUpdate }, context),
};

/** What a tool takes is plain JSON schema, and what it does is loaded when it is called. */
const tools: readonly ToolDefinition[] = [
  {
    name: "workflow",
    label: "Workflow",
    description: [
      "Runs superteam: a fixed program that has agents design, plan, build and review a change in this repository, and",
      "commits it. It costs money and takes long: use it only when the person asks for it. Without an active run the",
      "input says what to build, and starts a run. While a question waits the input is its answer: an option's key,",
      'number or label, yes or no, or text. Empty input continues the active run; "status" only looks. The call',
      "returns at the next question, at the end of the run, or when it is suspended, and says what to do next.",
      "Approvals and other decisions of the person cannot be answered here: tell the person about them, and stop.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        input: {
          type: "string",
          description: 'What to build, an answer to the question that waits, "status", or nothing to continue.',
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
