// The backends that pass the agents contract: the scripted one, and the real pi with a scripted model.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pi, piAgents } from "../../../src/adapters/agents/pi/backend.ts";
import { findPi, type PiProgram } from "../../../src/adapters/agents/pi/find.ts";
import { scriptedAgents, scriptedBackend } from "../../../src/adapters/agents/scripted/agents.ts";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import { received } from "../../../src/adapters/agents/scripted/script-program.ts";
import { offlineEnvironment, writePiHome } from "../../../src/demo/model/pi.ts";
import type { ModelPlay, Reaction } from "../../../src/demo/model/play.ts";
import { type ModelServer, serveModel } from "../../../src/demo/model/server.ts";
import type { Agents } from "../../../src/ports/agents.ts";
import type { StagedBackend } from "./rig.ts";

export async function stagedScripts(script: Script): Promise<StagedBackend> {
  return {
    backend: scriptedBackend(() => script),
    env: {},
    agents: scriptedAgents({ play: () => script }),
    received: (order) => readFile(join(order.folder, received), "utf8"),
    host: { backend: "scripted", script },
    close: async () => undefined,
  };
}

export const stagedPi = (script: Script, folder: string) => staged(script, folder, realPi());

/** What holds of it holds of the adapter, whatever pi does. */
export const stagedQuickPi = (script: Script, folder: string) => staged(script, folder, quickPi());

async function staged(script: Script, folder: string, found: Promise<PiProgram>): Promise<StagedBackend> {
  const settings = { program: await found };
  const { backend, env, agents, server, home, close } = await piWith(modelFor(script), folder, settings);
  return {
    backend,
    env,
    agents,
    received: async () => server.requests.at(-1)?.prompt ?? "",
    host: { backend: "pi", home },
    close,
  };
}

export interface PiWithModel extends Pick<StagedBackend, "backend" | "env"> {
  readonly agents: Agents;
  readonly server: ModelServer;
  /** pi's configuration folder. */
  readonly home: string;
  close(): Promise<void>;
}

export interface PiSettings {
  /** Over pi's own settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly dialect?: "anthropic" | "chat";
  /** Another program than the pi of this package. */
  readonly program?: PiProgram;
}

export async function piWith(play: ModelPlay, folder: string, options: PiSettings = {}): Promise<PiWithModel> {
  const server = await serveModel(play);
  const home = join(folder, "pi");
  await writePiHome(home, server.url, options.dialect ?? "anthropic", options.settings);
  const program = options.program ?? (await realPi());
  const env = { ...piEnv(home), SUPERTEAM_PI: program.path, ...options.env };
  return { backend: pi, env, agents: piAgents(program, env), server, home, close: () => server.close() };
}

/** The pi of this package, whatever is on the PATH. */
export async function realPi(): Promise<PiProgram> {
  const search = await findPi({ PATH: "" });
  if (!search.found) throw new Error(search.detail);
  return search.program;
}

/** What most tests of the command line have in its place. */
export async function quickPi(): Promise<PiProgram> {
  const search = await findPi({ PATH: "", SUPERTEAM_PI: quickPiFile });
  if (!search.found) throw new Error(search.detail);
  return search.program;
}

export const quickPiFile = join(import.meta.dirname, "../quick-pi/cli.js");

/** The quick pi, but for an agent under the guard, which is the real one. */
export const guardedPiFile = join(import.meta.dirname, "../quick-pi/guarded.js");

export function piEnv(home: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, PI_CODING_AGENT_DIR: home, ...offlineEnvironment };
}

/** A model that has the agent run the script's commands with its shell tool, and then gives the script's answer. */
function modelFor(script: Script): ModelPlay {
  return ({ turn }): Reaction => {
    if (script.run !== undefined && turn === 0) return { tools: [{ name: "bash", args: { command: script.run } }] };
    if (script.hang) return { fault: { kind: "hang", after: "request" } };
    return { text: script.text };
  };
}
