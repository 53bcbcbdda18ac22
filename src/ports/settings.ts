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

/** The settings of a working tree. What reads them fails when the configuration cannot be used. */
export interface TreeSettings extends Settings {
  /** The tree's own file as it is now. Nothing of it takes effect by being read. */
  text(): Promise<TreeText>;
  /** The same settings with this text in place of the tree's file. The person's own file is read again each time. */
  holding(text: () => TreeText): Settings;
  /** What changes when one text takes the place of another. */
  changes(from: TreeText, to: TreeText): Promise<readonly SettingChange[]>;
}
