// A place of its own, on real git and real files: what it has, that it is outside, and that nothing in it leads back.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { shellChecks } from "../../../src/adapters/checks/shell.ts";
import { placesFolder, removePlaces } from "../../../src/adapters/place/places-folder.ts";
import { pythonOf } from "../../../src/adapters/place/python-packages.ts";
import { worktreePlaces } from "../../../src/adapters/place/worktrees.ts";
import { openRepo } from "../../../src/adapters/repo/git/open.ts";
import { troubleWithWorktrees, worktreesOf } from "../../../src/adapters/repo/git/place/worktree.ts";
import { documents } from "../../../src/adapters/store/documents.ts";
import { startPlace } from "../../../src/core/flow/flow.ts";
import type { Anchor } from "../../../src/core/flow/repository.ts";
import type { Place } from "../../../src/ports/place.ts";
import { isAlive } from "../../rig/agents/rig.ts";
import { until } from "../../rig/until.ts";

interface Setting {
  readonly copy?: readonly string[];
  readonly setup?: string;
  readonly copyLimitMb?: number;
  readonly testCommand?: string;
  /** Where the places are; beside the repository unless a test says otherwise. */
  readonly folder?: (root: string) => string;
}

/** A workspace of two packages, one of which uses the other by a link in node_modules, as npm makes it. */
async function stand(
  context: TestContext,
  { copy = [], setup = "", copyLimitMb = 2000, testCommand = "node --test", folder = beside }: Setting = {},
) {
  const above = realpathSync(mkdtempSync(join(tmpdir(), "superteam-place-")));
  context.after(() => rmSync(above, { recursive: true, force: true }));
  const root = join(above, "repository");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write(".gitignore", "node_modules/\n.env\n");
  write("package-lock.json", "{}");
  write("packages/a/index.js", 'export const a = "committed";\n');
  write("packages/a/package.json", '{"name":"a","type":"module","exports":"./index.js"}');
  write("show.mjs", 'import { a } from "a";\nconsole.log(a);\n');
  const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-q", "-m", "First");
  write("node_modules/plain/index.js", "1;\n");
  symlinkSync("../packages/a", join(root, "node_modules/a"));
  write(".env", "SECRET=1\n");
  chmodSync(join(root, ".env"), 0o600);
  const placeAt = async (at: string): Promise<Place> => ({
    root: at,
    repo: await openRepo({ root: at, runId: "r1", documents: [] }),
    checks: shellChecks({ cwd: at, environment: [] }),
    documents: documents(at),
  });
  const tree = await placeAt(root);
  const never = new AbortController().signal;
  const options = {
    tree,
    folder: async () => folder(root),
    worktrees: worktreesOf(root),
    furnishing: async (signal: AbortSignal) => ({
      copy,
      setup,
      copyLimitMb,
      testCommand,
      run: async (cwd: string, command: string) => {
        const { exitCode, output } = await shellChecks({ cwd, environment: [] }).run(command, signal);
        return { passed: exitCode === 0, output };
      },
    }),
    placeAt,
  };
  const snapshot = () => tree.repo.snapshot("kept");
  const say = async (at: string) =>
    (await shellChecks({ cwd: at, environment: [] }).run("node show.mjs", never)).output;
  const placesNow = () => {
    const places = worktreePlaces(options);
    const open = (name: string, from: Anchor, signal = never) => places.open(name, from, signal);
    return { ...places, open };
  };
  return { root, write, git, places: placesNow(), again: placesNow, snapshot, say };
}

const beside = (root: string): string => join(dirname(root), "places", "r1");

