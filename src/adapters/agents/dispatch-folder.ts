// What is kept of a dispatch in its folder: the prompt, what counts of the order, the raw stream and stderr, bounded. A disk that is full must
// not end an agent that works: what could not be kept is reported instead.

import { type FileHandle, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { capabilities } from "../../core/run/capability.ts";
import { parseJson } from "../../core/text/json.ts";
import type { AgentOrder } from "../../ports/agents.ts";
import { reasonOf } from "../../ports/failure.ts";
import { withoutWaiting } from "../files/present.ts";
import { goneFile } from "../process/gone.ts";
import { tailOf } from "../process/tail.ts";

export type DispatchFolder = Awaited<ReturnType<typeof openDispatchFolder>>;

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
const ownersOnly = { mode: 0o600 };

/** Makes the folder, or throws. The rest may continue while the agent starts. */
export async function openDispatchFolder(folder: string, order: Texts, limits = usualLimits) {
  await mkdir(folder, { recursive: true });
  const ready = Promise.all([
    rm(goneFile(folder), { force: true }),
    writeFile(join(folder, "prompt.md"), order.prompt, ownersOnly),
    writeFile(join(folder, orderFile), JSON.stringify(sentOf(order))),
  ]);
  // A caller that awaits it gets the error; when the agent cannot be started nobody does.
  ready.catch(() => undefined);
  const stream = boundedFile(join(folder, "stream.jsonl"), limits.stream);
  const errors = boundedFile(join(folder, "stderr.txt"), limits.errors);
  const stderr = tailOf(4 * 1024);
  return {
    /** When the prompt is written and nothing of an earlier try is left. Rejects when that is not possible. */
    ready,
    writeStream: stream.write,
    writeErrors(bytes: Buffer): Promise<void> {
      stderr.add(bytes);
      return errors.write(bytes);
    },
    /** The end of stderr. */
    stderr,
    /** Resolves with what went wrong, or was left out, if anything. May be called again. */
    close: async () => [...(await stream.close()), ...(await errors.close())],
  };
}

const megabyte = 1024 * 1024;
/** Bytes of each file. */
const usualLimits = { stream: 64 * megabyte, errors: 4 * megabyte };

function boundedFile(path: string, limit: number) {
  let file: FileHandle | undefined;
  let written = 0;
  let leftOut = 0;
  let problem: string | undefined;
  return {
    async write(bytes: Buffer): Promise<void> {
      const kept = problem === undefined ? bytes.subarray(0, limit - written) : bytes.subarray(0, 0);
      leftOut += bytes.length - kept.length;
      if (kept.length === 0) return;
      written += kept.length;
      try {
        file ??= await open(path, "w", ownersOnly.mode);
        await file.write(kept);
      } catch (error) {
        problem = `${path} could not be written: ${reasonOf(error)}`;
      }
    },
    async close(): Promise<readonly string[]> {
      await file?.close();
      file = undefined;
      if (problem !== undefined) return [problem];
      return leftOut === 0 ? [] : [`${path} was cut: ${leftOut} bytes beyond ${limit} are not kept.`];
    },
  };
}
