// A run that waits at its first question, made once for a test file; each test works on a copy.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { type Cli, openCli } from "./cli.ts";
import { goal } from "./small-play.ts";

/** To be called at the top of a test file. Gives a copy by that name. */
export function waitingRun(): (name: string) => Cli {
  const endings: (() => Promise<void>)[] = [];
  let first: Cli | undefined;
  before(async () => {
    first = await openCli({ after: (end) => void endings.push(end) });
    const exit = await first.go("run", goal, "--mode", "standard");
    assert.equal(exit.code, 2, exit.stderr);
  });
  after(async () => {
    for (const end of endings) await end();
  });
  return (name) => {
    assert.ok(first);
    return first.copy(name);
  };
}
