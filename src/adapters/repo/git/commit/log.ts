// Commits as `git log` tells them, with superteam's own trailers.

import { toText } from "../process/paths.ts";
import { git } from "../process/run.ts";

export interface LoggedCommit {
  readonly sha: string;
  /** The first parent. */
  readonly parent: string;
  /** Milliseconds since the epoch, at the start of the second. */
  readonly at: number;
  readonly subject: string;
  readonly author: string;
  /** From the trailers; empty where there is none. */
  readonly run: string;
  readonly task: string;
  readonly requests: readonly string[];
}

/** Newest first. */
export async function commitsBetween(root: string, from: string, to: string): Promise<readonly LoggedCommit[]> {
  const keys = ["Superteam-Run", "Superteam-Task", "Superteam-Request"];
  const trailers = keys.map((key) => `%(trailers:key=${key},valueonly,separator=%x01)`);
  const format = ["%H", "%P", "%ct", "%s", "%an", ...trailers].join("%x00");
  const log = await git(root, ["log", "--no-show-signature", `--format=${format}`, `${from}..${to}`, "--"]);
  const lines = toText(log).split("\n").filter(Boolean);
  return lines.map((line) => {
    const [sha = "", parents = "", seconds, subject = "", author = "", run = "", task = "", request = ""] =
      line.split("\0");
    const parent = parents.split(" ")[0] ?? "";
    return { sha, parent, at: Number(seconds) * 1000, subject, author, run, task, requests: request.split("\x01") };
  });
}
