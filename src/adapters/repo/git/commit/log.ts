// Commits as `git log` tells them, with superteam's own trailers.

import { toWords } from "../process/paths.ts";
import { git } from "../process/run.ts";

export type LoggedCommit = Awaited<ReturnType<typeof commitsBetween>>[number];

/** Newest first. Fields of missing trailers are empty. */
export async function commitsBetween(root: string, from: string, to: string) {
  const keys = ["Superteam-Run", "Superteam-Task", "Superteam-Request"];
  const trailers = keys.map((key) => `%(trailers:key=${key},valueonly,separator=%x01)`);
  const format = ["%H", "%P", "%ct", "%s", "%an", ...trailers].join("%x00");
  const log = await git(root, ["log", `--format=${format}`, `${from}..${to}`, "--"]);
  const lines = toWords(log).split("\n").filter(Boolean);
  return lines.map((line) => {
    const [sha = "", parents = "", seconds, subject = "", author = "", run = "", task = "", request = ""] =
      line.split("\0");
    const [parent = ""] = parents.split(" ");
    // The start of the second.
    const at = Number(seconds) * 1000;
    return { sha, parent, at, subject, author, run, task, requests: request.split("\x01") };
  });
}
