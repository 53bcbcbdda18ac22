// A person who works in the tree at any moment of a run, with real git: they write, edit, stage, stage in part, commit, delete,
// check out files, stash and switch branches. They remember what they did, so that afterwards every byte of theirs can be accounted for.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Chance } from "../../simulation/chance.ts";

/**
 * What else goes on while they act: what they write beside a writer counts as its work, beside a check as the check's. `undo`: what an
 * interrupted agent left is about to be undone; superteam cannot date what they do in the same second.
 */
export type Beside = "nobody" | "writer" | "check" | "undo";

interface Work {
  /** null when they deleted the file. */
  readonly text: string | null;
  readonly beside: Beside;
  /** Nobody else has a claim to it: it has to be in the tree as they left it. */
  isTheirs: boolean;
}

interface Stash {
  readonly sha: string;
  /** Files with somebody else's work: popped, that is not theirs either. */
  readonly others: ReadonlyMap<string, string | null>;
}

export const tracked = ["README.md", "many.txt", "other.txt"];
const own = ["mine-1.txt", "mine-2.txt"];
const deeds = [
  ...["write", "write", "stage", "stage in part", "stage other words", "commit", "remove", "switch"],
  ...["check out", "go back to HEAD", "stash", "stash all", "pop"],
] as const;

export class WildPerson {
  readonly trace: string[] = [];
  /** The branch that the work is on: they come back to it. */
  home = "main";
  readonly #root: string;
  readonly #chance: Chance;
  readonly #work = new Map<string, Work>();
  readonly #staged = new Map<string, { readonly text: string; readonly isGiven: boolean; isTheirs: boolean }>();
  /** By path: what they wrote while it was nobody else's. */
  readonly #written = new Map<string, Set<string>>();
  /** What they agreed to have committed with the task, and have not written into since: it is committed whole, whatever is staged. */
  readonly #given = new Set<string>();
  /** Files that writers work on: they may stage them as well. */
  readonly #shared = new Set<string>();
  /** Their stashes that they have not popped, the latest first. */
  readonly #stashes: Stash[] = [];
  /** Files that they changed since superteam last looked at whose is what. */
  readonly #late = new Set<string>();
  #count = 0;

  constructor(root: string, chance: Chance) {
    this.#root = root;
    this.#chance = chance;
  }

