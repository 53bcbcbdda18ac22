// A stage for the demo's scenario: the demo's repository, a scripted model with its play, and the real pi for each
// part. Prompts are the product's own, so that what is proved here holds for a run.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { piTools } from "../../../src/adapters/agents/pi/tools.ts";
import type { ChangedFile } from "../../../src/core/flow/repository.ts";
import type { Diff } from "../../../src/core/review/anchor.ts";
import { capabilities } from "../../../src/core/run/capability.ts";
import { writePiHome } from "../../../src/demo/model/pi.ts";
import type { ModelPlay, Reaction, Turn } from "../../../src/demo/model/play.ts";
import { serveModel } from "../../../src/demo/model/server.ts";
import { makeRepository } from "../../../src/demo/repository/make.ts";
import { pi } from "./pi.ts";

export interface Part {
  readonly role: string;
  readonly step: string;
  readonly attempt: number;
  readonly prompt: string;
}

export interface Stage {
  readonly folder: string;
  /** Every request that was played, with the reaction to it. */
  readonly played: readonly { readonly turn: Turn; readonly reaction: Reaction }[];
  /** Runs one agent and gives its final text. */
  act(part: Part): Promise<string>;
  git(...args: readonly string[]): Promise<string>;
  /** What changed since a tree that `mark` gave. */
  changes(since: string): Promise<Diff>;
  mark(): Promise<string>;
  text(path: string): Promise<string | null>;
  close(): Promise<void>;
}

export async function openStage(play: ModelPlay): Promise<Stage> {
  const base = await mkdtemp(join(tmpdir(), "superteam-stage-"));
  const [folder, home] = [join(base, "repository"), join(base, "pi")];
  const played: { turn: Turn; reaction: Reaction }[] = [];
  const server = await serveModel((turn) => {
    const reaction = play(turn);
    played.push({ turn, reaction });
    return reaction;
  });
  await makeRepository(folder);
  await writePiHome(home, server.url, "anthropic");
  const git = async (...args: readonly string[]) => (await run("git", [...args], { cwd: folder })).stdout;
  return {
    folder,
    played,
    git,
    act: async ({ role, step, attempt, prompt }) => {
      const line = `[superteam] run=stage role=${role} step=${step} attempt=${attempt}`;
      const end = await pi({ home, cwd: folder, prompt: `${prompt}\n\n${line}\n`, tools: await toolsOf(role) });
      if (end.last.stopReason !== "stop") throw new Error(`${step}: ${end.last.errorMessage ?? end.last.stopReason}`);
      return end.text;
    },
    changes: async (since) => ({
      files: filesOf(await git("diff", "--name-status", "--no-renames", since, await treeOf(git))),
      diff: await git("diff", "--no-renames", since, await treeOf(git)),
    }),
    mark: () => treeOf(git),
    text: (path) => readFile(join(folder, path), "utf8").catch(() => null),
    close: async () => {
      await server.close();
      await rm(base, { recursive: true, force: true });
    },
  };
}

const run = promisify(execFile);

/** The tools for what the role's own profile lets it do. */
async function toolsOf(role: string): Promise<string> {
  const profile = await readFile(new URL(`../../../agents/${role}.md`, import.meta.url), "utf8");
  const said = (/^tools: (.*)$/m.exec(profile)?.[1] ?? "").split(/,\s*/);
  return piTools(capabilities.filter((capability) => said.includes(capability))).join(",");
}

/** The tree as it is now. Only the test's own index is touched. */
async function treeOf(git: Stage["git"]): Promise<string> {
  await git("add", "--all", "--", "src", "test", "README.md");
  return (await git("write-tree")).trim();
}

function filesOf(status: string): readonly ChangedFile[] {
  const words = { A: "added", M: "modified", D: "deleted" } as const;
  return [...status.matchAll(/^([AMD])\t(.+)$/gm)].map(([, letter, path = ""]) => ({
    path,
    change: letter === "A" || letter === "D" ? words[letter] : words.M,
  }));
}
