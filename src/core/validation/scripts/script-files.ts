// The files that a command runs from, as its definition names them. A change in one of these changes what the command checks, while its
// definition stays the same. Many of them are tests, so a change is reported and blocks nothing.

import { settingFiles } from "../package-commands.ts";

/** What a command runs from. */
export interface CommandFiles {
  readonly command: string;
  /** What its definition names, from the tree's root: there need not be such files. */
  readonly names: readonly string[];
  /** Installed programs that it runs, by path, each with what identifies its content. git ignores most of them. */
  readonly programs: Readonly<Record<string, string>>;
}

/** What some work did to the files of a command. */
export interface ScriptChange {
  readonly command: string;
  /** Those that are in its diff. */
  readonly changed: readonly string[];
  /** Installed programs that are others now, and in no diff. */
  readonly unseen: readonly string[];
}

export interface WorkOnScripts {
  /** Before the work; empty where nobody looked. */
  readonly before: readonly CommandFiles[];
  readonly now: readonly CommandFiles[];
  /** The files in the diff of the work. */
  readonly paths: readonly string[];
}

/** Nothing for a command whose files are as they were. */
export function scriptChanges({ before, now, paths }: WorkOnScripts): readonly ScriptChange[] {
  return now.flatMap(({ command, names, programs }) => {
    const known = before.find((one) => one.command === command);
    const all = new Set([...names, ...(known?.names ?? [])]);
    const changed = paths.filter((path) => formsOf(path).some((form) => all.has(form)));
    const others = known === undefined ? [] : differences(known.programs, programs);
    const unseen = others.filter((path) => !paths.includes(path));
    return changed.length + unseen.length === 0 ? [] : [{ command, changed, unseen }];
  });
}

function differences(one: CommandFiles["programs"], other: CommandFiles["programs"]): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((path) => one[path] !== other[path]);
}

/** How a file may be named: as it is, without its ending, or by its folder. */
function formsOf(path: string): readonly string[] {
  const bare = path.replace(/\.\w+$/, "");
  return [path, bare, bare.replace(/\/(?:index|__main__)$/, "")];
}

/** What a command and its definition name that may be files: paths, and the words that an interpreter runs. */
export function namesIn(text: string): readonly string[] {
  const paths = wordsIn(text).filter((word) => /[./]/.test(word) && isInside(word));
  const run = [...text.matchAll(interpreted)].map(([, word = ""]) => word);
  const modules = [...text.matchAll(/\s-m\s+([\w.]+)/g)].map(([, module = ""]) => module.replaceAll(".", "/"));
  const named = [...paths, ...run, ...modules].map(plain).filter((name) => name !== "");
  return inFolders([...named, ...unnamedIn(text)], text).slice(0, mostNames);
}

/** Files that a program reads without being told to, and that decide what it runs or reports. */
function unnamedIn(text: string): readonly string[] {
  return Object.entries(readUnnamed).flatMap(([program, names]) =>
    new RegExp(`(?:^|[\\s"'\`;&|(/])(?:${program})(?=[\\s"'\`;&|)]|$)`, "m").test(text) ? names : [],
  );
}

const readUnnamed: Readonly<Record<string, readonly string[]>> = {
  "npm|npx|pnpm|yarn|bun": settingFiles,
  vitest: ["vitest.config", "vitest.workspace", "vite.config"],
  jest: ["jest.config"],
  mocha: [".mocharc"],
  ava: ["ava.config"],
  playwright: ["playwright.config"],
  "pytest|py\\.test": ["pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "conftest.py"],
  phpunit: ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"],
  rspec: [".rspec"],
  cargo: [".cargo/config"],
  go: ["go.work"],
  tsc: ["tsconfig.json"],
  eslint: ["eslint.config", ".eslintrc", ".eslintignore"],
  biome: ["biome.json", "biome.jsonc"],
};

/** Where the programs that a command and its definition run may be installed. */
export function programsIn(text: string): readonly string[] {
  const words = wordsIn(text);
  const installed = words.filter((word) => isInside(word) && /(?:^|\/)(?:node_modules|\.?venv|vendor)\//.test(word));
  // A package manager has its scripts run by `sh`, which it looks for there too.
  const run = [...words.filter((word) => /^[\w@.-]+$/.test(word)), "sh"].map((word) => `node_modules/.bin/${word}`);
  return inFolders([...installed.map(plain), ...run], text).slice(0, mostNames);
}

const mostNames = 200;

const interpreted =
  /(?:^|[\s;&|(])(?:node|tsx|ts-node|sh|bash|zsh|source|python3?|ruby|perl|php)\s+(?:-[\w-]+\s+)*([\w-]+)(?=[\s;&|)]|$)/gm;

/** The words of a line, without quotes, options and patterns. A variable that a path begins with is taken for the root. */
function wordsIn(text: string): readonly string[] {
  const parts = text.replaceAll(/\$[({]?\w+[)}]?\//g, "").split(/[\s"'`;&|()<>=,]+/);
  const words = parts.map((word) => word.replace(/[:/]+$/, ""));
  return [...new Set(words)].filter((word) => word !== "" && !/^-|[*?[\]{}$\\]/.test(word));
}

const isInside = (word: string): boolean => !word.startsWith("/") && !word.startsWith("~");

/** Without what changes nothing about the path. */
const plain = (word: string): string => word.replaceAll(/(?:^|(?<=\/))\.\//g, "").replace(/^\.$|\/+$/g, "");

/** From the root, and from each folder that the text works in: `cd packages/a`, `-C packages/a`, `packages/a: node check.mjs`. */
function inFolders(names: readonly string[], text: string): readonly string[] {
  const moved = /(?:\bcd|\s-C|\s--prefix|\s--cwd|\s--dir|\s-w|\s--workspace|\s--filter|\s-F)[\s=]+["']?([\w./@-]+)/g;
  const said = [...text.matchAll(moved), ...text.matchAll(/^([\w./@-]+): /gm)].map(([, folder = ""]) => plain(folder));
  const folders = [...new Set(said)].filter((folder) => folder !== "");
  return [
    ...new Set(["", ...folders.map((folder) => `${folder}/`)].flatMap((at) => names.map((name) => `${at}${name}`))),
  ];
}
