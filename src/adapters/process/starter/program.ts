// The process that starts processes for a superteam that has grown large (start.ts). For each order it starts one process, connects it to
// three sockets as stdin, stdout and stderr, and reports when it has ended. It ends with superteam, however superteam ends.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { reasonOf } from "../../../ports/failure.ts";
import { birthOfChild } from "../table.ts";
import type { ConnectOrder, StarterOrder, StartOrder, StartReport } from "./messages.ts";

const running = new Set<number>();
const tell = (report: StartReport): void => void process.send?.(report);

process.on("message", (order: StarterOrder) => {
  if (order.type === "connect") connectAhead(order);
  else void start(order);
});
process.on("disconnect", () => {
  // One that was started in the very moment is not known to the watchdog by more than its tag, which it may not have had yet (E8).
  for (const pid of running) endGroup(pid);
  rmSync(process.argv[2] ?? "", { recursive: true, force: true });
  process.exit();
});
tell({ type: "ready" });

async function start({ id, socket, names, command, args, cwd, env }: StartOrder): Promise<void> {
  const ends = await Promise.all(names.map((name) => takeAhead(name) ?? connected(socket, name))).catch(
    () => undefined,
  );
  if (ends === undefined) return tell({ type: "unable", id });
  try {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ends });
    const { pid } = child;
    if (pid === undefined) throw (await once(child, "error"))[0];
    running.add(pid);
    child.on("exit", (code, signal) => {
      running.delete(pid);
      tell({ type: "ended", id, code, signal });
    });
    // Before it can have been waited for.
    const birth = birthOfChild(pid);
    tell({ type: "started", id, pid, birth: await birth });
  } catch (error) {
    tell({ type: "failed", id, detail: reasonOf(error) });
  } finally {
    for (const end of ends) end.destroy();
  }
}

/** By the name that they have said. */
const ahead = new Map<string, Promise<Socket>>();

function connectAhead({ socket, names }: ConnectOrder): void {
  for (const name of names) {
    const end = connected(socket, name);
    // The error reaches the start that uses it.
    end.catch(() => undefined);
    ahead.set(name, end);
  }
}

function takeAhead(name: string): Promise<Socket> | undefined {
  const end = ahead.get(name);
  ahead.delete(name);
  return end;
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGTERM");
  } catch {
    // It has ended, and nobody has been told yet.
  }
}

/** Nothing is read from it here: what superteam writes is for the process. */
async function connected(path: string, name: string): Promise<Socket> {
  const socket = connect({ path });
  socket.pause();
  await once(socket, "connect");
  await new Promise<void>((resolve, reject) =>
    socket.write(`${name}\n`, (error) => (error ? reject(error) : resolve())),
  );
  return socket;
}
