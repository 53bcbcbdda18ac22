// A run that waits at its first question, made once for all test files of a process. Each file works on a copy with a model of its
// own, and each of its tests on a copy of that.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { type Cli, openCli } from "./cli.ts";
import { goal } from "./small-play.ts";

/** To be called at the top of a test file. Gives a copy by that name. */
export function waitingRun(): (name: string) => Cli {
  const endings: (() => Promise<void>)[] = [];
  let first: Cli | undefined;
  before(async () => {
    prepared ??= prepare();
    const { folder } = await prepared;
    first = await openCli({ after: (end) => void endings.push(end) }, { from: folder });
  });
  after(async () => {
    for (const end of endings) await end();
  });
  return (name) => {
    assert.ok(first);
    return first.copy(name);
  };
}

let prepared: Promise<Cli> | undefined;

/** Its files stay until the process ends: the next file may want them. */
async function prepare(): Promise<Cli> {
  const endings: (() => Promise<void>)[] = [];
  const cli = await openCli({ after: (end) => void endings.push(end) }, { isKept: true });
  const exit = await cli.go("run", goal, "--mode", "standard");
  assert.equal(exit.code, 2, exit.stderr);
  for (const end of endings) await end();
  return cli;
}