test("a place has the anchor's files, committed or not, and its own packages; the person's tree is as it was", async (context) => {
  const one = await stand(context, { copy: [".env", "none.txt"] });
  one.write("packages/a/index.js", 'export const a = "uncommitted";\n');
  one.write("new.txt", "new\n");
  const anchor = await one.snapshot();
  one.write("packages/a/index.js", 'export const a = "later";\n');
  const before = one.git("status", "--porcelain");
  const id = await one.places.open("try it/1", anchor);
  assert.equal(await one.say(id), "uncommitted\n", "not the person's, which has moved on");
  assert.equal(readFileSync(join(id, "new.txt"), "utf8"), "new\n");
  assert.equal(readFileSync(join(id, ".env"), "utf8"), "SECRET=1\n");
  assert.equal(statSync(join(id, ".env")).mode & 0o777, 0o600);
  assert.ok(existsSync(join(id, "node_modules/plain/index.js")));
  const place = await one.places.at(id);
  assert.equal((await place.repo.snapshot("there")).tree, anchor.tree, "git sees the very tree");
  rmSync(join(id, "node_modules"), { recursive: true });
  writeFileSync(join(id, ".env"), "SECRET=2\n");
  assert.ok(existsSync(join(one.root, "node_modules/plain/index.js")), "what happens there stays there");
  assert.equal(readFileSync(join(one.root, ".env"), "utf8"), "SECRET=1\n");
  assert.equal(one.git("status", "--porcelain"), before);
  assert.equal((await one.places.at(startPlace)).root, one.root);
});

test("a place has the submodules that the person has, at their commits, and what is done there stays there", async (context) => {
  const one = await stand(context);
  const above = dirname(one.root);
  const at = (folder: string, ...args: readonly string[]): string =>
    execFileSync(
      "git",
      ["-c", "protocol.file.allow=always", "-c", "user.name=p", "-c", "user.email=p@example.org", ...args],
      {
        cwd: folder,
        encoding: "utf8",
      },
    );
  for (const name of ["inner", "outer"]) {
    at(above, "init", "-q", "-b", "main", name);
    writeFileSync(join(above, name, "a.txt"), `${name}\n`);
    if (name === "outer") at(join(above, name), "submodule", "--quiet", "add", join(above, "inner"), "in ner");
    at(join(above, name), "add", "-A");
    at(join(above, name), "commit", "-q", "-m", "First");
  }
  for (const path of ["vendor/lib", "left out"])
    at(one.root, "submodule", "--quiet", "add", join(above, "outer"), path);
  at(one.root, "submodule", "--quiet", "update", "--init", "--recursive");
  at(one.root, "commit", "-q", "-m", "With submodules");
  at(one.root, "submodule", "--quiet", "deinit", "--force", "left out");
  const theirs = join(one.root, "vendor/lib");
  const pinned = at(theirs, "rev-parse", "HEAD");
  at(theirs, "commit", "-q", "--allow-empty", "-m", "Later");
  const later = at(theirs, "rev-parse", "HEAD");
  const anchor = await one.snapshot();
  const id = await one.places.open("try", anchor);
  assert.equal(readFileSync(join(id, "vendor/lib/a.txt"), "utf8"), "outer\n");
  assert.equal(readFileSync(join(id, "vendor/lib/in ner/a.txt"), "utf8"), "inner\n");
  assert.equal(at(join(id, "vendor/lib"), "rev-parse", "HEAD"), pinned, "the commit that the anchor names");
  assert.deepEqual(readdirSync(join(id, "left out")), []);
  assert.equal((await (await one.places.at(id)).repo.snapshot("there")).tree, anchor.tree);
  at(join(id, "vendor/lib"), "commit", "-q", "--allow-empty", "-m", "There");
  assert.equal(at(theirs, "rev-parse", "HEAD"), later);
  await one.places.close(id);
  assert.ok(!existsSync(id));
  assert.equal(one.git("worktree", "list").trim().split("\n").length, 1);
});

test("what a copied link leads to is copied, a link in a copied folder leads to the place's own file, and one to nothing is left out", async (context) => {
  const one = await stand(context, { copy: [".env", "local", "gone"] });
  one.write("local/real.txt", "1\n");
  symlinkSync("real.txt", join(one.root, "local/link.txt"));
  symlinkSync("local/real.txt", join(one.root, "shared"));
  rmSync(join(one.root, ".env"));
  symlinkSync("shared", join(one.root, ".env"));
  symlinkSync("nowhere", join(one.root, "gone"));
  writeFileSync(join(one.root, ".git/info/exclude"), "local/\nshared\ngone\n");
  const id = await one.places.open("try", await one.snapshot());
  writeFileSync(join(id, ".env"), "2\n");
  writeFileSync(join(id, "local/link.txt"), "2\n");
  assert.equal(readFileSync(join(id, "local/real.txt"), "utf8"), "2\n");
  assert.equal(readFileSync(join(one.root, "local/real.txt"), "utf8"), "1\n");
  assert.equal(existsSync(join(id, "gone")), false);
});

