// What is kept of a dispatch in its folder: the prompt, the relevant parts of the order, and the raw stream and stderr, with a size limit. A
// full disk must not end an agent that works: what could not be kept is reported instead.

import { closeSync, constants, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { capabilities } from "../../core/run/capability.ts";
import { parseJson } from "../../core/text/json.ts";
import type { AgentOrder } from "../../ports/agents.ts";
import { reasonOf } from "../../ports/failure.ts";
import { withoutWaiting } from "../files/present.ts";
import { goneFile } from "../process/gone.ts";
import { tailOf } from "../process/tail.ts";

export type DispatchFolder = ReturnType<typeof openDispatchFolder>;

/** What of an order decides what its first turn costs, and where it worked. */
const SentOrder = z.object({
  backend: z.string(),
  /** Null for the backend's own default. */
  model: z.string().nullable(),
  capabilities: z.array(z.enum(capabilities)).readonly(),
  /** The length of the system texts and the prompt. */
  characters: z.int().min(0),
  cwd: z.string().optional(),
});
export type SentOrder = z.infer<typeof SentOrder>;

type Texts = Pick<AgentOrder, "backend" | "model" | "capabilities" | "system" | "context" | "prompt" | "cwd">;

export function sentOf({ backend, model, capabilities: given, system, context, prompt, cwd }: Texts): SentOrder {
  return { backend, model, cwd, capabilities: given, characters: system.length + context.length + prompt.length };
}

/** As it was sent; an order of nothing when that was not kept. */
export async function keptOrder(folder: string): Promise<SentOrder> {
  const json = parseJson((await kept(folder, orderFile)).toString("utf8"));
  const reading = SentOrder.safeParse(json.ok ? json.value : undefined);
  return reading.success ? reading.data : { backend: "", model: null, capabilities: [], characters: 0 };
}

export function keptStream(folder: string): Promise<Buffer> {
  return kept(folder, "stream.jsonl");
}

/** A file that is not there says nothing: the agent had not come so far. */
function kept(folder: string, name: string): Promise<Buffer> {
  return readFile(join(folder, name), { flag: withoutWaiting }).catch(() => Buffer.alloc(0));
}

const orderFile = "order.json";
/** What an agent read and said is kept as it was, for its owner alone. */
const ownersOnly = 0o600;

/**
 * Makes the folder, without what is left of an earlier try, and keeps what was sent; throws when that is not possible. Here and below in one
 * go: what is written lies in memory, and a thread that does it takes longer to wake.
 */
export function openDispatchFolder(folder: string, order: Texts, limits = usualLimits) {
  const isNew = mkdirSync(folder, { recursive: true }) !== undefined;
  if (!isNew) rmSync(goneFile(folder), { force: true });
  keep(join(folder, "prompt.md"), order.prompt, ownersOnly);
  keep(join(folder, orderFile), JSON.stringify(sentOf(order)));
  const stream = boundedFile(join(folder, "stream.jsonl"), limits.stream);
  const errors = boundedFile(join(folder, "stderr.txt"), limits.errors);
  const stderr = tailOf(4 * 1024);
  return {
    writeStream: stream.write,
    writeErrors(bytes: Buffer): void {
      stderr.add(bytes);
      errors.write(bytes);
    },
    /** The end of stderr. */
    stderr,
    /** Gives what went wrong, or was left out, if anything. May be called again. */
    close: () => [...stream.close(), ...errors.close()],
  };
}

/** An agent before it may have put a pipe there: nobody waits for one. */
const overwriting = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;

function keep(path: string, text: string, mode?: number): void {
  const file = openSync(path, overwriting, mode);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

const megabyte = 1024 * 1024;
/** Bytes of each file. */
const usualLimits = { stream: 64 * megabyte, errors: 4 * megabyte };

function boundedFile(path: string, limit: number) {
  let file: number | undefined;
  let written = 0;
  let leftOut = 0;
  let problem: string | undefined;
  const tried = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      problem ??= `${path} could not be written: ${reasonOf(error)}`;
    }
  };
  return {
    write(bytes: Buffer): void {
      const kept = problem === undefined ? bytes.subarray(0, limit - written) : bytes.subarray(0, 0);
      leftOut += bytes.length - kept.length;
      if (kept.length === 0) return;
      written += kept.length;
      tried(() => {
        file ??= openSync(path, overwriting, ownersOnly);
        for (let at = 0; at < kept.length; ) at += writeSync(file, kept, at);
      });
    },
    close(): readonly string[] {
      const open = file;
      file = undefined;
      if (open !== undefined) tried(() => closeSync(open));
      if (problem !== undefined) return [problem];
      return leftOut === 0 ? [] : [`${path} was cut: ${leftOut} bytes beyond ${limit} are not kept.`];
    },
  };
}
