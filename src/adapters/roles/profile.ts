// A role's profile: a markdown file whose front matter says what the role may use, and whose body is the whole system
// prompt.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, YAMLParseError } from "yaml";
import { z } from "zod";
import { thinkingLevels } from "../../core/config.ts";

const FrontMatter = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  tools: z.union([z.array(z.string().min(1)), z.string().transform((list) => list.split(/[\s,]+/).filter(Boolean))]),
  model: z.string().min(1).optional(),
  thinking: z.enum(thinkingLevels).default("medium"),
});

export type Profile = z.output<typeof FrontMatter> & { readonly system: string };

/** A role that cannot be used: there is none of that name, or its profile is broken. */
export class RoleProblem extends Error {
  readonly role: string;
  constructor(role: string, what: string) {
    super(what);
    this.name = "RoleProblem";
    this.role = role;
  }
}

export async function readProfile(folder: string, role: string): Promise<Profile> {
  const path = join(folder, `${role}.md`);
  const text = isRoleName(role) ? await textOf(path) : undefined;
  if (text === undefined) throw new RoleProblem(role, await noSuchRole(folder, role));
  const parts = /^---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n(.*))?$/s.exec(text.replace(/^\uFEFF/, ""));
  if (!parts) throw broken(role, path, "it must start with front matter between two lines of ---");
  const front = FrontMatter.safeParse(readYaml(role, path, parts[1] ?? ""));
  if (!front.success) throw broken(role, path, z.prettifyError(front.error));
  if (front.data.name !== role) throw broken(role, path, `its name is "${front.data.name}", not "${role}"`);
  const system = (parts[2] ?? "").trim();
  if (system === "") throw broken(role, path, "it has no body: the body is the role's system prompt");
  return { ...front.data, system };
}

/** A name is never a path: what asks for a role may not reach other files. */
function isRoleName(role: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/.test(role);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function noSuchRole(folder: string, role: string): Promise<string> {
  const known = await readdir(folder).catch(() => undefined);
  if (known === undefined)
    return `The role profiles are missing: there is no folder ${folder}. Install superteam again.`;
  const names = known.filter((file) => file.endsWith(".md")).map((file) => file.slice(0, -".md".length));
  return `There is no role "${role}". Known roles: ${names.toSorted().join(", ")} (in ${folder}).`;
}

function readYaml(role: string, path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw broken(role, path, `its front matter is not YAML: ${error.message}`);
  }
}

function broken(role: string, path: string, what: string): RoleProblem {
  return new RoleProblem(
    role,
    `The profile of ${role}, ${path}, cannot be used: ${what}. Correct it or install superteam again.`,
  );
}
