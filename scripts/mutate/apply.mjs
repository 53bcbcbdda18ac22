// Loaded before a test when a mutant is on trial: swaps one place in the source of one file while it is loaded. The working tree
// is never written to. It comes by NODE_OPTIONS, so programs that a test starts are mutated as well.

import { registerHooks } from "node:module";

const { url, start, end, replacement } = JSON.parse(process.env.SUPERTEAM_MUTANT);

registerHooks({
  load(each, context, nextLoad) {
    const loaded = nextLoad(each, context);
    if (each !== url) return loaded;
    const source = String(loaded.source);
    return { ...loaded, source: source.slice(0, start) + replacement + source.slice(end) };
  },
});
