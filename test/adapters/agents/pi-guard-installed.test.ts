// The guard and the skill as they are published: built, below a node_modules folder, where Node runs no TypeScript.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { ModelPlay } from "../../../src/demo/model/play.ts";
import { piEnv, realPi } from "../../rig/agents/backends.ts";
import { withPi } from "../../rig/agents/pi.ts";
import { eventsOf, never } from "../../rig/agents/rig.ts";

const project = join(import.meta.dirname, "../../..");

/** What `npm pack` would take along, built; what it depends on is the project's own. */
function publish(to: string): void {
  mkdirSync(to, { recursive: true });
  const ignored = ["--ignore-scripts", "--dry-run", "--json"];
  const [{ files }] = JSON.parse(execFileSync("npm", ["pack", ...ignored], { cwd: project, encoding: "utf8" }));
  const shipped: readonly string[] = files.map(({ path }: { readonly path: string }) => path);
  for (const path of shipped.filter((name) => !name.startsWith("dist/") && !name.startsWith("docs/"))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(project, path), join(to, path));
  }
  const tsc = join(project, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(project, "tsconfig.build.json"), "--outDir", join(to, "dist")]);
  symlinkSync(join(project, "node_modules"), join(to, "node_modules"));
}

test("the published guard is loaded, and the published skill is shown", async () => {
  const play: ModelPlay = ({ turn }) =>
    turn === 0 ? { tools: [{ name: "write", args: { path: "a.ts", content: "x" } }] } : { text: "Done." };
  await withPi(play, {}, async ({ order, server, home, cwd }) => {
    const superteam = join(cwd, "../node_modules/superteam");
    publish(superteam);
    const { piAgents } = await import(pathToFileURL(join(superteam, "dist/adapters/agents/pi/backend.js")).href);
    const agents = piAgents(await realPi(), piEnv(home));
    try {
      const events = await eventsOf(agents.dispatch(order({ testFirst: "guarded" }), never));
      const guards = events.flatMap((event) => (event.type === "tool" && event.guard ? [event.guard] : []));
      assert.deepEqual(guards, [{ did: "held-back", file: "a.ts" }]);
      assert.equal(existsSync(join(cwd, "a.ts")), false);
      const shown = /<location>([^<]+)<\/location>/.exec(server.requests[0]?.system ?? "")?.[1];
      assert.equal(shown, join(superteam, "skills/test-driven-development/SKILL.md"));
    } finally {
      await agents.close();
    }
  });
});