  git(...args: readonly string[]): string {
    return execFileSync("git", args, { cwd: this.#root, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
  }

  /** While no superteam runs. The slack that it gives to clocks has passed. */
  actLater(extra: readonly string[]): void {
    for (const path of this.act("nobody", extra)) {
      // Nobody can date what is gone from the root: an undo may bring it back, and says so.
      if (!existsSync(this.#at(path))) this.share([path]);
      const later = Date.now() / 1000 + 2;
      const place = this.#at(path);
      utimesSync(existsSync(place) ? place : dirname(place), later, later);
      // What is staged has the time of the index.
      if (existsSync(this.#at(".git/index"))) utimesSync(this.#at(".git/index"), later, later);
    }
  }

  /** Gives the paths that they had in mind, or changed. */
  act(beside: Beside, extra: readonly string[]): readonly string[] {
    const path = this.#chance.pick([...tracked, ...own, ...extra]);
    const deed = this.#chance.pick(deeds);
    const all = [...tracked, ...own, "letter.txt"];
    const before = all.map((file) => this.#textAt(file));
    try {
      if (this.#does(deed, path, beside)) this.trace.push(`the person: ${deed} ${path} beside ${beside}`);
    } catch (error) {
      // superteam's git holds the index at this very moment: they try again later.
      if (!String(error).includes("index.lock")) throw error;
    }
    return [path, ...all.filter((file, nth) => file !== path && this.#textAt(file) !== before[nth])];
  }

  /** Says whether there was something to do. */
  #does(deed: string, path: string, beside: Beside): boolean {
    if (deed === "write") return this.#write(path, this.#lines(), beside);
    if (deed === "remove") return existsSync(this.#at(path)) && this.#write(path, null, beside);
    if (deed === "switch") return this.#switch(beside);
    if (deed === "check out") return this.#isIn("", path) && this.#lets(beside, "checkout", "-q", "--", path);
    // What they stage or commit is their own.
    // Beside a writer it would be undone with whatever else the writer did to the index.
    if (beside === "writer") return false;
    if (deed === "go back to HEAD")
      return this.#isIn("HEAD", path) && this.#lets(beside, "restore", "-SW", "--source=HEAD", "--", path);
    if (deed === "stash") return this.#isIn("HEAD", path) && this.#stash(beside, "--", path);
    if (deed === "stash all") return this.#stash(beside, "-u");
    if (deed === "pop") return this.#pop(beside);
    if (!existsSync(this.#at(path)) || this.#work.get(path)?.text !== this.#textAt(path)) return false;
    if (deed === "stage") return this.#stage(path);
    if (deed === "stage in part") return this.#stageInPart(path);
    if (deed === "stage other words") return this.#stageOtherWords(path);
    return this.#commit(path);
  }

  /** Long enough for two hunks. */
  #lines(): string {
    this.#count++;
    const line = (index: number) =>
      index % 9 === 1 ? `the person's ${this.#count}, line ${index}\n` : `line ${index}\n`;
    return Array.from({ length: 20 }, (_, index) => line(index)).join("");
  }

  #write(path: string, text: string | null, beside: Beside): boolean {
    if (text === null) rmSync(this.#at(path));
    else writeFileSync(this.#at(path), text);
    this.#leave(path, text, beside);
    if (text !== null && beside !== "writer") this.#written.set(path, this.#textsOf(path).add(text));
    return true;
  }

  #leave(path: string, text: string | null, beside: Beside): void {
    this.#work.set(path, { text, beside, isTheirs: beside === "nobody" });
    this.#given.delete(path);
    this.#late.add(path);
  }

  #textsOf(path: string): Set<string> {
    return this.#written.get(path) ?? new Set();
  }

  #stage(path: string): boolean {
    this.git("add", "-f", "--", path);
    this.#remember(path);
    return true;
  }

  #stageInPart(path: string): boolean {
    if (this.git("diff", "--name-only", "--", path) === "") return false;
    execFileSync("git", ["add", "-p", "--", path], {
      cwd: this.#root,
      input: "y\nq\n",
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#remember(path);
    return true;
  }

  /** As `git add -e` does: what they stage is in no file. */
  #stageOtherWords(path: string): boolean {
    const hunk = this.git("diff", "-U0", "--", path);
    if (!/^\+the person's/m.test(hunk)) return false;
    const input = hunk.replaceAll(/^\+the person's/gm, "+only staged:");
    execFileSync("git", ["apply", "--cached", "--unidiff-zero"], { cwd: this.#root, input });
    this.#remember(path);
    return true;
  }

  #isIn(commit: "" | "HEAD", path: string): boolean {
    return this.git(...(commit === "" ? ["ls-files", "--", path] : ["ls-tree", "HEAD", "--", path])) !== "";
  }

  /** Lets git change files and the index as they asked: from now on that is how they left it. */
  #lets(beside: Beside, ...args: readonly string[]): boolean {
    const all = [...tracked, ...own, "letter.txt"];
    const now = () => ({ files: all.map((path) => this.#textAt(path)), index: all.map((path) => this.#indexed(path)) });
    const before = now();
    this.git(...args);
    const { files, index } = now();
    for (const [nth, path] of all.entries()) {
      const text = files[nth] ?? null;
      if (text !== before.files[nth]) this.#leave(path, text, beside);
      if (index[nth] === before.index[nth]) continue;
      this.#staged.delete(path);
      if (this.git("diff", "--cached", "--name-only", "--", path) !== "" && index[nth] !== "") this.#remember(path);
    }
    return true;
  }

  #indexed(path: string): string {
    return this.git("ls-files", "-s", "--", path);
  }

  #stash(beside: Beside, ...which: readonly string[]): boolean {
    const latest = this.#listed()[0];
    const notTheirs = [...tracked, ...own, "letter.txt"].filter((path) => this.#work.get(path)?.isTheirs !== true);
    const others = new Map(notTheirs.map((path) => [path, this.#textAt(path)]));
    this.#lets(beside, "stash", "push", "-q", ...which);
    const sha = this.#listed()[0];
    if (sha === undefined || sha === latest) return false;
    this.#stashes.unshift({ sha, others });
    return true;
  }

  #listed(): readonly string[] {
    return this.git("stash", "list", "--format=%H").split("\n").filter(Boolean);
  }

  /** Where it does not fit they leave it where it is. */
  #pop(beside: Beside): boolean {
    const [stash] = this.#stashes;
    const nth = this.#listed().indexOf(stash?.sha ?? "");
    if (stash === undefined || nth < 0 || !this.#fits(stash.sha)) return false;
    const before = new Map([...this.#written].map(([path, texts]) => [path, new Set(texts)]));
    this.#lets(beside, "stash", "pop", "-q", "--index", `stash@{${nth}}`);
    this.#stashes.shift();
    for (const [path, text] of stash.others) {
      if (this.#textAt(path) !== text) continue;
      this.share([path]);
      this.#written.set(path, before.get(path) ?? new Set());
    }
    return true;
  }

  /** No file that it would change has changes now, and none has another text at HEAD than when it was stashed. */
  #fits(sha: string): boolean {
    const untracked = this.git("stash", "show", "--only-untracked", "--name-only", "--format=", sha);
    const parts = [`${sha}^2`, sha].map((part) => this.git("diff", "--name-only", `${sha}^1`, part));
    const paths = [untracked, ...parts].flatMap((text) => text.split("\n")).filter(Boolean);
    const isSame = this.git("diff", "--name-only", `${sha}^1`, "HEAD", "--", ...paths) === "";
    return (
      isSame && this.git("status", "--porcelain", "--", ...paths) === "" && paths.every((path) => !this.#isNew(path))
    );
  }

  #isNew(path: string): boolean {
    return existsSync(this.#at(path)) && !this.#isIn("HEAD", path);
  }

  #remember(path: string): void {
    const text = this.git("show", `:${path}`);
    const isTheirs = this.#work.get(path)?.isTheirs === true;
    this.#staged.set(path, { text, isTheirs, isGiven: this.#given.has(path) });
    if (isTheirs) this.#written.set(path, this.#textsOf(path).add(text));
  }

  /** Just this file, on the branch of the run, with what is in the tree. */
  #commit(path: string): boolean {
    if (this.branch !== this.home) return false;
    this.git("add", "-f", "--", path);
    if (this.git("diff", "--cached", "--name-only", "--", path) === "") return false;
    this.git("commit", "-qm", `Mine ${this.#count}`, "--", path);
    this.#staged.delete(path);
    // Work may build on it from now on.
    this.share([path]);
    return true;
  }

  get branch(): string {
    return this.git("symbolic-ref", "--short", "HEAD").trim();
  }

  #switch(beside: Beside): boolean {
    if (beside === "writer") return false;
    if (this.branch === this.home) this.git("switch", "-qc", `side-${++this.#count}`);
    else this.comeBack();
    return true;
  }

  comeBack(): void {
    if (this.branch !== this.home) this.git("symbolic-ref", "HEAD", `refs/heads/${this.home}`);
  }

  /** From now on somebody else has a claim to these files too, or to all of them: they may leave the tree, but not be lost. */
  share(paths: readonly string[] | "all"): void {
    for (const [path, work] of this.#work) if (paths === "all" || paths.includes(path)) work.isTheirs = false;
    for (const [path, staged] of this.#staged) if (paths === "all" || paths.includes(path)) staged.isTheirs = false;
  }

  /** A writer works on these files. What they wrote into them since it began counts as its work. */
  writerAt(paths: readonly string[]): void {
    this.share(paths);
    for (const path of paths) this.#shared.add(path);
    for (const path of paths) if (this.#work.get(path)?.beside === "writer") this.#work.delete(path);
  }

  /** superteam looks at whose is what. */
  lookedAt(): void {
    this.#late.clear();
  }

  /** Work in these files is taken back. What they wrote into them after the last look goes along: it is kept, and they are told. */
  takenBack(paths: readonly string[]): void {
    this.share(paths.filter((path) => this.#late.has(path)));
  }

  /** They agreed to have these committed with the task. */
  give(paths: readonly string[]): void {
    this.share(paths);
    for (const path of paths) {
      this.#written.delete(path);
      this.#given.add(path);
      // It is staged as it is in the tree by then.
      this.#staged.delete(path);
    }
  }

  /** What is not as it has to be. */
  complaints(): readonly string[] {
    const { blobs, index } = this.#reachable();
    const listed = this.#listed();
    const gone = this.#stashes
      .filter(({ sha }) => !listed.includes(sha))
      .map(({ sha }) => `their stash ${sha} is gone`);
    return [...gone, ...this.#missing(blobs), ...this.#moved(index), ...this.#committed()];
  }

  /** Somebody may have built on it, with leave: then it is part of a longer text. */
  #missing(blobs: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
    const isKept = (path: string, text: string): boolean => {
      const texts = [...(blobs.get(path) ?? [])].map((blob) => this.git("cat-file", "blob", blob));
      return [this.#textAt(path) ?? "", ...texts].some((kept) => kept.includes(text));
    };
    const wrote = [...this.#work].flatMap(([path, { text }]) =>
      text === null || isKept(path, text) ? [] : [`what they wrote into ${path} is lost`],
    );
    const staged = [...this.#staged].flatMap(([path, { text, isGiven }]) =>
      isGiven || isKept(path, text) ? [] : [`what they staged of ${path} is lost`],
    );
    return [...wrote, ...staged];
  }

  #moved(index: ReadonlyMap<string, string>): readonly string[] {
    const tree = [...this.#work].flatMap(([path, { text, isTheirs }]) =>
      !isTheirs || this.#textAt(path) === text ? [] : [`${path} is not as they left it`],
    );
    const staged = [...this.#staged].flatMap(([path, { text, isTheirs }]) =>
      !isTheirs || index.get(path) === blobOf(text) ? [] : [`${path} is not staged as they left it`],
    );
    const isKnown = (path: string): boolean => this.#staged.has(path) || this.#shared.has(path);
    const strange = this.git("diff", "--cached", "--name-only").split("\n");
    const more = strange.filter((path) => this.#work.get(path)?.isTheirs && !isKnown(path));
    return [...tree, ...staged, ...more.map((path) => `${path} is staged, and they did not stage it`)];
  }

  /** Commits of the run that hold something of theirs. */
  #committed(): readonly string[] {
    const log = this.git("log", "--all", "--format=%H %(trailers:key=Superteam-Run,valueonly,separator=%x2C)");
    const ofRun = log.split("\n").flatMap((line) => (/^\w+ ./.test(line) ? [line.slice(0, line.indexOf(" "))] : []));
    return ofRun.flatMap((sha) => {
      const changed = this.git("diff-tree", "-r", "--no-commit-id", sha).split("\n");
      return changed.flatMap((line) => {
        const [, blob = "", path = ""] = /^:\d+ \d+ \w+ (\w+) \w\t(.*)$/.exec(line) ?? [];
        const isTheirs = [...(this.#written.get(path) ?? [])].some((text) => blobOf(text) === blob);
        return isTheirs ? [`the run's commit ${sha.slice(0, 7)} has what they wrote into ${path}`] : [];
      });
    });
  }

  /** By path: all blobs in the index, in commits and under refs; and those in the index. */
  #reachable(): { blobs: ReadonlyMap<string, ReadonlySet<string>>; index: ReadonlyMap<string, string> } {
    const entries = this.git("ls-files", "-s").split("\n").filter(Boolean);
    const index = entries.map((line) => [line.slice(line.indexOf("\t") + 1), line.split(" ")[1] ?? ""] as const);
    const objects = this.git("rev-list", "--objects", "--all", ...this.#listed()).split("\n");
    const named = objects.map((line) => [line.slice(41), line.slice(0, 40)] as const);
    const blobs = new Map<string, Set<string>>();
    for (const [path, blob] of [...index, ...named]) {
      if (this.#work.has(path)) blobs.set(path, (blobs.get(path) ?? new Set()).add(blob));
    }
    return { blobs, index: new Map(index) };
  }

  #at(path: string): string {
    return join(this.#root, path);
  }

  #textAt(path: string): string | null {
    return existsSync(this.#at(path)) ? readFileSync(this.#at(path), "utf8") : null;
  }
}

const blobOf = (text: string): string =>
  createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest("hex");
