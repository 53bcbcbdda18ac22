// git with the hands of the contract suite: what one types at a shell.

import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MakeRepo, RepoRig } from "../../contracts/repo.ts";
import { makeRig, type Rig } from "./rig.ts";

export const makeGitRepo: MakeRepo = async (t, files, documents = []) => {
  const rig = await makeRig(t, files);
  return handsOn(rig, await rig.open(...documents));
};

function handsOn(rig: Rig, repo: RepoRig["repo"]): RepoRig {
  const at = (path: string): string => join(rig.root, path);
  const show = (name: string) =>
    rig.git("show", name).then(
      (text) => text,
      () => undefined,
    );
  return {
    repo,
    write: rig.write,
    read: (path) => readFile(at(path), "utf8").catch(() => undefined),
    remove: async (path) => {
      if (await rig.exists(path)) await rm(at(path), { recursive: true });
    },
    rename: async (from, to) => {
      await mkdir(dirname(at(to)), { recursive: true });
      await rename(at(from), at(to));
    },
    files: () => everyFile(rig.root),
    stage: async (path) => {
      const isKnown = (await rig.git("ls-files", "--", path)) !== "";
      if (isKnown || (await rig.exists(path))) await rig.git("add", "-A", "-f", "--", path);
    },
    unstage: async (path) => {
      await rig.git("rm", "-r", "-q", "--cached", "--ignore-unmatch", "-f", "--", path);
    },
    commit: async (subject, paths) => {
      if (paths === undefined) await rig.git("add", "-A");
      else if (paths.length > 0) await rig.git("add", "-A", "--", ...paths);
      await rig.git("commit", "-q", "--allow-empty", "-m", subject);
      return (await rig.git("rev-parse", "HEAD")).trim();
    },
    amend: async (subject) => {
      await rig.git("commit", "-q", "--amend", "-m", subject);
    },
    uncommit: async () => {
      await rig.git("reset", "-q", "--soft", "HEAD~1");
    },
    checkout: async (branch) => {
      const isThere = (await rig.git("branch", "--list", branch)) !== "";
      await rig.git("checkout", "-q", ...(isThere ? [] : ["-b"]), branch);
    },
    detach: async (commit) => {
      await rig.git("checkout", "-q", "--detach", commit);
    },
    reset: async (commit) => {
      await rig.git("reset", "-q", "--hard", commit);
    },
    forward: async (branch) => {
      await rig.git("merge", "-q", "--ff-only", branch);
    },
    log: async (from = "HEAD") => {
      const records = (await rig.git("log", "--topo-order", "--format=%H%n%B%x00", from, "--")).split("\0\n");
      return records
        .filter(Boolean)
        .map((text) => ({ sha: text.slice(0, text.indexOf("\n")), message: text.slice(text.indexOf("\n") + 1) }));
    },
    show: (commit, path) => show(`${commit}:${path}`),
    hook: async (files) => {
      const texts = Object.entries(files).map(([path, text]) => [path, Buffer.from(text).toString("base64")]);
      const lines = texts.map(([path, text]) => `echo "${text}" | base64 -d > "${path}"; git add "${path}"`);
      await rig.hook("pre-commit", ...lines);
    },
  };
}

/** Outside git's own folder. */
async function everyFile(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = names.filter((name) => !name.startsWith(join(root, ".git/")));
  const pairs = files.map(async (file) => [file.slice(root.length + 1), await readFile(file, "utf8")] as const);
  return new Map((await Promise.all(pairs)).sort());
}
