// What a repository contains that acts on the person's machine or steers agents (S2), and how much of it they trust.

import type { Claim } from "./settings.ts";

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

/** What takes effect: claims of the repository's configuration, and its profiles. */
export interface Grant {
  readonly claims: readonly Claim[];
  readonly profiles: readonly ProjectProfile[];
}

export interface Brought extends Grant {
  /** Files among the profiles that count for nothing, each with the reason. */
  readonly ignored: readonly string[];
  /** Changes when anything of it does. */
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
