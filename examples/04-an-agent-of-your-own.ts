// An agent of your own: a backend for any program that reads a prompt from stdin and prints its answer, such as `llm` or
// `ollama run`. Here the program is one line of Node, so that it needs no model. A run may use several backends: each role
// names its own. Run it: node examples/04-an-agent-of-your-own.ts
// It has no tools, so it can review and answer, but not read files or write them; and it reports no usage, so it costs nothing here. One
// that becomes part of superteam does both, and passes `agentsContract`: a line in test/adapters/agents/contract.test.ts.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  allowedEnvironment,
  type Backend,
  bareOutline,
  dispatch,
  type Flow,
  Halt,
  openBackends,
  processAgents,
  processLeftovers,
  run,
  type StreamReader,
} from "../src/index.ts";
import { agentsAtWork, begunJournal, worldWith } from "./support/world.ts";

/** Each dispatch is one process. superteam starts and aborts it, limits its time and cleans up after a crash. */
export function promptProgram(name: string, command: string, args: readonly string[]): Backend {
  const reader = () => answerReader(`${name}/model`);
  const known = { name, loginAdvice: `install ${command}` };
  const found = { ...known, version: "1", description: `1 (${command})` };
  const models = async () => ({ ok: true, models: [`${name}/model`] }) as const;
  return {
    ...known,
    variables: [],
    tools: () => [],
    leftovers: processLeftovers(reader),
    find: async (variables) => {
      const env = allowedEnvironment(variables, []);
      const agents = processAgents({ name, reader, spares: 0, command: async () => ({ command, args, env }) });
      return { found: true, backend: { ...found, models, agents } };
    },
  };
}

/** Everything printed is the answer, unless the program was stopped or its exit code says that it failed. */
function answerReader(model: string): StreamReader {
  let output = "";
  return {
    read(bytes) {
      const isFirst = output === "";
      output += bytes.toString("utf8");
      return isFirst ? [{ type: "started", model }] : [];
    },
    busy: false,
    halt: undefined,
    close({ exit, stop, stderr }) {
      const text = output.trim();
      if (stop) return [{ type: "failed", ...stop, output: text, model }];
      if (exit.how === "exited" && exit.code === 0) return [{ type: "finished", text, model }];
      return [{ type: "failed", kind: "crashed", detail: `It failed: ${stderr}`, output: text, model }];
    },
  };
}

function* greeting(): Flow<string> {
  const outcome = yield* dispatch({ name: "greet", role: "greeter", prompt: "Greet Ada.", access: "read" });
  return outcome.status === "finished" ? outcome.text : `It failed: ${outcome.detail}`;
}

const folder = mkdtempSync(join(tmpdir(), "superteam-example-"));
const program = "process.stdin.on('data', (prompt) => console.log(String(prompt).toUpperCase()))";
const shout = promptProgram("shout", process.execPath, ["-e", program]);
const { agents } = openBackends({ shout: async () => shout }, process.env);
const journal = await begunJournal(bareOutline("greet"), null);
const world = worldWith({ journal, agents, ...agentsAtWork(folder, "shout") });
const end = await run(world, { flows: {}, start: greeting }, new Halt());
console.log(end.how === "finished" ? end.value : `The run is ${end.how}.`);
await agents.close();
rmSync(folder, { recursive: true });