test("a worktree of the person whose folder is not there right now stays known to git", async (context) => {
  const one = await stand(context);
  const theirs = join(dirname(one.root), "theirs");
  one.git("worktree", "add", "-q", "--detach", theirs);
  rmSync(theirs, { recursive: true });
  const id = await one.places.open("try", await one.snapshot());
  await one.places.close(id);
  const listed = one.git("worktree", "list");
  assert.ok(listed.includes(theirs) && !listed.includes(id), listed);
});

test("whether worktrees can be made is tried out, and nothing is left of that", async (context) => {
  const { root, git } = await stand(context);
  const above = dirname(root);
  assert.equal(await troubleWithWorktrees(root, join(above, "tried", "doctor")), undefined);
  assert.equal(git("worktree", "list").trim().split("\n").length, 1);
  assert.ok(!existsSync(join(above, "tried", "doctor")));
  writeFileSync(join(above, "file"), "");
  assert.match((await troubleWithWorktrees(root, join(above, "file", "doctor"))) ?? "none", /file/);
  assert.equal(git("worktree", "list").trim().split("\n").length, 1);
});

test("a place is the same for who opens it again, also in another process; closed it is gone, and that twice is fine", async (context) => {
  const one = await stand(context);
  const anchor = await one.snapshot();
  const id = await one.places.open("try", anchor);
  writeFileSync(join(id, "work.txt"), "work\n");
  assert.equal(await one.again().open("try", anchor), id);
  assert.ok(existsSync(join(id, "work.txt")));
  await one.again().close(id);
  assert.deepEqual([existsSync(id), one.git("worktree", "list").trim().split("\n").length], [false, 1]);
  await one.places.close(id);
  assert.equal(existsSync(dirname(id)), false, "and neither is the folder of the run");
});

test("all places of a run are removed, wherever they are; those of others, and the person's own worktrees, stay", async (context) => {
  const one = await stand(context);
  const above = dirname(one.root);
  const anchor = await one.snapshot();
  const worktrees = worktreesOf(one.root);
  for (const path of ["a/r1/x", "a/r1/y", "b/r1/x", "a/r2/x"]) await worktrees.add(join(above, path), anchor);
  one.git("worktree", "add", "-q", "--detach", join(above, "r1"));
  await worktrees.removeIn("r1");
  assert.deepEqual(
    one
      .git("worktree", "list")
      .trim()
      .split("\n")
      .map((line) => line.split(" ")[0]),
    [one.root, join(above, "a/r2/x"), join(above, "r1")],
  );
  assert.deepEqual([existsSync(join(above, "a/r1")), existsSync(join(above, "b/r1"))], [false, false]);
});

test("a place of that name that was made from another tree is replaced", async (context) => {
  const one = await stand(context);
  await one.places.open("try", await one.snapshot());
  one.write("packages/a/index.js", 'export const a = "later";\n');
  assert.equal(await one.say(await one.again().open("try", await one.snapshot())), "later\n");
});

test("a place that a kill left unfinished is made anew, and what a run leaves is removed with it", async (context) => {
  const one = await stand(context);
  const anchor = await one.snapshot();
  const half = join(beside(one.root), "try");
  await worktreesOf(one.root).add(half, anchor);
  writeFileSync(join(half, "half.txt"), "half\n");
  const id = await one.places.open("try", anchor);
  assert.equal(id, half);
  assert.ok(!existsSync(join(id, "half.txt")) && existsSync(join(id, "node_modules/plain")));
  await removePlaces(beside(one.root), worktreesOf(one.root).remove);
  assert.deepEqual([existsSync(beside(one.root)), one.git("worktree", "list").trim().split("\n").length], [false, 1]);
});

