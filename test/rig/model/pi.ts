// Runs the real pi once, against a scripted model, in a folder of its own that is gone afterwards.

import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DialectName } from "../../../src/demo/model/dialect.ts";
import { offlineEnvironment, scriptedModel, scriptedProvider, writePiHome } from "../../../src/demo/model/pi.ts";
import type { ModelPlay } from "../../../src/demo/model/play.ts";
import { type LoggedRequest, serveModel } from "../../../src/demo/model/server.ts";

const program = fileURLToPath(import.meta.resolve("@earendil-works/pi-coding-agent")).replace(
  /dist[\\/]index\.js$/,
  "dist/bundle/cli.js",
);

export interface AssistantMessage {
  readonly stopReason: string;
  readonly errorMessage?: string;
  readonly model: string;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly usage: { readonly input: number; readonly output: number; readonly cost: { readonly total: number } };
}

export interface PiRecord {
  readonly type: string;
  readonly message?: AssistantMessage & { readonly role: string };
  readonly toolName?: string;
  readonly isError?: boolean;
  readonly errorMessage?: string;
}

/** What one process of pi came to. */
export interface PiEnd {
  readonly exitCode: number | null;
  readonly records: readonly PiRecord[];
  /** The last assistant message: pi exits 0 whatever happened, this is the verdict. */
  readonly last: AssistantMessage;
  /** The text of the last assistant message. */
  readonly text: string;
  readonly retries: number;
  readonly stderr: string;
}

export interface PiRun extends PiEnd {
  readonly requests: readonly LoggedRequest[];
  /** Reads a file the agent made; null when there is none. */
  readonly file: (path: string) => string | null;
}

export interface PiOptions {
  readonly dialect: DialectName;
  readonly prompt?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Files to read back from the agent's folder before it is removed. */
  readonly files?: readonly string[];
}

export const promptFor = (step: string, rest = "Do it."): string =>
  `${rest}\n\n[superteam] run=r1 role=tester step=${step} attempt=1\n`;

/** Serves the play, runs pi against it in an empty folder, and removes everything again. */
export async function runPi(play: ModelPlay, options: PiOptions): Promise<PiRun> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-model-"));
  const server = await serveModel(play);
  try {
    const home = join(folder, "pi");
    const cwd = join(folder, "work");
    await writePiHome(home, server.url, options.dialect, options.settings);
    await mkdir(cwd);
    const end = await pi({ home, cwd, prompt: options.prompt ?? promptFor("rig/once"), tools: allTools });
    const files = new Map<string, string | null>();
    for (const path of options.files ?? []) files.set(path, await readFile(join(cwd, path), "utf8").catch(() => null));
    return { ...end, requests: server.requests, file: (path) => files.get(path) ?? null };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs pi once with a home and a folder that are there. */
export async function pi(start: PiStart): Promise<PiEnd> {
  const { stdout, ...ended } = await started(start);
  const records = stdout.split("\n").filter(Boolean).map(recordOf);
  return { ...ended, ...verdictOf(records), records };
}

function recordOf(line: string): PiRecord {
  return JSON.parse(line);
}

function verdictOf(records: readonly PiRecord[]) {
  const assistant = records.filter(({ type, message }) => type === "message_end" && message?.role === "assistant");
  const last = assistant.at(-1)?.message;
  if (!last) throw new Error(`pi gave no assistant message: ${JSON.stringify(records).slice(0, 2000)}`);
  const text = last.content.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("");
  return { last, text, retries: records.filter(({ type }) => type === "auto_retry_start").length };
}

export interface PiStart {
  readonly home: string;
  readonly cwd: string;
  readonly prompt: string;
  readonly tools: string;
  /** Variables beyond those a shell needs. */
  readonly env?: Readonly<Record<string, string>>;
}

const allTools = "read,bash,edit,write,ls";

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const shell = { PATH: process.env["PATH"], LANG: "C.UTF-8" };

function started({ home, cwd, prompt, tools, env = {} }: PiStart): Promise<Ended> {
  const flags = "--mode json -p --no-session --no-extensions --no-skills --no-prompt-templates --no-themes";
  const more = `--no-context-files --no-approve --thinking off --provider ${scriptedProvider} --model ${scriptedModel}`;
  const role = ["--tools", tools, "--system-prompt", "You test.", "--append-system-prompt", "Context."];
  const child = spawn(process.execPath, [program, ...`${flags} ${more}`.split(" "), ...role], {
    cwd,
    env: { ...shell, HOME: home, PI_CODING_AGENT_DIR: home, ...offlineEnvironment, ...env },
  });
  child.stdin.end(prompt);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) =>
      resolve({ exitCode, stdout: Buffer.concat(out).toString("utf8"), stderr: Buffer.concat(err).toString("utf8") }),
    );
  });
}
