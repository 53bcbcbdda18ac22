// Which pi: the one SUPERTEAM_PI names, else the one on the PATH, else the project's own. Inside pi: that pi.

import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Variables } from "../../../ports/backend.ts";
import { capture } from "../../process/capture.ts";
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
  const named = env["SUPERTEAM_PI"] ?? "";
  if (named !== "") return judge(await inspect(resolve(named), "configuration", env), `The configured pi, ${named},`);
  const onPath = pathOf("pi", env);
  const first =
    onPath === undefined ? undefined : judge(await inspect(onPath, "PATH", env), `The pi on the PATH, ${onPath},`);
  if (first?.found) return first;
  const own = ownEntry();
  const second =
    own === undefined ? undefined : judge(await inspect(own, "package", env), `The project's own pi, ${own},`);
  if (second?.found) return second;
  return first ?? second ?? { found: false, reason: "missing", detail: `pi was not found on the PATH. ${advice}` };
}

/** The pi that this process is; where it is another program that has pi inside, as `findPi` finds it. */
export async function findHostingPi(env: Variables): Promise<PiSearch> {
  const isBinary = process.versions["bun"] !== undefined;
  const entry = isBinary ? process.execPath : entryOfPackage(process.argv[1] ?? "");
  if (entry === undefined) return findPi(env);
  return judge(await inspect(entry, "host", env), `The pi that runs superteam, ${entry},`);
}

const advice = `Install it with \`npm install -g ${packageName}\`, or name its file in SUPERTEAM_PI.`;

type Inspected = PiProgram | "missing" | "no-version";

function judge(inspected: Inspected, subject: string): PiSearch {
  if (inspected === "missing") {
    return { found: false, reason: "missing", detail: `${subject} is not a file that can be run. ${advice}` };
  }
  if (inspected === "no-version") {
    return { found: false, reason: "missing", detail: `${subject} does not tell its version: it is not pi. ${advice}` };
  }
  if (isOlder(inspected.version, oldestPi)) {
    const detail = `${subject} is version ${inspected.version}; ${oldestPi} or newer is needed. ${advice}`;
    return { found: false, reason: "too-old", detail };
  }
  return { found: true, program: inspected };
}

/** A script is run by the Node that runs us: the one on the PATH may be too old for pi. */
async function inspect(path: string, from: PiProgram["from"], env: Variables): Promise<Inspected> {
  if (!existsSync(path) || !statSync(path).isFile()) return "missing";
  const file = realpathSync(path);
  const script = /\.[cm]?js$/.test(file) && process.versions["bun"] === undefined;
  const how = script ? { command: process.execPath, args: [file] } : { command: path, args: [] };
  const version = (script ? packagedVersion(file) : undefined) ?? (await toldVersion(how, env));
  return version === undefined ? "no-version" : { ...how, version, path, from };
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
  const order = {
    command: how.command,
    args: [...how.args, "--version"],
    cwd: "/",
    env: piEnvironment(env, none),
    gone: "",
  };
  const told = await capture(order, { timeoutMs: 20_000, keep: 4_096 }, new AbortController().signal);
  return told.started ? /^v?(\d+\.\d+\.\d+\S*)/m.exec(told.stdout)?.[1] : undefined;
}

const none = { environment: [] };

function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function pathOf(name: string, env: Variables): string | undefined {
  const candidates = (env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name));
  return candidates.find((file) => existsSync(file) && statSync(file).isFile() && isRunnable(file));
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
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
