// What a planner has to write for a plan: the demo's, in which a reviewer finds something and the plan is patched.

import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { quickPiFile } from "../../test/rig/agents/backends.ts";
import { inFolder } from "../folder.ts";
import type { Row } from "../row.ts";

const project = join(import.meta.dirname, "../..");

export const planRows: readonly Row[] = [
  {
    name: "planner-output",
    what: "characters that the planner writes (text and tool calls, one revision included) / the finished plan",
    bar: 1.2,
    measure: (strain) =>
      inFolder(async (folder) => {
        const kept = join(folder, "demo");
        const env = { ...process.env, XDG_CONFIG_HOME: folder, SUPERTEAM_PI: quickPiFile };
        const args = [join(project, "scripts/superteam.mjs"), "demo", "--keep", kept];
        await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 26 });
        const written = await writtenBy("planner", join(kept, "repository/.git/superteam/runs"));
        if (written.length !== 2)
          throw new Error(`The plan should be revised once; its agents were ${written.length}.`);
        const plans = join(kept, "repository/docs/plans");
        const [plan = ""] = (await readdir(plans)).filter((name) => name.endsWith("-plan.md"));
        const ours = written.reduce((sum, characters) => sum + characters, 0) * strain;
        const theirs = (await readFile(join(plans, plan), "utf8")).length;
        return { ratio: ours / theirs, ours, theirs, unit: "characters" };
      }),
  },
];

/** For each agent of the role, what it wrote, as its stream has it. */
async function writtenBy(role: string, runs: string): Promise<readonly number[]> {
  const files = await readdir(runs, { recursive: true });
  const streams = files.filter((file) => file.endsWith(`-${role}/stream.jsonl`));
  return Promise.all(streams.map(async (file) => charactersIn(await readFile(join(runs, file), "utf8"))));
}

function charactersIn(stream: string): number {
  const events = stream.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const parts = events
    .filter(({ type, message }) => type === "message_end" && message.role === "assistant")
    .flatMap(({ message }): readonly Part[] => message.content);
  return parts.reduce((sum, { text, arguments: given }) => sum + (text ?? JSON.stringify(given) ?? "").length, 0);
}

interface Part {
  readonly text?: string;
  /** Of a call. */
  readonly arguments?: unknown;
}
