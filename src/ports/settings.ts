import type { z } from "zod";
import type { Config } from "../core/run/config.ts";

export interface Settings {
  read(): Promise<Config>;
}

/** What the command line sets, in the shape of the configuration. */
export type Flags = z.input<typeof Config>;

/** One setting that two configurations differ in, such as `review.mode`. Unset is undefined. */
export interface SettingChange {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The text of a tree's own file, or null for no file. */
export type TreeText = string | null;

/** What has become of the person's own file. */
export interface OwnChange {
  readonly file: string;
  readonly changes: readonly SettingChange[];
  /** Why it cannot be used now. */
  readonly problem?: string;
}

/**
 * The settings of a working tree. What reads them fails when the configuration cannot be used. The person's own file is read once: an agent
 * can write there, and a run works with what was there when it was started or resumed (S2).
 */
export interface TreeSettings extends Settings {
  /** The tree's own file as it is now. Nothing of it takes effect by being read. */
  text(): Promise<TreeText>;
  /** The same settings with this text in place of the tree's file. */
  holding(text: () => TreeText): Settings;
  /** What changes when one text takes the place of another. */
  changes(from: TreeText, to: TreeText): Promise<readonly SettingChange[]>;
  /** What the person's own file would change if it were read again; undefined if nothing. */
  ownChange(): Promise<OwnChange | undefined>;
}
