// What a repository contains that decides about runs, commands and agents (S2), and how much of it the person trusts.

import type { FoundCommand } from "../core/validation/found-command.ts";
import type { TreeText } from "./settings.ts";

/** A role's profile as text, and where it is from. */
export interface ProfileText {
  readonly role: string;
  readonly path: string;
  readonly text: string;
}

/** What a repository's own profile changes about a role. */
export interface ProjectProfile extends ProfileText {
  readonly changes: {
    readonly system?: string | undefined;
    readonly tools?: readonly string[] | undefined;
    readonly model?: string | undefined;
    readonly thinking?: string | undefined;
  };
}

/** What of a repository takes effect: its configuration file and its profiles, as texts, and the commands found in it. */
export interface Grant {
  readonly config: TreeText;
  readonly profiles: readonly ProfileText[];
  readonly commands: readonly FoundCommand[];
}

/** Nothing that a repository contains. */
export const noGrant: Grant = { config: null, profiles: [], commands: [] };

/** What would take effect: files, and commands found in others. */
export function namesOf({ config, profiles, commands }: Grant): readonly string[] {
  return [
    ...(config === null ? [] : [".superteam.json"]),
    ...profiles.map(({ path }) => path),
    ...commands.map(({ command }) => `\`${command}\``),
  ];
}

/** What a repository contains now. */
export interface Brought extends Grant {
  readonly profiles: readonly ProjectProfile[];
  /** Commands that the person's own configuration sets, as the repository's files define them: their word is there already. */
  readonly own: readonly FoundCommand[];
  /** What cannot be used, each with the reason: files among the profiles, a damaged memory of trust. */
  readonly ignored: readonly string[];
  /** Of every byte of it. */
  readonly hash: string;
}

export interface KnownTrust {
  /** Exactly this content of this repository is trusted. */
  readonly trusted: boolean;
  /** Other content of this repository was trusted once. */
  readonly before: boolean;
  /** What was wrong with the memory, and what was done about it. */
  readonly trouble: string | undefined;
}

/** What the person trusts of this repository, kept outside of it. */
export interface TrustMemory {
  /** For people. */
  readonly where: string;
  look(hash: string): Promise<KnownTrust>;
  remember(hash: string, what: readonly string[]): Promise<void>;
}
