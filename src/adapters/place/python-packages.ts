// Python's packages as the tests in a place would import them: one that was installed "editable" is read from the tree that it was
// installed from, wherever the tests run.

import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { OutsideFailure } from "../../ports/failure.ts";
import { ifPresent } from "../files/present.ts";
import { isIn } from "./is-in.ts";
import type { Move, RunIn } from "./move.ts";

/** What runs Python where a test command is one of its: `poetry run python` for `poetry run pytest`. */
export function pythonOf(testCommand: string): string | undefined {
  const [, runner] = /^\s*(\S.*?)\s+-m\s+(?:pytest|unittest)\b/.exec(testCommand) ?? [];
  if (runner !== undefined) return runner;
  const [, before, folder = ""] =
    /^\s*((?:(?:uv|poetry|pipenv|hatch|pdm)\s+run\s+)?)([\w./-]*\/)?(?:pytest|py\.test)(?:\s|$)/.exec(testCommand) ??
    [];
  if (before === undefined) return undefined;
  return `${before}${folder}${before + folder === "" ? "python3" : "python"}`;
}

/** Throws where a package of the place is read from the person's own tree. `python` is what runs the tests. */
export async function refusePackagesBack({ from, to }: Move, python: string, run: RunIn): Promise<void> {
  const names = [...(await packagesIn(to)), ...(await packagesIn(join(to, "src")))];
  if (names.length === 0) return;
  const { output } = await run(to, `${python} -c '${whereFrom}' ${names.slice(0, mostPackages).join(" ")}`);
  for (const [, name = "", path = ""] of output.matchAll(/^(\w+)\t(.+)$/gm)) {
    const origin = await ifPresent(realpath(path));
    if (origin === undefined || !isIn(origin, from)) continue;
    throw new OutsideFailure(
      "configuration",
      `Python reads ${name} from ${origin} in your own tree, so tests in ${to} would test your files. Set worktree.setup to a command that installs it there (python3 -m venv .venv && .venv/bin/pip install -e .), and testCommand to one that uses it (.venv/bin/python -m pytest).`,
    );
  }
}

const mostPackages = 50;

/** Packages and modules that a folder has, as far as they have plain names. */
async function packagesIn(folder: string): Promise<readonly string[]> {
  const entries = (await ifPresent(readdir(folder, { withFileTypes: true }))) ?? [];
  const found: string[] = [];
  for (const entry of entries) {
    const [, name] = /^((?!__)[A-Za-z_]\w*)(?:\.py)?$/.exec(entry.name) ?? [];
    if (name === undefined) continue;
    if (entry.isFile() && entry.name.endsWith(".py")) found.push(name);
    else if (entry.isDirectory() && ((await ifPresent(readdir(join(folder, name)))) ?? []).includes("__init__.py"))
      found.push(name);
  }
  return found;
}

/** Nothing is imported: Python only says where it would find it. */
const whereFrom = `import importlib.util, sys
for name in sys.argv[1:]:
    spec = importlib.util.find_spec(name)
    if spec and spec.origin: print(name, spec.origin, sep="\\t")`;
