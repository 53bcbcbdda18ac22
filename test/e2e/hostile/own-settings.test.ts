// The person's own configuration, changed by an agent in the middle of a run.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";

const mine = { execution: { warmSpares: false }, validationCommand: "test ! -e letter-2.txt" };
const loosened = JSON.stringify({ ...mine, validationCommand: "true" });

for (const [what, text, named] of [
  ["loosens", loosened, /config\.json was changed while the run was at work:\s+.*true/],
  ["breaks", "{ no json", /config\.json was changed while the run was at work, and cannot be used now/],
] as const)
  test(`S2: an agent that ${what} the person's own configuration changes no gate of the tasks after it, and it is named once`, async (context) => {
    const config = '"$PI_CODING_AGENT_DIR/../config/superteam/config.json"';
    const command = `echo 'Dear reader,' > letter.txt; printf '%s' '${text}' > ${config}`;
    const play = smallPlay(
      (step, turn) =>
        step === "execute/task-1/implement" && turn === 0 ? { tools: [{ name: "bash", args: { command } }] } : {},
      2,
    );
    const cli = await openCli(context, { play, trust: true });
    cli.git("rm", "-q", ".superteam.json");
    cli.git("commit", "-qm", "No settings of its own");
    const file = join(cli.folder, "config/superteam/config.json");
    writeFileSync(file, JSON.stringify(mine));
    const exit = await cli.go("run", goal, "--answers", cli.beside("answers.json", allAnswers));
    assert.equal(readFileSync(file, "utf8"), text);
    assert.match(exit.stderr, named);
    assert.equal(exit.stderr.match(/was changed while the run was at work/g)?.length, 1, exit.stderr);
    assert.match(
      exit.stderr,
      /✗ validation: test ! -e letter-2\.txt failed/,
      "the gate of the second task still holds",
    );
  });
