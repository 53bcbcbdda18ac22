// The configuration as files: `.superteam.json` of the tree over the person's own, over the defaults, and the command
// line over all. They are checked one by one, and merged key by key; each problem names the file it comes from. The text of the
// tree's file can be held: a run works with the text the person trusted, whatever an agent makes of the file meanwhile. For the same reason
// the person's own file is read once.

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type Config, configFor } from "../../core/run/config.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { Flags, OwnChange, Settings, TreeSettings, TreeText } from "../../ports/settings.ts";
import { smallFile } from "../files/small-file.ts";
import { changesBetween } from "./changes.ts";
import { readJson } from "./json-text.ts";
import { type ConfigFault, ConfigProblem, complaints, placeOf } from "./problem.ts";

/** Everything that reads throws ConfigProblem when the configuration cannot be used. */
export interface SettingsOptions {
  readonly root: string;
  /** The roles there are: what is said of any other is reported. */
  readonly roles: readonly string[];
  readonly flags?: Flags;
  /** The person's own file; unset: where it usually is. */
  readonly globalFile?: string;
}

export function settings(options: SettingsOptions): TreeSettings {
  const { root, roles, flags = {}, globalFile = globalConfigFile(process.env) } = options;
  const schema = configFor(roles);
  const checked = keeping((below, tree) => {
    const sources = [sourceOf(below, globalFile), sourceOf(tree, treeFile)];
    refuseBroken(sources);
    return validate(schema, [...sources, { file: "the command line", value: flags }]);
  });
  let first: { readonly text: TreeText } | undefined;
  const own = (): TreeText => {
    first ??= { text: readText(globalFile, globalFile) };
    return first.text;
  };
  const text = async (): Promise<TreeText> => readText(join(root, treeFile), treeFile);
  const holding = (held: () => TreeText | Promise<TreeText>): Settings => ({
    read: async () => checked(own(), await held()),
  });
  const changes = async (from: TreeText, to: TreeText) =>
    changesBetween(await holding(() => from).read(), await holding(() => to).read());
  const ownChange = async (): Promise<OwnChange | undefined> => {
    const before = own();
    try {
      const now = readText(globalFile, globalFile);
      const changed = now === before ? [] : changesBetween(checked(before, null), checked(now, null));
      return changed.length === 0 ? undefined : { file: globalFile, changes: changed };
    } catch (cause) {
      if (!(cause instanceof ConfigProblem)) throw cause;
      return { file: globalFile, changes: [], problem: reasonOf(cause) };
    }
  };
  return { ...holding(text), text, holding, changes, ownChange };
}

/** The same texts mean the same: they are read many times for each task. */
function keeping(check: (below: TreeText, tree: TreeText) => Config): typeof check {
  const known = new Map<string, Config>();
  return (below, tree) => {
    const key = JSON.stringify([below, tree]);
    const config = known.get(key) ?? check(below, tree);
    // The one that was asked for last is the last to go.
    known.delete(key);
    known.set(key, config);
    for (const oldest of [...known.keys()].slice(0, -mostKept)) known.delete(oldest);
    return config;
  };
}

/** With the tree's text, without it, and before it changed. */
const mostKept = 3;

const treeFile = ".superteam.json";

/** The person's own configuration, below every tree's. */
export function globalConfigFile(environment: Readonly<Record<string, string | undefined>>): string {
  const folder = environment["XDG_CONFIG_HOME"];
  // A relative folder is ignored, as the XDG specification says.
  const base = folder !== undefined && isAbsolute(folder) ? folder : join(environment["HOME"] || homedir(), ".config");
  return join(base, "superteam", "config.json");
}

interface Source {
  readonly file: string;
  readonly value: unknown;
  readonly problem?: ConfigFault;
}

/** Null when there is no such file. */
function readText(path: string, file: string): TreeText {
  try {
    return smallFile(path) ?? null;
  } catch (error) {
    throw new ConfigProblem([{ file, place: "", what: `cannot be read: ${reasonOf(error)}` }]);
  }
}

function sourceOf(text: TreeText, file: string): Source {
  const broken = (what: string, place = ""): Source => ({ file, value: {}, problem: { file, place, what } });
  // Some editors put a byte order mark in front.
  const reading = readJson((text ?? "{}").replace(/^\uFEFF/, ""));
  if (!reading.ok) return broken(reading.what, `line ${reading.line}, column ${reading.column}`);
  return isObject(reading.value) ? { file, value: reading.value } : broken("must be an object: { ... }");
}

function refuseBroken(sources: readonly Source[]): void {
  const broken = sources.flatMap((source) => (source.problem ? [source.problem] : []));
  if (broken.length > 0) throw new ConfigProblem(broken);
}

/** Each source is checked by itself: one above it could hide what is wrong with it. Later sources win, key by key. */
function validate(schema: ReturnType<typeof configFor>, sources: readonly Source[]): Config {
  const faults = sources.flatMap(({ file, value }) => {
    const issues = schema.safeParse(value).error?.issues ?? [];
    const found = issues.flatMap((issue) => complaints(schema, issue, value));
    return found.map(({ path, what }): ConfigFault => ({ file, place: placeOf(path), what }));
  });
  if (faults.length > 0) throw new ConfigProblem(faults);
  return schema.parse(sources.reduce<unknown>((below, source) => merge(below, source.value), {}));
}

/** Lists and values are replaced, objects are merged. */
function merge(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  if (!isObject(below) || !isObject(above)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, merge(below[key], above[key])]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
