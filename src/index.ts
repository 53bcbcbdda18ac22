// The public API: what a host needs to drive a run, and what an adapter or a flow of your own is written against.

export { backends } from "./adapters/agents/backends.ts";
export { openBackends } from "./adapters/agents/open-backends.ts";
export { type AgentProgram, processAgents, processLeftovers } from "./adapters/agents/process-agents.ts";
export { scriptedAgents } from "./adapters/agents/scripted/agents.ts";
export type { Script } from "./adapters/agents/scripted/script.ts";
export type { AgentEnding, StreamReader } from "./adapters/agents/supervise.ts";
export { shellChecks } from "./adapters/checks/shell.ts";
export { createFileJournal, type FileJournalOptions, openFileJournal } from "./adapters/journal/file.ts";
export { type MemoryJournalOptions, memoryJournal } from "./adapters/journal/memory.ts";
export { type HeadlessOptions, headlessPerson } from "./adapters/person/headless/headless.ts";
export { onlyTree } from "./adapters/place/only-tree.ts";
export { systemClock } from "./adapters/process/clock.ts";
export { allowedEnvironment } from "./adapters/process/environment.ts";
export { openRepo } from "./adapters/repo/git/open.ts";
export { profileRoles } from "./adapters/roles/profiles.ts";
export { settings } from "./adapters/settings/file.ts";
export { documents } from "./adapters/store/documents.ts";
export {
  all,
  ask,
  type ChildFlow,
  changes,
  check,
  child,
  commit,
  config,
  defineFlow,
  dispatch,
  type Flow,
  type FlowDefinition,
  type Flows,
  fail,
  head,
  publish,
  type Request,
  read,
  record,
  restore,
  type ScopeKind,
  type Step,
  scope,
  snapshot,
  write,
} from "./core/flow/flow.ts";
export { type Option, optionsOf, type Question, type Reading, readAnswer } from "./core/flow/question.ts";
export { Config } from "./core/run/config.ts";
export { documentsFor, type RunDocuments } from "./core/run/document-paths.ts";
export {
  bareOutline,
  definePipeline,
  outlineOf,
  type Pipeline,
  type PipelineOutline,
  type PipelineRole,
  type ScheduleEntry,
} from "./core/run/pipeline.ts";
export { Halt, type HaltReason } from "./engine/drive/halt.ts";
export type { LiveEvent } from "./engine/drive/recorder.ts";
export { type RunEnd, run } from "./engine/drive/run.ts";
export type { World } from "./engine/drive/world.ts";
export { SuperteamInput, superteam } from "./pipelines/superteam.ts";
export type { AgentEvent, AgentMark, AgentOrder, Agents, Leftovers } from "./ports/agents.ts";
export type { Backend, BackendSearch, Backends, FoundBackend, OpenBackends } from "./ports/backend.ts";
export type { CheckRun, Checks } from "./ports/checks.ts";
export type { Clock } from "./ports/clock.ts";
export type { Documents } from "./ports/documents.ts";
export type {
  Ending,
  Entry,
  EntryBody,
  Journal,
  Note,
  OpenedJournal,
  Recalled,
  RunHeader,
  ScopeResult,
} from "./ports/journal.ts";
export type { Level, Person } from "./ports/person.ts";
export type { Place, Places } from "./ports/place.ts";
export type { CommitOrder, Repo } from "./ports/repo.ts";
export type { Roles } from "./ports/roles.ts";
export type { Dispatches, Inbox, InboxMessage, InboxReply } from "./ports/runs.ts";
export type { Settings } from "./ports/settings.ts";
