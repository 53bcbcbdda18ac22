// Loaded before a test when mutants are on trial: gives some files another text while they are loaded. The working tree is never
// written to. It comes by NODE_OPTIONS, so programs that a test starts are mutated as well.

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const { texts } = JSON.parse(readFileSync(process.env.SUPERTEAM_MUTANTS, "utf8"));

globalThis.isOn = (id) => String(id) === process.env.SUPERTEAM_MUTANT;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    return texts[url] === undefined ? loaded : { ...loaded, source: texts[url] };
  },
});
