// A stream that the real pi wrote, at work with its tools on a scripted model: what the decoder has to read, as it is.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelPlay } from "../../src/demo/model/play.ts";
import { withPi } from "../../test/rig/agents/pi.ts";
import { eventsOf, never, verdictOf } from "../../test/rig/agents/rig.ts";

export async function recordStream(): Promise<Buffer> {
  let bytes: Buffer | undefined;
  await withPi(work, {}, async ({ agents, order, cwd }) => {
    await writeFile(join(cwd, "module.ts"), "export const answer: number = 42; // the answer\n".repeat(100));
    const one = order();
    const verdict = verdictOf(await eventsOf(agents.dispatch(one, never)));
    if (verdict.type !== "finished") throw new Error(`The stream could not be recorded: ${verdict.detail}`);
    bytes = await readFile(join(one.folder, "stream.jsonl"));
  });
  if (bytes === undefined) throw new Error("The stream could not be recorded.");
  return bytes;
}

/** Eight turns with a tool each, then an answer of a page. */
const work: ModelPlay = ({ turn }) => {
  if (turn < 4) return { text: prose.slice(0, 400), tools: [{ name: "read", args: { path: "module.ts" } }] };
  if (turn < 8) return { text: prose.slice(0, 400), tools: [{ name: "bash", args: { command: "wc module.ts; ls" } }] };
  return { text: prose };
};

const prose = "The token bucket refills at a steady rate – naïve clients see “429” and wait. ".repeat(50);
