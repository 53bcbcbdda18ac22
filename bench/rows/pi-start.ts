// How much longer pi takes to start because superteam is installed, as a package is: up to its first answer over RPC, which comes
// after all extensions are loaded and have heard that the session starts. What its main thread has computed by then is measured,
// as Linux counts it: the clock on the wall differs by more than is looked for here from one start to the next.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { offlineEnvironment, writePiHome } from "../../src/demo/model/pi.ts";
import { piProgram } from "../../test/rig/pi-host/session.ts";
import { makeRepository } from "../../test/rig/small-run.ts";
import { build } from "../build.ts";
import { inFolder } from "../folder.ts";
import { type Counted, modulesLoaded } from "../modules.ts";
import { type Measured, type Row, sideBySide } from "../row.ts";

export const piStartRows: readonly Row[] = [
  {
    name: "pi-start",
    what: "start of pi with superteam installed / without, in processor time",
    // An extension that does nothing is at 1.04 to 1.06: pi then starts its loader. A skill alone is 0.02, as pi then starts its YAML.
    bar: 1.15,
    measure: (strain) => inFolder((folder) => starting(folder, strain)),
  },
  {
    name: "pi-start-modules",
    what: "modules of superteam that pi loads at its start, installed",
    bar: 5,
    measure: (strain) =>
      inFolder(async (folder) => {
        const start = await startingIn(folder);
        const below = await installedIn(folder);
        return modulesLoaded({ below, into: folder }, strain, (counted) => start(["-e", below], { counted }));
      }),
  },
];

const rounds = 15;

/** Where Node runs no TypeScript. */
async function installedIn(folder: string): Promise<string> {
  const installed = join(folder, "node_modules/superteam");
  await build(installed);
  return installed;
}

interface Way {
  readonly counted?: Counted;
  /** Whether pi ends as its person ends it, and keeps what Node has compiled. */
  readonly orderly?: boolean;
}

type Start = (args: readonly string[], way?: Way) => Promise<number>;

/** Starts pi there up to its first answer, and gives what it has computed by then. */
async function startingIn(folder: string): Promise<Start> {
  const home = join(folder, "pi");
  await writePiHome(home, "http://127.0.0.1:9", "anthropic");
  const cwd = join(folder, "repository");
  makeRepository(cwd);
  const own = { ...offlineEnvironment, PI_CODING_AGENT_DIR: home, HOME: folder };
  return async (args, { counted, orderly = false } = {}) => {
    const { options, env } = counted ?? { options: [], env: process.env };
    const words = [...options, piProgram, "--mode", "rpc", "--no-session", ...args];
    const child = spawn(process.execPath, words, { cwd, env: { ...env, ...own } });
    child.stdin.write(`${JSON.stringify({ id: "ready", type: "get_state" })}\n`);
    await answered(child.stdout);
    const computed = await computedMs(child.pid);
    child.kill(orderly ? "SIGTERM" : "SIGKILL");
    await once(child, "close");
    return computed;
  };
}

async function starting(folder: string, strain: number): Promise<Measured> {
  const start = await startingIn(folder);
  const installed = await installedIn(folder);
  const withIt = async (): Promise<number> => {
    let sum = 0;
    for (let time = 0; time < strain; time++) sum += await start(["-e", installed]);
    return sum;
  };
  // The first starts fill the disk's caches, and Node's.
  await start([], { orderly: true });
  await start(["-e", installed], { orderly: true });
  return sideBySide(rounds, "ms", { ours: withIt, theirs: () => start([]) });
}

/** `schedstat` begins with nanoseconds on a processor. */
async function computedMs(pid: number | undefined): Promise<number> {
  return Number((await readFile(`/proc/${pid}/schedstat`, "utf8")).split(" ", 1)[0]) / 1e6;
}

async function answered(output: AsyncIterable<Buffer>): Promise<void> {
  let said = "";
  for await (const bytes of output) {
    said += bytes.toString("utf8");
    if (said.includes('"id":"ready"')) return;
  }
  throw new Error(`pi did not start: ${said}`);
}
