// The working tree that one run works on, and where its HEAD stands.

import type { Head } from "../../../../core/flow/repository.ts";
import type { BytePath } from "../process/paths.ts";
import { git } from "../process/run.ts";
import type { WorkingTree } from "./locate.ts";

export interface Checkout extends WorkingTree {
  readonly runId: string;
  /** superteam's own files and the run's documents: in no tree, no restore, no task's commit. */
  readonly isHidden: (path: BytePath) => boolean;
}

export async function readHead(root: string): Promise<Head> {
  const [sha = "", name = ""] = (await git(root, ["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"])).split("\n");
  return { sha, branch: name.startsWith("refs/heads/") ? toName(name) : null };
}

const toName = (ref: string): string => Buffer.from(ref.slice("refs/heads/".length), "latin1").toString("utf8");

/** Moves what HEAD points to, if it is still where it was. Files and index stay. */
export async function moveHead(root: string, to: string, from: string): Promise<void> {
  await git(root, ["update-ref", "-m", "superteam: one commit per task", "HEAD", to, from]);
}

/** `refs/superteam/<run>/<name>`; whatever a ref may not hold is percent-encoded, so that names stay apart. */
export function refFor(runId: string, name: string): string {
  return `refs/superteam/${encode(runId)}/${encode(name)}`;
}

function encode(part: string): string {
  const encoded = encodeURIComponent(part.toWellFormed());
  return encoded.replace(/[.!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
