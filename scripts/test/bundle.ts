// The programs that tests start, in fewer files, made once for all of them: they are started hundreds of times, and to load the 400
// sources of the command line takes longer than most of what it is started for.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/**
 * Gives the folder they are in, each where its source is in the project. The folder is named by all that it holds: two commands
 * at once may have it in common, and other sources make another.
 */
export async function bundle(cache: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [...programs, ...partsInPi()],
    outbase: ".",
    outdir: cache,
    write: false,
    bundle: true,
    // What is loaded only when it is needed stays apart.
    splitting: true,
    format: "esm",
    platform: "node",
    external: ["@earendil-works/*"],
    target: "node22",
    outExtension: { ".js": ".mjs" },
    banner: { js: forCommonJs },
    plugins: [atHome],
    logLevel: "silent",
  });
  const hash = createHash("sha256");
  for (const { path, contents } of outputFiles) hash.update(path).update(contents);
  const folder = join(cache, `${prefix}${hash.digest("hex").slice(0, 16)}`);
  if (await isKept(folder)) return folder;
  await forgetOld(cache);
  const made = await mkdtemp(join(cache, "new-"));
  for (const { path, contents } of outputFiles) {
    const file = join(made, relative(cache, path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
  // Another command may have been faster.
  await rename(made, folder).catch(() => rm(made, { recursive: true }));
  return folder;
}

/** `test/rig/bundled.ts` finds them. */
export const programs = [
  "scripts/superteam.mjs",
  "src/hosts/cli/main.ts",
  "test/rig/crash/killable.ts",
  "test/rig/person/remote.ts",
];

/** What superteam loads on first use inside pi. */
function partsInPi(): readonly string[] {
  const loader = "src/hosts/pi/load.ts";
  const named = readFileSync(loader, "utf8").matchAll(/typeof import\("([^"]+)"\)/g);
  return [...named].map(([, part = ""]) => join(dirname(loader), part));
}

const prefix = "programs-";

/** Packages of the older kind ask for `require`. */
const forCommonJs =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/** A source finds what lies beside it where it would without the bundle. */
const atHome: Plugin = {
  name: "at home",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/](?:src|test)[\\/].*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      if (path.includes("node_modules") || !source.includes("import.meta.")) return null;
      const contents = source
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)));
      return { contents, loader: "ts" };
    });
  },
};

async function isKept(folder: string): Promise<boolean> {
  const now = new Date();
  return utimes(folder, now, now).then(
    () => true,
    () => false,
  );
}

const dayMs = 24 * 60 * 60_000;

/** Those that no command has asked for since yesterday. */
async function forgetOld(cache: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  for (const name of (await readdir(cache)).filter((each) => each.startsWith(prefix))) {
    const folder = join(cache, name);
    if ((await stat(folder)).mtimeMs < Date.now() - dayMs) await rm(folder, { recursive: true, force: true });
  }
}
