// Whether superteam was changed on disk, by an update for instance, while this pi has it loaded. What is loaded stays, after
// /reload and in a new session too, and the rest is loaded when it is first used: old and new would then work together.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { loadedAt, loadedVersion, versionOnDisk } from "./kept.ts";

const sources = join(import.meta.dirname, "../..");

export const outdatedText = "superteam has changed on disk since this pi was started. Restart pi, then continue.";

export function isOutdated(): boolean {
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
  // A package manager gives files an old date, but another version. A backup or a chmod changes neither.
  if (versionOnDisk() !== loadedVersion) return true;
  return files
    .filter((file) => /(?<!\.test)\.(?:ts|js)$/.test(file))
    .some((file) => statSync(join(sources, file)).mtimeMs > loadedAt);
}