test("a folder inside the repository, and a package that leads back into the person's tree, are refused", async (context) => {
  const inside = await stand(context, { folder: (root) => join(root, "places") });
  await assert.rejects(
    inside.places.open("try", await inside.snapshot()),
    /is inside the repository.*worktree\.folder/,
  );
  assert.equal(existsSync(join(inside.root, "places")), false, "and nothing is left there");
  const linked = await stand(context, { folder: beside });
  mkdirSync(dirname(beside(linked.root)), { recursive: true });
  symlinkSync(linked.root, beside(linked.root));
  await assert.rejects(linked.places.open("try", await linked.snapshot()), /is inside the repository/, "by a link");
  const back = await stand(context);
  symlinkSync(join(back.root, "packages/a"), join(back.root, "node_modules/b"));
  await assert.rejects(
    back.places.open("try", await back.snapshot()),
    /node_modules\/b .*in your own tree.*worktree\.setup/,
  );
});

test("worktree.setup prepares the place instead; one that fails says so, with its output", async (context) => {
  const one = await stand(context, { setup: "mkdir node_modules && cp -R packages/a node_modules/a" });
  const id = await one.places.open("try", await one.snapshot());
  assert.equal(await one.say(id), "committed\n");
  assert.ok(!existsSync(join(id, "node_modules/plain")));
  const bad = await stand(context, { setup: "echo no network; exit 1" });
  await assert.rejects(
    bad.places.open("try", await bad.snapshot()),
    /`echo no network; exit 1` failed in [\s\S]*no network/,
  );
});

test("E4: what prepares a place can be ended, with all that it started", async (context) => {
  const one = await stand(context, { setup: "sleep 600 & echo $! > pid; mv pid started; wait" });
  const ending = new AbortController();
  const opened = one.places.open("try", await one.snapshot(), ending.signal);
  const started = join(beside(one.root), "try/started");
  await until(() => existsSync(started));
  const pid = Number(readFileSync(started, "utf8"));
  ending.abort();
  await assert.rejects(opened, /failed in/);
  assert.equal(await isAlive(pid), false);
});

