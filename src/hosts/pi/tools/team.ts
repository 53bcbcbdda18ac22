// The tool `team` as pi registers it: what it takes and what a model is told of it. What it does is loaded when it is
// called.

import type { ToolDefinition } from "@earendil-works/pi-coding-agent";
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
    "what they change is put back: scout (explores the code), brainstormer (questions and designs), spec-reviewer,",
    "quality-reviewer, architect, security-reviewer, performance-reviewer, final-reviewer. Writers change files and leave",
    "them uncommitted; they run one at a time, never in parallel: planner (writes a plan's file), implementer (code, test",
    "first). Never while a run of superteam goes on in this tree.",
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
