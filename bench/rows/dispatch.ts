// What superteam adds to a call of pi, and what a spare saves.

import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { piArguments } from "../../src/adapters/agents/pi/command-line.ts";
import { piEnvironment } from "../../src/adapters/agents/pi/environment.ts";
import { piEnv, realPi } from "../../test/rig/agents/backends.ts";
import { type PiRig, withPi } from "../../test/rig/agents/pi.ts";
import { eventsOf, never, verdictOf } from "../../test/rig/agents/rig.ts";
import { type Measured, type Row, sideBySide, timed } from "../row.ts";

export const dispatchRows: readonly Row[] = [
  {
    name: "dispatch",
    what: "one dispatch / a bare pi --mode json with the same arguments, prompt and answer",
    bar: 1.1,
    measure: (strain) => withModel((rig) => dispatching(rig, strain)),
  },
  {
    name: "dispatch-warm",
    what: "time to the first model request with a warm spare / without",
    bar: 0.35,
    measure: (strain) => withModel((rig) => warming(rig, strain)),
  },
];

const rounds = 21;

async function withModel(measure: (rig: PiRig) => Promise<Measured>): Promise<Measured> {
  let measured: Measured | undefined;
  await withPi(
    () => ({ text: "Done." }),
    {},
    async (rig) => {
      // The first start of pi fills the disk's caches, and the first dispatch starts the watchdog.
      await dispatchOnce(rig);
      measured = await measure(rig);
    },
  );
  if (measured === undefined) throw new Error("Nothing was measured.");
  return measured;
}

async function dispatchOnce({ agents, order }: PiRig): Promise<void> {
  const verdict = verdictOf(await eventsOf(agents.dispatch(order(), never)));
  if (verdict.type !== "finished") throw new Error(`The dispatch failed: ${verdict.detail}`);
}

async function dispatching(rig: PiRig, strain: number): Promise<Measured> {
  const bare = await bareCall(rig);
  return sideBySide(rounds, "ms", {
    ours: () => timed(strain, () => dispatchOnce(rig)),
    theirs: () => timed(1, bare),
  });
}

/** The call that a script would make: the same arguments and environment, the prompt to stdin, the stream read. */
async function bareCall({ order, cwd, home }: PiRig): Promise<() => Promise<void>> {
  const { command, args } = await realPi();
  const one = order();
  await mkdir(one.folder, { recursive: true });
  const all = [...args, ...(await piArguments(one, one.folder))];
  const env = piEnvironment(piEnv(home), one);
  return () =>
    new Promise((resolve, reject) => {
      const child = spawn(command, all, { cwd, env });
      let last = "";
      child.stdout.on("data", (bytes: Buffer) => (last = bytes.toString("utf8")));
      child.stderr.resume();
      child.once("error", reject);
      child.once("close", () =>
        last.includes("agent_settled") ? resolve() : reject(new Error(`pi did not answer: ${last}`)),
      );
      child.stdin.end(one.prompt);
    });
}

/** Under strain the spare is not there when it is needed. */
async function warming(rig: PiRig, strain: number): Promise<Measured> {
  const toFirstRequest = async (): Promise<number> => {
    const [before, start] = [rig.server.requests.length, Date.now()];
    await dispatchOnce(rig);
    return (rig.server.requests[before]?.at ?? Number.NaN) - start;
  };
  let cold = 0;
  return sideBySide(rounds, "ms", {
    theirs: async () => {
      cold = await toFirstRequest();
      return cold;
    },
    ours: async () => {
      if (strain === 1) rig.agents.prepare(rig.order());
      // The agent before it works at least this long; a spare that has not booted yet would be measured as half cold.
      await pause(2 * cold);
      return toFirstRequest();
    },
  });
}
