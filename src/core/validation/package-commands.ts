// What package.json says: its scripts, run by the package manager whose lock file is there.

import type { Definition, FoundCommand } from "./found-command.ts";
import { jsonIn, type TreeFiles, textsOf } from "./tree-files.ts";

const from = "package.json";

export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

export function packageCommands(files: TreeFiles): readonly FoundCommand[] {
  const manifest = jsonIn(files, from);
  if (manifest === undefined) return [];
  const scripts = textsOf(manifest["scripts"]);
  const manager = managerOf(files, manifest);
  const own = (key: FoundCommand["key"], name: string): FoundCommand => ({
    key,
    command: scriptCommand(manager, name),
    from,
    definition: "",
  });
  const test = testScripts.find((name) => isReal(scripts[name]));
  const quick = quickScripts.find((name) => isReal(scripts[name]));
  return [
    ...(test === undefined ? testsOfMembers(files, manifest, manager) : [own("testCommand", test)]),
    ...(quick === undefined ? typeCheck(files, manifest, manager) : [own("validationCommand", quick)]),
  ];
}

/** In the order of preference. */
const testScripts = ["test", "tests", "test:unit", "unit", "test:ci", "test:run", "test:once"];
const quickScripts = ["typecheck", "type-check", "check-types", "check:types", "types", "tsc", "lint"];

/** `npm init` writes a script that only says something, as people do who have no tests; one that watches never ends. */
const isReal = (script: string | undefined): boolean =>
  script !== undefined && commandsIn(script).some((part) => !says.test(part)) && !watches.test(script);

/** The commands of a line, without what is quoted. */
const commandsIn = (script: string): readonly string[] =>
  script
    .replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "")
    .split(/[;&|\n]+/)
    .filter((part) => part.trim() !== "");

const says = /^\s*(?:echo|printf|true|false|exit|:)(?:\s|$)/;
const watches = /\s--watch(?:-?all)?(?=\s|$|=true)|\bvitest\s+(?:watch|dev)\b|\bnodemon\b/i;

function managerOf(files: TreeFiles, manifest: Readonly<Record<string, unknown>>): PackageManager {
  const locked = lockFiles.find(([name]) => files.names("").includes(name));
  if (locked) return locked[1];
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest["packageManager"] ?? ""))?.[1];
  return managers.find((manager) => manager === named) ?? "npm";
}

