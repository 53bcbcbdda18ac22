// Loaded before pi: has Node take the parts of superteam, when they are loaded, from the folder that is named behind the `?`.

import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const sources = new URL("../../src/", import.meta.url).href;
const bundled = `${decodeURI(new URL(import.meta.url).search.slice(1))}/src/`;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (!found.url.startsWith(`${sources}hosts/pi/`)) return found;
    const url = found.url.replace(sources, bundled).replace(/\.ts$/, ".mjs");
    return existsSync(fileURLToPath(url)) ? { ...found, url, format: "module" } : found;
  },
});
