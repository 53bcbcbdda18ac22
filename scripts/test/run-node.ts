// Runs Node once and keeps its output until it ends. It gets a process group of its own, so that nothing of it outlives the time
// limit.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";

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
  const limit = atTheLimit(child, seconds, () => {
    isLate = true;
    end();
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  limit.stop();
  return { code, output, isLate };
}

/** Calls when the time is up. A process that a busy machine keeps waiting is given the seconds of processor time instead. */
export function atTheLimit(child: ChildProcess, seconds: number, call: () => void): { stop(): void } {
  const { used: before } = processorTime(child);
  let idle = 0;
  const look = (): void => {
    const { isWaiting, used } = processorTime(child);
    idle = isWaiting ? 0 : idle + 1;
    if (idle === 3 || used - before >= seconds) call();
    else timer = setTimeout(look, 1000);
  };
  let timer = setTimeout(look, seconds * 1000);
  return { stop: () => clearTimeout(timer) };
}

/** In seconds; and whether it would run if a processor were free. */
function processorTime({ pid = 0 }: ChildProcess): { readonly isWaiting: boolean; readonly used: number } {
  try {
    const said = execFileSync("ps", ["-o", "state=,time=", "-p", String(pid)], { encoding: "utf8" });
    const [, state = "", days = "0", time = ""] = /^\s*(\S)\S*\s+(?:(\d+)-)?([\d:.]+)/.exec(said) ?? [];
    const used = time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
    return { isWaiting: state === "R", used };
  } catch {
    // It has ended, or there is no such program here: the clock decides.
    return { isWaiting: false, used: 0 };
  }
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
