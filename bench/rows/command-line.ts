// How fast the built command line answers, next to a Node that does nothing.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { runsAt } from "../../src/hosts/wiring/runs-at.ts";
import { build } from "../build.ts";
import { inFolder } from "../folder.ts";
import { modulesLoaded } from "../modules.ts";
import { type Measured, type Row, sideBySide, timed } from "../row.ts";

export const commandLineRows: readonly Row[] = [
  {
    name: "cli-version",
    what: "superteam --version, built / node -e 0",
    bar: 3,
    measure: (strain) => inFolder(async (folder) => answering([await build(folder), "--version"], strain)),
  },
  {
    name: "cli-status",
    what: "superteam status with a suspended run, built / node -e 0",
    bar: 3,
    measure: (strain) => inFolder(async (folder) => answering(await asking(folder), strain)),
  },
  {
    name: "cli-status-modules",
    what: "modules that superteam status loads with a suspended run, built",
    // 70 % of the 56 it loaded once.
    bar: 39,
    measure: (strain) =>
      inFolder(async (folder) => {
        const args = await asking(folder);
        return modulesLoaded({ below: join(folder, "dist"), into: folder }, strain, ({ options, env }) =>
          run(process.execPath, [...options, ...args], { env }),
        );
      }),
  },
  ...["stop", "abort", "answer"].map((command) => ({
    name: `cli-${command}`,
    what: `superteam ${command} to a live run that replies at once, built / node -e 0`,
    bar: 3,
    measure: (strain: number) =>
      inFolder(async (folder) => {
        const args = [...(await asking(folder)).slice(0, -1), command, ...(command === "answer" ? ["1"] : [])];
        const end = await replying(join(folder, "repository"));
        return answering(args, strain).finally(end);
      }),
  })),
];

const rounds = 21;
const run = promisify(execFile);

function answering(args: readonly string[], strain: number): Promise<Measured> {
  return sideBySide(rounds, "ms", {
    ours: () => timed(strain, () => run(process.execPath, args)),
    theirs: () => timed(1, () => run(process.execPath, ["-e", "0"])),
  });
}

/** Holds the run in this folder as one that works on it does, and agrees to all it is told. */
async function replying(root: string): Promise<() => Promise<void>> {
  const runs = await runsAt(root);
  const runId = (await runs.readActive()) ?? "";
  const leasing = await runs.lease(runId);
  if (!leasing.taken) throw new Error(leasing.message);
  const inbox = await runs.inbox(runId);
  const deaf = inbox.listen(({ id }) => void inbox.receipt(id, { ok: true, text: "Heard." }));
  return async () => {
    deaf();
    await leasing.lease.release();
  };
}

/** The words that ask for the status of a suspended run. */
async function asking(folder: string): Promise<readonly string[]> {
  const root = join(folder, "repository");
  await run(process.execPath, [join(import.meta.dirname, "../suspended-run.ts"), root]);
  const args = [await build(folder), "-C", root, "status"];
  const { stdout } = await run(process.execPath, args);
  if (!stdout.includes("Suspended")) throw new Error(`The run to look at is not there:\n${stdout}`);
  return args;
}