const managers: readonly PackageManager[] = ["npm", "pnpm", "yarn", "bun"];
const lockFiles: readonly (readonly [string, PackageManager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];

function scriptCommand(manager: PackageManager, name: string): string {
  return manager === "npm" && name === "test" ? "npm test" : `${manager} run ${name}`;
}

/** The scripts that a command line has a package manager run, of this package and of those that the line names or means. */
export function packageDefinition(command: string, files: TreeFiles): Definition {
  const manifest = jsonIn(files, from) ?? {};
  const members = ofMembers.test(command) ? memberFolders(files, manifest) : [];
  const named = command.split(/[\s"'`;&|()=]+/).map((word) => word.replace(/^\.\/|\/$/g, ""));
  const folders = new Set([...named, ...members].filter((folder) => folder !== "" && folder !== "."));
  const parts = ["", ...folders].flatMap((folder) => {
    const scripts = scriptsIn(files, folder);
    const text = definitionOf(scripts, ...namedIn(command, Object.keys(scripts)));
    if (text === "") return [];
    return [folder === "" ? text : `${folder}: ${text}`, ...decidingSettings(files, folder)];
  });
  return { from: parts.length === 0 ? "" : from, definition: parts.join("\n") };
}

/** What a package manager's own settings say of how it runs scripts. There are secrets beside them. */
function decidingSettings(files: TreeFiles, folder: string): readonly string[] {
  return settingFiles.flatMap((name) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    const lines = (files.text(path) ?? "").split("\n").filter((line) => deciding.test(line));
    return lines.map((line) => `${path}: ${line.trim()}`);
  });
}

export const settingFiles = [".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml", "bunfig.toml"];
const deciding =
  /^\s*(?:-\s+)?["']?(?:script-?shell|shell-?emulator|ignore-?scripts|enable-?pre-?post-?scripts|node-?options|yarn-?path|shell|preload|plugins?|path)["']?\s*[=:\s]/i;

const ofMembers = /\s(?:-r|--recursive|-w|--workspaces?|-ws|--filter|-F|workspaces?)(?=\s|=|$)/;

function scriptsIn(files: TreeFiles, folder: string): Readonly<Record<string, string>> {
  return textsOf(jsonIn(files, folder === "" ? from : `${folder}/${from}`)?.["scripts"]);
}

/** Scripts with those that they run, before, after or by name: one line each. */
export function definitionOf(scripts: Readonly<Record<string, string>>, ...names: readonly string[]): string {
  const seen = new Set<string>();
  const add = (script: string): void => {
    const text = scripts[script];
    if (text === undefined || seen.has(script)) return;
    seen.add(script);
    for (const other of [`pre${script}`, `post${script}`, ...namedIn(text, Object.keys(scripts))]) add(other);
  };
  for (const name of names) add(name);
  if (seen.size === 1) return [...seen].map((script) => scripts[script]).join("");
  return [...seen].map((script) => `${script}: ${scripts[script]}`).join("\n");
}

/** Scripts that a script runs: `npm run x`, `npm-run-all x y:*`, `concurrently npm:x`, `pnpm x`, `node --run x`. */
function namedIn(script: string, names: readonly string[]): readonly string[] {
  if (!/\b(?:npm|pnpm|yarn|bun|npm-run-all|run-s|run-p|node\s+--run)\b/.test(script)) return [];
  return script.split(/[\s"'`;&|()]+/).flatMap((word) => {
    const [, said = "", star] = /^(?:npm:)?(.*?)(?:(?<=:)(\*{1,2}))?$/.exec(word) ?? [];
    const name = shortNames.has(said) && !names.includes(said) ? "test" : said;
    return star === undefined ? [name] : names.filter((other) => other.startsWith(name));
  });
}

/** `npm t` is `npm test`. */
const shortNames = new Set(["t", "tst"]);

/** A repository of several packages whose root has no test script: every package that has one. */
function testsOfMembers(
  files: TreeFiles,
  manifest: Readonly<Record<string, unknown>>,
  manager: PackageManager,
): readonly FoundCommand[] {
  const members = memberFolders(files, manifest);
  if (!members.some((folder) => isReal(scriptsIn(files, folder)["test"]))) return [];
  const command = {
    npm: "npm test --workspaces --if-present",
    pnpm: "pnpm -r test",
    yarn: /^# yarn lockfile v1$/m.test(files.text("yarn.lock") ?? "")
      ? "yarn workspaces run test"
      : "yarn workspaces foreach --all run test",
    bun: "bun run --filter '*' test",
  }[manager];
  return [{ key: "testCommand", command, from, definition: "" }];
}

/** The folders that `workspaces` names, by name or as `folder/*`. */
function memberFolders(files: TreeFiles, manifest: Readonly<Record<string, unknown>>): readonly string[] {
  const said = manifest["workspaces"];
  const globs = Array.isArray(said) ? said : Object.values(textsOf(said));
  const ofPnpm = (files.text("pnpm-workspace.yaml") ?? "").matchAll(/^\s*-\s*['"]?([^'"#\n]+?)['"]?\s*$/gm);
  const named = [...globs.filter((glob) => typeof glob === "string"), ...[...ofPnpm].map(([, glob = ""]) => glob)];
  return named.flatMap((glob) => {
    const parent = /^(.*)\/\*{1,2}$/.exec(glob)?.[1];
    return parent === undefined ? [glob] : files.names(parent).map((name) => `${parent}/${name}`);
  });
}

/** The type check of a project that has the compiler, and no script for it. */
function typeCheck(
  files: TreeFiles,
  manifest: Readonly<Record<string, unknown>>,
  manager: PackageManager,
): readonly FoundCommand[] {
  const depends = { ...textsOf(manifest["dependencies"]), ...textsOf(manifest["devDependencies"]) };
  if (!files.names("").includes("tsconfig.json") || depends["typescript"] === undefined) return [];
  const runner = { npm: "npx --no-install", pnpm: "pnpm exec", yarn: "yarn", bun: "bun x" }[manager];
  return [{ key: "validationCommand", command: `${runner} tsc --noEmit`, from: "tsconfig.json", definition: "" }];
}
