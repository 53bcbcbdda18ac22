// The profiles a repository contains: `.agents/superteam/<role>.md`. They are read as they are at one moment; whether
// they count is for the person to say.

import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Brought, ProfileText, ProjectProfile } from "../../ports/trust.ts";
import { codeOf } from "../files/present.ts";
import { firstBytes } from "../files/small-file.ts";
import { readChanges } from "./profile.ts";

export const projectProfilesFolder = ".agents/superteam";

/** A profile longer than this is no profile. */
export const profileLimit = 32 * 1024;

type ProjectProfiles = Pick<Brought, "profiles" | "ignored">;

/** By path relative to the tree, in the order of their names. Throws when a profile is broken. */
export async function projectProfiles(root: string, roles: readonly string[]): Promise<ProjectProfiles> {
  const profiles: ProjectProfile[] = [];
  const ignored: string[] = [];
  for (const entry of await markdownIn(root)) {
    const path = `${projectProfilesFolder}/${entry.name}`;
    const role = entry.name.slice(0, -".md".length);
    const read = roles.includes(role)
      ? readOne(root, entry, { path, role })
      : `there is no role "${role}". Roles: ${roles.join(", ")}.`;
    if (typeof read === "string") {
      ignored.push(`${path} is ignored: ${read}`);
      continue;
    }
    profiles.push({ ...read, changes: readChanges(read) });
  }
  return { profiles, ignored };
}

async function markdownIn(root: string): Promise<readonly Dirent[]> {
  try {
    const folder = await realpath(join(root, projectProfilesFolder));
    const way = relative(await realpath(root), folder);
    // A link that leads out of the tree would make other files of the person's into profiles.
    if (way.startsWith(`..${sep}`) || way === "..") return [];
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter(({ name }) => name.endsWith(".md"))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch (cause) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(codeOf(cause))) return [];
    throw cause;
  }
}

/** The profile, or why it cannot be used. */
function readOne(
  root: string,
  entry: Dirent,
  { path, role }: Pick<ProfileText, "path" | "role">,
): ProfileText | string {
  if (!entry.isFile()) return "it is not a plain file.";
  const bytes = firstBytes(join(root, path), profileLimit + 1);
  if (bytes.length > profileLimit) return `it is longer than ${profileLimit / 1024} KB.`;
  return { role, path, text: bytes.toString("utf8") };
}
