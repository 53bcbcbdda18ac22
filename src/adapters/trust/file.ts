// What the person trusts, remembered in their own config folder and never in a repository: which content, by its hash, of
// which repository. A command such as `npm test` means something else in every repository, so the hash alone is not enough.

import { hash } from "node:crypto";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { parseJson } from "../../core/text/json.ts";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import type { LeaseOwner } from "../../ports/runs.ts";
import type { TrustMemory } from "../../ports/trust.ts";
import { moveAside, writeAtomically } from "../files/atomic.ts";
import { makeFolder } from "../files/make-folder.ts";
import { readIfPresent } from "../files/present.ts";
import { withLock } from "../store/lock.ts";

const Entry = z.object({ repository: z.string(), hash: z.string(), at: z.string(), what: z.array(z.string()) });
type Entry = z.infer<typeof Entry>;
const Trusted = z.object({ version: z.literal(1), trusted: z.array(Entry) });

/** Of the files and settings of a repository that count only when they are trusted: names and contents, in any order. */
export function fingerprint(subjects: readonly { readonly name: string; readonly content: string }[]): string {
  const pairs = subjects.map(({ name, content }) => JSON.stringify([name, content])).toSorted();
  return hash("sha256", pairs.join("\n"));
}

export function trustFile(path: string, repository: string): TrustMemory {
  return {
    where: path,
    async look(content) {
      const { entries, trouble } = await lookInto(path);
      const here = entries.filter((entry) => entry.repository === repository);
      const trusted = here.some((entry) => entry.hash === content);
      return { trusted, before: here.length > 0 && !trusted, trouble };
    },
    /** On disk for good when this resolves, beside all that others remember meanwhile. */
    async remember(content, what) {
      await makeFolder(dirname(path), "");
      const entry = { repository, hash: content, at: new Date().toISOString(), what: [...what] };
      await alone(path, () => add(path, entry));
    },
  };
}

interface Contents {
  /** A foreign file is not ours to change: one of a newer version, or one that cannot be read. */
  readonly state: "good" | "foreign" | "damaged";
  readonly entries: readonly Entry[];
  readonly trouble: string | undefined;
}

/** Only who is alone may move a damaged file away: it could be a fresh one by then. */
async function lookInto(path: string): Promise<Contents> {
  const contents = await read(path);
  return contents.state === "damaged" ? alone(path, () => readOrMoveAside(path)) : contents;
}

async function read(path: string): Promise<Contents> {
  let text: string | undefined;
  try {
    text = await readIfPresent(path);
  } catch (cause) {
    return foreign(`${path} cannot be read and is ignored: ${reasonOf(cause)}`);
  }
  if (text === undefined) return { state: "good", entries: [], trouble: undefined };
  const json = parseJson(text);
  const value = json.ok ? json.value : undefined;
  const file = Trusted.safeParse(value);
  if (file.success) return { state: "good", entries: file.data.trusted, trouble: undefined };
  const isNewer = z.looseObject({ version: z.number().gt(1) }).safeParse(value).success;
  if (!isNewer) return { state: "damaged", entries: [], trouble: undefined };
  return foreign(`${path} was written by a newer superteam. It was not changed and is ignored.`);
}

const foreign = (trouble: string): Contents => ({ state: "foreign", entries: [], trouble });

/** A file that makes no sense trusts nothing. It is kept beside, under another name. */
async function readOrMoveAside(path: string): Promise<Contents> {
  const contents = await read(path);
  if (contents.state !== "damaged") return contents;
  const aside = await moveAside(path, Date.now());
  const trouble = `${path} was damaged, so you are asked again what you trust. The damaged file is kept as ${aside}.`;
  return { ...contents, trouble };
}

async function add(path: string, entry: Entry): Promise<void> {
  const { state, entries, trouble = "" } = await readOrMoveAside(path);
  if (state === "foreign") throw new OutsideFailure("unwritable", trouble);
  const others = entries.filter((other) => other.repository !== entry.repository || other.hash !== entry.hash);
  await writeAtomically(path, `${JSON.stringify({ version: 1, trusted: [...others, entry] }, null, 2)}\n`);
}

/** Two processes that remember at once must not lose what the other has written. */
function alone<T>(path: string, act: () => Promise<T>): Promise<T> {
  const busy = ({ pid, host }: LeaseOwner): string =>
    `${basename(path)} is being written by process ${pid} on ${host}. If that is gone for good, remove ${path}.lock.`;
  return withLock(path, { waitMs: 5_000, kind: "unwritable", busy }, act);
}
