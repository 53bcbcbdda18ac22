// A pipeline of your own: two phases, two roles, one question, and a host that starts it. The schedule is in the run's
// first entry, so the host can show phases that it does not know. Run it: node examples/05-a-pipeline.ts

import { z } from "zod";
import { ask, definePipeline, dispatch, type Flow, Halt, outlineOf, run, scope, scriptedAgents } from "../src/index.ts";
import { agentsAtWork, begunJournal, inFolder, worldWith } from "./support/world.ts";

const letter = definePipeline({
  name: "letter",
  title: "a letter, written by one and read by another",
  schedule: [
    { phase: "draft", label: "Draft", title: "Writing", produces: ["text"] },
    { phase: "proof", label: "Proof", title: "Reading", requires: ["text"] },
  ],
  input: z.object({ to: z.string() }),
  returns: z.string(),
  questions: ["letter.tone"],
  roles: [
    { name: "writer", access: "read", next: "reader" },
    { name: "reader", access: "read" },
  ],
  run: function* ({ to }): Flow<string> {
    const tone = yield* ask({ id: "letter.tone", kind: "input", title: "Which tone?", message: "" });
    const text = yield* phase("draft", answerOf("writer", `Write to ${to} in a ${tone} tone.`));
    return `${text} (${yield* phase("proof", answerOf("reader", `Is this a letter to ${to}? ${text}`))})`;
  },
});

function phase(name: string, flow: Flow<string>): Flow<string> {
  return scope({ name, kind: "phase", returns: z.string() }, flow);
}

function* answerOf(role: string, prompt: string): Flow<string> {
  const outcome = yield* dispatch({ name: "letter", role, prompt, access: "read" });
  return outcome.status === "finished" ? outcome.text : `It failed: ${outcome.detail}`;
}

/** The host: it hands in the ports, starts the run, and shows which phases it went through. */
await inFolder(async (folder) => {
  const agents = scriptedAgents({ play: ({ role }) => ({ text: role === "writer" ? "Dear Ada!" : "It is one." }) });
  const journal = await begunJournal(outlineOf(letter), { to: "Ada" });
  const person = { ...worldWith({ journal }).person, ask: async () => "warm" };
  const world = worldWith({ journal, agents, person, ...agentsAtWork(folder, "scripted") });
  const end = await run(world, letter, new Halt());
  await agents.close();
  const entered = journal.entries.flatMap((entry) => (entry.type === "enter" ? [entry.scope] : []));
  for (const name of entered) console.log(letter.schedule.find((one) => one.phase === name)?.title);
  console.log(end.how === "finished" ? end.value : `The run is ${end.how}.`);
});
