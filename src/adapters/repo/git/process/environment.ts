// What git is started with: no pager, no prompt, no hook, and none of the caller's GIT_DIR or GIT_INDEX_FILE.

import type { Environment } from "../../../process/environment.ts";

export interface GitSurroundings {
  /** Another index than the person's. */
  readonly index?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** `person`: as if typed by the person, with their hooks and language. Otherwise no hook runs. */
  readonly as?: "person";
}

/** A program that git would ask what has changed, before every command, may say anything. */
export const unwatchedGit = ["--no-pager", "-c", "core.fsmonitor=false"];
export const quietGit = [
  ...unwatchedGit,
  ...["-c", "core.quotePath=false"],
  ...["-c", "core.safecrlf=false"],
  ...["-c", "core.hooksPath=/dev/null"],
  ...["-c", "log.showSignature=false"],
];

/** Of git's variables only those that say who the person is and where their configuration is. */
const inherited =
  /^GIT_((AUTHOR|COMMITTER)_(NAME|EMAIL)|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|SSH|SSH_COMMAND|ASKPASS)$/;

export function inheritedVariables(): Environment {
  const all = Object.entries(process.env) as [string, string][];
  return Object.fromEntries(all.filter(([name]) => !name.startsWith("GIT_") || inherited.test(name)));
}

const decisive = [
  "PATH",
  "HOME",
  "XDG_CONFIG_HOME",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_EXEC_PATH",
];

/** What of them decides how a git that looks at objects and refs answers. Few are read one by one sooner than all are listed. */
export function decisiveVariables(): readonly (string | undefined)[] {
  const isConfigured = process.env["GIT_CONFIG_COUNT"] !== undefined;
  return isConfigured ? Object.values(inheritedVariables()) : decisive.map((name) => process.env[name]);
}

export function ownVariables(options: GitSurroundings): Environment {
  return {
    GIT_TERMINAL_PROMPT: "0",
    ...(options.as === "person" ? { GIT_EDITOR: ":" } : { LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" }),
    ...(options.index === undefined ? {} : { GIT_INDEX_FILE: options.index }),
    ...options.environment,
  };
}

export function variablesFor(options: GitSurroundings): Environment {
  return { ...inheritedVariables(), ...ownVariables(options) };
}
