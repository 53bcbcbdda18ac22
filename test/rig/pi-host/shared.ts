// One pi for all tests of a process that are not about how pi starts or ends: a new session costs a twentieth of a new pi.
// Each test finds the repository, the configuration and the records as they are after a start.

import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import type { ModelPlay } from "../../../src/demo/model/play.ts";
import { type Cli, openCli } from "../cli/cli.ts";
import { smallPlay } from "../cli/small-play.ts";
import { openPi, type PiSession } from "./session.ts";

/** A repository, and pi there. */
export interface Desk {
  readonly cli: Cli;
  readonly pi: PiSession;
}

type Ending = () => Promise<void>;
/** Whatever ends what was opened. */
interface Endings {
  after(end: Ending): void;
}

/**
 * Gives what was opened once to one test after the other, renewed for each. Where pi has ended, or a test has failed, the next
 * test opens its own.
 */
export function sharing<T extends { readonly pi: PiSession }>(
  open: (endings: Endings) => Promise<T>,
  renew: (opened: T) => Promise<void>,
): (context: TestContext) => Promise<T> {
  const endings: Ending[] = [];
  let opened: T | undefined;
  const close = async (): Promise<void> => {
    opened = undefined;
    for (const end of endings.splice(0).reverse()) await end();
  };
  after(close);
  return async (context) => {
    context.after(async () => {
      const passed = "passed" in context && context.passed;
      if (!passed) await close();
    });
    if (opened?.pi.hasEnded) await close();
    if (opened) await renew(opened);
    opened ??= await open({ after: (end) => void endings.push(end) });
    return opened;
  };
}

/** Of the test that has the pi. */
let play: ModelPlay;
const share = sharing(open, renew);

/** Gives the pi of this process to a test, in a repository like the one of `model` if there is one. */
export async function sharePi(context: TestContext, ownPlay: ModelPlay = smallPlay(), model?: Cli): Promise<Desk> {
  play = ownPlay;
  const desk = await share(context);
  if (model) {
    empty(desk.cli.root);
    copy(model.root, desk.cli.root);
  }
  return desk;
}

async function open(endings: Endings): Promise<Desk> {
  const cli = await openCli(endings, { play: (turn) => play(turn) });
  for (const name of restored(cli)) copy(join(cli.folder, name), join(cli.folder, kept, name));
  return { cli, pi: openPi(endings, cli) };
}

/** What the test before has left at work ends with its session; the next one starts where nothing is left. */
async function renew({ cli, pi }: Desk): Promise<void> {
  await pi.ask({ type: "abort" });
  await pi.ask({ type: "new_session" });
  restore(cli);
  await pi.ask({ type: "new_session" });
  pi.forget();
}

const kept = "as-opened";
const ofPi = "pi";

function restored(cli: Cli): readonly string[] {
  return readdirSync(cli.folder).filter((name) => name !== kept && name !== ofPi);
}

/** The repository's folder itself stays: it is where pi works. */
function restore(cli: Cli): void {
  for (const name of restored(cli)) {
    const path = join(cli.folder, name);
    if (path === cli.root) empty(path);
    else remove(path);
  }
  copy(join(cli.folder, kept), cli.folder);
}

function empty(folder: string): void {
  for (const name of readdirSync(folder)) remove(join(folder, name));
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}
