// Which pi: the one SUPERTEAM_PI names, else the one that superteam runs in, else the one on the PATH, else the project's own.

import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Variables } from "../../../ports/backend.ts";
import { capture } from "../../process/capture.ts";
import { isFile, onPath } from "../../process/on-path.ts";
import { piEnvironment } from "./environment.ts";
import { asObject, asText } from "./unknown-json.ts";

/** A pi that can be run: `command` with `args` before its own arguments. */
export interface PiProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly version: string;
  /** The file it is. */
  readonly path: string;
  readonly from: "configuration" | "PATH" | "package" | "host";
}

export type PiSearch =
  | { readonly found: true; readonly program: PiProgram }
  /** `detail` says what was looked at, and what to do. */
  | { readonly found: false; readonly reason: "missing" | "too-old"; readonly detail: string };

export const oldestPi = "0.87.0";
const packageName = "@earendil-works/pi-coding-agent";

export async function findPi(env: Variables): Promise<PiSearch> {
  if (isNamed(env)) return judge(resolve(env["SUPERTEAM_PI"] ?? ""), "configuration", env);
  const candidates = [["PATH", onPath("pi", env)] as const, ["package", ownEntry()] as const];
  let refused: PiSearch | undefined;
  for (const [from, path] of candidates) {
    const search = path === undefined ? undefined : await judge(path, from, env);
    if (search?.found) return search;
    refused ??= search;
  }
  return refused ?? { found: false, reason: "missing", detail: `pi was not found on the PATH. ${advice}` };
}

const isNamed = (env: Variables): boolean => (env["SUPERTEAM_PI"] ?? "") !== "";

/** The pi that this process is, unless another is named; where it is another program that has pi inside, as `findPi` finds it. */
export async function findHostingPi(env: Variables): Promise<PiSearch> {
  const isBinary = process.versions["bun"] !== undefined;
  const entry = isBinary ? process.execPath : entryOfPackage(process.argv[1] ?? "");
  return entry === undefined || isNamed(env) ? findPi(env) : judge(entry, "host", env);
}

const install = `\`npm install -g ${packageName}\``;
const advice = `Install it with ${install}, or name its file in SUPERTEAM_PI.`;
/** Installing another is no help as long as this one is named. */
const configuredAdvice = `Name another file in SUPERTEAM_PI, or unset it and install pi with ${install}.`;

const subjects: Readonly<Record<PiProgram["from"], string>> = {
  configuration: "The configured pi",
  PATH: "The pi on the PATH",
  package: "The project's own pi",
  host: "The pi that runs superteam",
};

/** A script is run by the Node that runs us: the one on the PATH may be too old for pi. */
async function judge(path: string, from: PiProgram["from"], env: Variables): Promise<PiSearch> {
  const refused = (reason: "missing" | "too-old", what: string): PiSearch => {
    return {
      found: false,
      reason,
      detail: `${subjects[from]}, ${path}, ${what} ${from === "configuration" ? configuredAdvice : advice}`,
    };
  };
  if (!isFile(path)) return refused("missing", "is not a file that can be run.");
  const file = realpathSync(path);
  const isScript = /\.[cm]?js$/.test(file) && process.versions["bun"] === undefined;
  const how = isScript ? { command: process.execPath, args: [file] } : { command: path, args: [] };
  const version = (isScript ? packagedVersion(file) : undefined) ?? (await toldVersion(how, env));
  if (version === undefined) return refused("missing", "does not report a version: it is not pi.");
  if (version.localeCompare(oldestPi, "en", { numeric: true }) < 0)
    return refused("too-old", `is version ${version}; ${oldestPi} or newer is needed.`);
  return { found: true, program: { ...how, version, path, from } };
}

/** The version in the package the file belongs to: asking costs a start of pi. */
function packagedVersion(file: string): string | undefined {
  const found = packageOf(file);
  return found && asText(found.description["version"]);
}

/** pi has several entries; the one that takes a command line is the package's command. */
function entryOfPackage(file: string): string | undefined {
  const found = existsSync(file) ? packageOf(realpathSync(file)) : undefined;
  return found && join(found.folder, asText(asObject(found.description["bin"])["pi"]));
}

function packageOf(file: string) {
  for (const folder of upwards(dirname(file))) {
    const description = readJson(join(folder, "package.json"));
    if (description["name"] === packageName) return { folder, description };
  }
  return undefined;
}

async function toldVersion(how: Pick<PiProgram, "command" | "args">, env: Variables): Promise<string | undefined> {
  const args = [...how.args, "--version"];
  const order = { command: how.command, args, cwd: "/", env: piEnvironment(env, { environment: [] }) };
  const told = await capture(order, { timeoutMs: 20_000, keep: 4_096 }, new AbortController().signal);
  return told.started ? /^v?(\d+\.\d+\.\d+\S*)/m.exec(told.stdout)?.[1] : undefined;
}

function ownEntry(): string | undefined {
  for (const folder of upwards(dirname(fileURLToPath(import.meta.url)))) {
    const home = join(folder, "node_modules", packageName);
    const entry = asText(asObject(readJson(join(home, "package.json"))["bin"])["pi"]);
    if (entry !== "") return join(home, entry);
  }
  return undefined;
}

function* upwards(from: string): Generator<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}

function readJson(file: string): ReturnType<typeof asObject> {
  return existsSync(file) ? asObject(JSON.parse(readFileSync(file, "utf8"))) : {};
}
