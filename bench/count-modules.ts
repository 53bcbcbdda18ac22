// Preloaded with `--import`: writes down every file below COUNT_BELOW that this process loads as a module, a line each, into
// COUNT_INTO. pi's loader reads the files of an extension by itself, so a file that is read counts like one that Node loads.

import fs from "node:fs";
import { registerHooks, syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";

const { COUNT_BELOW: below = "", COUNT_INTO: into = "" } = process.env;
const seen = new Set<string>();

function note(path: string): void {
  if (!path.startsWith(below) || !/\.[jt]s$/.test(path) || seen.has(path)) return;
  seen.add(path);
  fs.appendFileSync(into, `${path}\n`);
}

registerHooks({
  load(url, context, next) {
    if (url.startsWith("file:")) note(fileURLToPath(url));
    return next(url, context);
  },
});

const readFileSync = new Proxy(fs.readFileSync, {
  apply(read, self, args: Parameters<typeof fs.readFileSync>) {
    note(String(args[0]));
    return Reflect.apply(read, self, args);
  },
});
Object.assign(fs, { readFileSync });
syncBuiltinESMExports();
