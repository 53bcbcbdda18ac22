// superteam log: what happened, from the journal; of the run by that id, else the active one, else the last one. With --follow it goes on as it
// happens, until the run ends or nobody reads it any more.

import { watch } from "node:fs";
import { readFileJournal } from "../../../adapters/journal/file.ts";
import { applyEntry } from "../../../engine/views/fold/run-view.ts";
import { emptyView } from "../../../engine/views/fold/shape.ts";
import { toEvents } from "../../../engine/views/tell/events.ts";
import { logLine } from "../../../engine/views/tell/log.ts";
import type { Entry } from "../../../ports/journal.ts";
import { chooseRun } from "../../../runs/look/look.ts";
import { openTree } from "../../../runs/tree.ts";

export interface LogOptions {
  readonly folder: string;
  readonly id?: string | undefined;
  readonly json?: boolean;
  readonly follow?: boolean;
}

export async function log(options: LogOptions): Promise<void> {
  const { store } = await openTree(options.folder);
  const { folder } = store.paths(await chooseRun(store, options.id));
  const print = printer(options.json ?? false);
  let ended = print((await readFileJournal(folder)).entries);
  if (!options.follow) return;
  const changes = watchFolder(folder);
  process.stdout.once("error", () => {
    ended = true;
  });
  try {
    while (!ended) {
      await changes.next();
      if (print((await readFileJournal(folder)).entries)) ended = true;
    }
  } finally {
    changes.close();
  }
}

/** Prints what is new in a journal, and says whether the run has ended. */
function printer(json: boolean): (entries: readonly Entry[]) => boolean {
  const view = emptyView();
  let printed = 0;
  return (entries) => {
    for (const entry of entries.slice(printed)) {
      applyEntry(view, entry);
      const lines = json ? toEvents(entry, view).map((event) => JSON.stringify(event)) : [logLine(entry, view)];
      for (const line of lines) if (line !== undefined) process.stdout.write(`${line}\n`);
    }
    printed = entries.length;
    return view.ending !== null;
  };
}

/** Resolves when something was written, and once a second in any case: some file systems tell nobody. */
function watchFolder(folder: string) {
  let wake: () => void = () => undefined;
  const watcher = watch(folder, () => wake());
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, 1000);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return { next, close: () => watcher.close() };
}
