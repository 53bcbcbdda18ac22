import type { z } from "zod";
import type { Config } from "../core/run/config.ts";

export interface Settings {
  read(): Promise<Config>;
}

/** What the command line sets, in the shape of the configuration. */
export type Flags = z.input<typeof Config>;

/** One setting of the tree's file, such as `validationCommand` or `agents.scout.tools`, with its value. */
export interface Claim {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The settings of a working tree. `read` and `claims` fail when the configuration cannot be used. */
export interface TreeSettings extends Settings {
  /** What the tree's file claims now. */
  claims(): Promise<readonly Claim[]>;
  /** The same settings with exactly these claims of the tree's, whatever its file says by then. */
  holding(claims: readonly Claim[]): Settings;
}
