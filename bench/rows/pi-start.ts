// How much longer pi takes to start because superteam is installed: from its process to its first answer over RPC, which
// comes after all extensions are loaded and have heard that the session starts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { offlineEnvironment, writePiHome } from "../../src/hosts/demo/model/pi.ts";
import { piProgram } from "../../test/rig/pi-host/session.ts";
import { makeRepository } from "../../test/rig/small-run.ts";
import { inFolder } from "../folder.ts";
import { type Measured, type Row, timed } from "../row.ts";

export const piStartRows: readonly Row[] = [
  {
    name: "pi-start",
    what: "start of pi with superteam / without, the fastest of each",
    // An extension that does nothing is at 1.07: pi then starts its loader.
    bar: 1.15,
    measure: (strain) => inFolder((folder) => starting(folder, strain)),
  },
];

const rounds = 20;
const project = join(import.meta.dirname, "../..");

async function starting(folder: string, strain: number): Promise<Measured> {
  const home = join(folder, "pi");
  await writePiHome(home, "http://127.0.0.1:9", "anthropic");
  const cwd = join(folder, "repository");
  makeRepository(cwd);
  const env = { ...process.env, ...offlineEnvironment, PI_CODING_AGENT_DIR: home, HOME: folder };
  const start = async (...args: readonly string[]): Promise<void> => {
    const child = spawn(process.execPath, [piProgram, "--mode", "rpc", "--no-session", ...args], { cwd, env });
    child.stdin.write(`${JSON.stringify({ id: "ready", type: "get_state" })}\n`);
    await answered(child.stdout);
    child.kill("SIGKILL");
    await once(child, "close");
  };
  // The first starts fill the disk's caches.
  await start();
  await start("-e", project);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    theirs.push(await timed(1, () => start()));
    ours.push(await timed(strain, () => start("-e", project)));
  }
  return compared(Math.min(...ours), Math.min(...theirs));
}

/** What disturbs a start only makes it slower, and by more than is looked for here: the fastest says most. */
function compared(ours: number, theirs: number): Measured {
  return { ratio: ours / theirs, ours, theirs, unit: "ms" };
}

async function answered(output: AsyncIterable<Buffer>): Promise<void> {
  let said = "";
  for await (const bytes of output) {
    said += bytes.toString("utf8");
    if (said.includes('"id":"ready"')) return;
  }
  throw new Error(`pi did not start: ${said}`);
}
