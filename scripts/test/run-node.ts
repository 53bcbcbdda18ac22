// Runs Node once and keeps its output until it ends. It gets a process group of its own, so that nothing of it outlives the time
// limit.

import { type ChildProcess, spawn } from "node:child_process";

export interface NodeEnd {
  readonly code: number | null;
  readonly output: string;
  /** It was ended because its time was up. */
  readonly isLate: boolean;
}

export interface NodeLimits {
  readonly seconds: number;
  /** All of its environment; ours by default. */
  readonly env?: NodeJS.ProcessEnv;
}

const running = new Set<number>();

export async function runNode(args: readonly string[], { seconds, env }: NodeLimits): Promise<NodeEnd> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], detached: true, env });
  const end = inOwnGroup(child);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    end();
  }, seconds * 1000);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(limit);
  return { code, output, isLate };
}

/** How to end a detached child with all that it started. */
export function inOwnGroup(child: ChildProcess): () => void {
  const { pid = 0 } = child;
  if (pid !== 0) running.add(pid);
  child.once("close", () => running.delete(pid));
  return () => {
    if (running.has(pid)) endGroup(pid);
  };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!isGone) throw error;
  }
}

/** Ends what runs when the person interrupts the command. */
export function endAllOnInterrupt(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      for (const pid of running) endGroup(pid);
      process.exit(130);
    });
  }
}