test("a file outside of the repository is not copied, which says what to change", async (context) => {
  const one = await stand(context, { copy: ["../.env"] });
  writeFileSync(join(dirname(one.root), ".env"), "SECRET=1\n");
  await assert.rejects(
    one.places.open("try", await one.snapshot()),
    /worktree\.copy: \.\.\/\.env is not in the repository/,
  );
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test("a package that Python reads from the person's own tree is refused; one that it reads in the place is not", {
  skip: hasPython ? false : "python3 is not here",
}, async (context) => {
  const venv = "python3 -m venv --without-pip .venv";
  const editable = (path: string): string =>
    `${venv} && at="${path}" && cd .venv/lib/python*/site-packages && echo "$at" > letters.pth`;
  const opened = async (installed: (root: string) => string) => {
    const testCommand = ".venv/bin/python -m pytest";
    const one = await stand(context, { setup: "sh setup.sh", testCommand });
    one.write("src/letters/__init__.py", "raise RuntimeError('nobody imports it')\n");
    one.write("conftest.py", "");
    one.write("setup.sh", editable(installed(one.root)));
    return await one.places.open("try", await one.snapshot());
  };
  await assert.rejects(
    opened((root) => join(root, "src")),
    /Python reads letters from \/.*\/repository\/src\/letters\/__init__\.py in your own tree.*worktree\.setup/,
  );
  assert.ok(existsSync(await opened(() => "$PWD/src")));
});

test("Python is asked as the test command runs it", () => {
  for (const [command, python] of [
    ["python3 -m pytest -q", "python3"],
    ["uv run python -m pytest", "uv run python"],
    [".venv/bin/python -m unittest discover", ".venv/bin/python"],
    ["pytest", "python3"],
    ["pytest tests -x", "python3"],
    ["py.test", "python3"],
    [".venv/bin/pytest tests", ".venv/bin/python"],
    ["poetry run pytest", "poetry run python"],
    ["npm test", undefined],
    ["make pytest", undefined],
  ] as const)
    assert.equal(pythonOf(command), python, command);
});

/** A package manager of this name that only says how it was called. */
function noteInstalls(
  context: TestContext,
  { root, write }: Pick<Awaited<ReturnType<typeof stand>>, "root" | "write">,
  name: string,
) {
  write(`node_modules/.bin/${name}`, `#!/bin/sh\necho "${name} $*" > installed.txt\n`);
  chmodSync(join(root, `node_modules/.bin/${name}`), 0o755);
  const before = process.env["PATH"];
  process.env["PATH"] = `${join(root, "node_modules/.bin")}:${before}`;
  context.after(() => {
    process.env["PATH"] = before;
  });
}

test("packages of another lock file are installed, and pnpm's always: its folder is links into its store", async (context) => {
  const one = await stand(context);
  noteInstalls(context, one, "npm");
  noteInstalls(context, one, "pnpm");
  const before = await one.snapshot();
  one.write("package-lock.json", '{ "packages": {} }');
  const id = await one.places.open("older", before);
  assert.equal(readFileSync(join(id, "installed.txt"), "utf8"), "npm ci --prefer-offline\n");
  assert.ok(!existsSync(join(id, "node_modules")), "those of the person would be others");
  one.write("pnpm-lock.yaml", "");
  const strict = await one.places.open("strict", await one.snapshot());
  assert.equal(readFileSync(join(strict, "installed.txt"), "utf8"), "pnpm install --offline --frozen-lockfile\n");
});

test("packages of another lock file of yarn are installed with the option that its version has", async (context) => {
  for (const [head, option] of [
    ["# yarn lockfile v1\n", "--frozen-lockfile"],
    ["__metadata:\n  version: 8\n", "--immutable"],
  ] as const) {
    const one = await stand(context);
    noteInstalls(context, one, "yarn");
    one.write("yarn.lock", head);
    const before = await one.snapshot();
    one.write("yarn.lock", `${head}# another\n`);
    const id = await one.places.open("older", before);
    assert.equal(readFileSync(join(id, "installed.txt"), "utf8"), `yarn install ${option}\n`);
  }
});

test("where yarn keeps no packages in the tree it installs them, unless git has the file that says where they are", async (context) => {
  const one = await stand(context);
  noteInstalls(context, one, "yarn");
  rmSync(join(one.root, "node_modules/plain"), { recursive: true });
  one.write("yarn.lock", "__metadata:\n  version: 8\n");
  one.write(".pnp.cjs", "");
  const tracked = await one.places.open("tracked", await one.snapshot());
  assert.ok(!existsSync(join(tracked, "installed.txt")));
  one.write(".gitignore", "node_modules/\n.pnp.*\n");
  const ignored = await one.places.open("ignored", await one.snapshot());
  assert.equal(readFileSync(join(ignored, "installed.txt"), "utf8"), "yarn install --immutable\n");
});

test("packages that are too large to be copied are installed by the lock file; without one, it says what can be done", async (context) => {
  const one = await stand(context, { copyLimitMb: 0 });
  const clone = ["--reflink=always", join(one.root, "show.mjs"), join(dirname(one.root), "clone")];
  if (spawnSync("cp", clone).status === 0) return context.skip("copies cost nothing on this file system");
  noteInstalls(context, one, "npm");
  const id = await one.places.open("try", await one.snapshot());
  assert.equal(readFileSync(join(id, "installed.txt"), "utf8"), "npm ci --prefer-offline\n");
  assert.ok(!existsSync(join(id, "node_modules")) && !existsSync(join(id, ".superteam-probe")));
  rmSync(join(one.root, "package-lock.json"));
  await assert.rejects(
    one.places.open("again", await one.snapshot()),
    /node_modules: 1 MB, more than the 0 MB that are copied into a worktree\. Set worktree\.setup .* or raise worktree\.copyLimitMb\./,
  );
});

test("the folder is the user's own state folder, unless the configuration names one", () => {
  const named = { folder: "/somewhere", copy: [], setup: "", copyLimitMb: 2000 };
  assert.equal(placesFolder(named, "/here/repository", "r1"), "/somewhere/r1");
  assert.equal(placesFolder({ ...named, folder: "../places" }, "/here/repository", "r1"), "/here/places/r1");
  const { folder: _, ...usual } = named;
  assert.match(placesFolder(usual, "/here/repository", "r1"), /\/superteam\/worktrees\/r1$/);
});
