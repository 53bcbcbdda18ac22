// A role's profile: a markdown file whose front matter says what the role may use, and whose body is the whole system
// prompt. A repository's own profile overrides it, field by field, body included.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parse, YAMLParseError } from "yaml";
import { z } from "zod";
import { capabilities } from "../../core/run/capability.ts";
import { thinkingLevels } from "../../core/run/config.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { ProfileText } from "../../ports/trust.ts";
import { smallFile } from "../files/small-file.ts";

/** A list may be written as YAML's, or as one line. */
function words(given: unknown): unknown {
  return typeof given === "string" ? given.split(/[\s,]+/).filter(Boolean) : given;
}

const FrontMatter = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  tools: z.preprocess(words, z.array(z.enum(capabilities))),
  model: z.string().min(1).optional(),
  thinking: z.enum(thinkingLevels).optional(),
});

const Changes = FrontMatter.partial();

export type Profile = z.output<typeof FrontMatter> & { readonly system: string };

/** Throws a failure of the kind `role` when no profile has that name, or it is broken. */
export async function readProfile(folder: string, role: string): Promise<Profile> {
  const path = join(folder, `${role}.md`);
  // A name is never a path: a role's name cannot reach other files.
  const text = /^[a-z0-9][a-z0-9-]*$/.test(role) ? smallFile(path) : undefined;
  if (text === undefined) throw new OutsideFailure("role", await noSuchRole(folder, role));
  const before = lastRead.get(path);
  if (before?.text === text) return before.profile;
  const profile = profileIn(text, role, path);
  lastRead.set(path, { text, profile });
  return profile;
}

/** A profile is read for each dispatch, and hardly ever another one. */
const lastRead = new Map<string, { readonly text: string; readonly profile: Profile }>();

function profileIn(text: string, role: string, path: string): Profile {
  const broken = brokenIn({ role, path }, "Correct it or install superteam again.");
  const { front, system } = partsOf(text);
  if (front === undefined) throw broken("it must start with front matter between two lines of ---");
  const fields = readFields(FrontMatter, front, role, broken);
  if (system === "") throw broken("it has no body: the body is the role's system prompt");
  return { ...fields, system };
}

/** What a repository's own profile changes. Front matter and body may each be left out. */
export function readChanges(profile: ProfileText): Partial<Profile> {
  const broken = brokenIn(profile, "Correct or remove it, then run the command again.");
  const { front = "", system } = partsOf(profile.text);
  // The cast: what a profile leaves out is not there at all, which the schema's type does not say.
  const fields = readFields(Changes, front, profile.role, broken) as Partial<Profile>;
  return system === "" ? fields : { ...fields, system };
}

/** `front` is undefined when the text has none. */
function partsOf(text: string): { readonly front: string | undefined; readonly system: string } {
  const plain = text.replace(/^\uFEFF/, "");
  const parts = /^---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n(.*))?$/s.exec(plain);
  return parts
    ? { front: parts[1] ?? "", system: (parts[2] ?? "").trim() }
    : { front: undefined, system: plain.trim() };
}

type Broken = (what: string) => OutsideFailure;

function brokenIn({ role, path }: Pick<ProfileText, "role" | "path">, remedy: string): Broken {
  return (what) => new OutsideFailure("role", `The profile of ${role}, ${path}, cannot be used: ${what}. ${remedy}`);
}

function readFields<T extends { readonly name?: string | undefined }>(
  schema: z.ZodType<T>,
  front: string,
  role: string,
  broken: Broken,
): T {
  const fields = schema.safeParse(readYaml(front, broken) ?? {});
  if (!fields.success) throw broken(z.prettifyError(fields.error));
  const { name = role } = fields.data;
  if (name !== role) throw broken(`its name is "${name}", not "${role}"`);
  return fields.data;
}

async function noSuchRole(folder: string, role: string): Promise<string> {
  const known = await readdir(folder).catch(() => undefined);
  if (known === undefined)
    return `The role profiles are missing: there is no folder ${folder}. Install superteam again.`;
  const names = known.filter((file) => file.endsWith(".md")).map((file) => file.slice(0, -".md".length));
  return `There is no role "${role}". Known roles: ${names.toSorted().join(", ")} (in ${folder}).`;
}

function readYaml(text: string, broken: Broken): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw broken(`its front matter is not YAML: ${error.message}`);
  }
}
