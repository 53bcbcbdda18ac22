// One dispatch of an agent with a long stream, in a process of its own: prints the peak of its memory, in MB.
// Called as: peak.ts <file> <megabytes> <folder> <leak|keep-nothing>

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { piAgents } from "../../src/adapters/agents/pi/backend.ts";

const [file = "", megabytes = "", folder = "", leak = ""] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const emitter = join(import.meta.dirname, "emit.ts");
const args = [emitter, file, megabytes];
const program = { command: process.execPath, args, version: "0.0.0", path: emitter, from: "configuration" } as const;
const agents = piAgents(program, process.env);
const order = {
  id: "peak",
  role: "tester",
  prompt: "Go.\n",
  system: "You test.",
  context: "",
  backend: "pi",
  capabilities: [],
  model: null,
  thinking: "off",
  cwd: folder,
  timeoutMs: 600_000,
  stuckMs: 600_000,
  silentMs: 600_000,
  environment: [],
  folder: join(folder, "dispatch"),
};

const leaked: unknown[] = [];
let last = "";
for await (const event of agents.dispatch(order, new AbortController().signal)) {
  last = event.type;
  if (leak === "leak") leaked.push(Buffer.alloc(64 * 1024, last));
}
await agents.close();
if (last !== "finished") throw new Error(`The dispatch ended with ${last}.`);
console.log(process.resourceUsage().maxRSS / 1024);
