// An agent is given what its order says and nothing else: what a repository or the person's own pi brings along is planted in
// every place pi looks at, and must not show.

import assert from "node:assert/strict";
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { suite, test } from "node:test";
import { piAgents } from "../../../src/adapters/agents/pi/backend.ts";
import { realPi } from "../../rig/agents/backends.ts";
import { withPi } from "../../rig/agents/pi.ts";
import { eventsOf, never, verdictOf } from "../../rig/agents/rig.ts";

const leaking = {
  "skills/leaked/SKILL.md": "---\nname: leaked\ndescription: LEAKED by a skill.\n---\nLEAKED\n",
  "prompts/bake.md": "LEAKED by a prompt template.\n",
  "themes/leaked.json": JSON.stringify({ name: "leaked", colors: {} }),
};

/** Leaves a file where it was loaded, and tells the model so. */
const extension = (mark: string): string => `
import { writeFileSync } from "node:fs";
export default function (pi) {
  writeFileSync(${JSON.stringify(mark)}, "loaded");
  pi.on("before_agent_start", (event) => ({ systemPrompt: event.systemPrompt + " LEAKED by an extension." }));
}
`;

/** Notes every file that pi reads whole. A theme shows nowhere else without a screen. */
const spy = (notes: string): string => `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const read = fs.readFileSync;
fs.readFileSync = (path, ...rest) => {
  fs.appendFileSync(${JSON.stringify(notes)}, path + "\\n");
  return read(path, ...rest);
};
syncBuiltinESMExports();
`;

suite("an agent of pi", { timeout: 240_000 }, () => {
  test("is given no extension, skill, prompt template or theme of the repository or of the person", async () => {
    await withPi(
      () => ({ text: "Yes." }),
      {},
      async ({ env, order, cwd, home, server }) => {
        const marks = join(home, "marks");
        for (const place of [home, join(cwd, ".pi")]) {
          await plant(place, { ...leaking, "extensions/leak.ts": extension(`${marks}-${place === home}`) });
        }
        const notes = join(home, "notes");
        await plant(home, { "spy.mjs": spy(notes) });
        const program = await realPi();
        const watched = piAgents({ ...program, args: ["--import", join(home, "spy.mjs"), ...program.args] }, env);
        const events = await eventsOf(watched.dispatch(order({ prompt: "/bake" }), never));
        await watched.close();

        assert.equal(verdictOf(events).type, "finished");
        const [request] = server.requests;
        assert.equal(request?.prompt.trim(), "/bake");
        assert.ok(!JSON.stringify(request).includes("LEAKED"), request?.system);
        for (const each of [true, false]) await assert.rejects(access(`${marks}-${each}`), { code: "ENOENT" });
        const reads = (await readFile(notes, "utf8")).split("\n");
        assert.ok(reads.includes(join(home, "settings.json")), "what pi reads is noted");
        assert.deepEqual(
          reads.filter((path) => path.endsWith("themes/leaked.json")),
          [],
        );
      },
    );
  });

  test("leaves no session in the person's pi", async () => {
    await withPi(
      () => ({ text: "Yes." }),
      {},
      async ({ agents, order, home }) => {
        assert.equal(verdictOf(await eventsOf(agents.dispatch(order(), never))).type, "finished");
        const left = await readdir(home, { recursive: true });
        assert.deepEqual(
          left.filter((name) => name.endsWith(".jsonl")),
          [],
        );
      },
    );
  });
});

async function plant(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
