// Files that are not what they seem: links, odd names, other repositories, very many and very large ones.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { shellWord } from "../../../src/core/text/format.ts";
import { assertDone, commitAll, hostile, hotfix, put } from "./rig.ts";

test("nothing is written through links that lead out of the tree, and loops are no trouble", async (context) => {
  const cli = await hostile(context, {
    scout: "ln -s ../outside out; ln -s loop loop; rm README.md; ln -s ../outside/precious README.md",
    implementer: "ln -s /etc/passwd taken; ln -s own own",
  });
  const outside = join(cli.folder, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "precious"), "precious\n");
  for (const [path, target] of [
    ["docs", "../outside"],
    [".superteam", "../outside"],
    [".superteam-workflow.json", "../outside/precious"],
    ["round", "round/about"],
  ] as const)
    symlinkSync(target, join(cli.root, path));
  cli.git("add", "round", "docs");
  cli.git("commit", "-q", "-m", "Make it hostile");
  const refused = await hotfix(cli);
  assert.equal(refused.code, 5, refused.stderr);
  assert.match(
    refused.stderr,
    /docs\/plans\/.*\.md" is refused: .* behind a link that leads out of it\. Put a file or/,
  );
  assert.deepEqual([cli.server.requests.length, cli.active], [0, undefined], "nothing was paid for, nothing was begun");

  rmSync(join(cli.root, "docs"));
  cli.git("commit", "-q", "-a", "-m", "Take the link away");
  assertDone(cli, await hotfix(cli), ["letter.txt", "own", "taken"]);
  assert.equal(cli.file("README.md"), "# Letters\n", "what the scout did was undone");
  assert.deepEqual(
    [readdirSync(outside), readFileSync(join(outside, "precious"), "utf8")],
    [["precious"], "precious\n"],
  );
});

test("names of every kind are undone and committed as they are, and none is an order to the terminal", async (context) => {
  const odd = [
    ...["-rf", "--", " ", "*", ":(top)x", "HEAD", "ü", "line\nbreak", "tab\t", '"quoted"', "'", "back\\slash"],
    ...["$(touch trapped)", "`touch trapped`", "red\u001b[31m", "\u202egnp.exe", "x".repeat(250)],
  ];
  const notText = `"$(printf 'latin-\\351')"`;
  const make = [...odd.map((name) => shellWord(`./${name}`)), notText].map((file) => `echo x > ${file}`).join("; ");
  const cli = await hostile(context, { scout: make, implementer: make });
  const exit = await hotfix(cli);
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stderr, /scout may only read, but changed .*That was undone/s);
  const args = ["-C", cli.root, "diff-tree", "-r", "-z", "--name-only", "HEAD~1", "HEAD", "--"];
  const changed = execFileSync("git", args, { encoding: "latin1" }).split("\0").filter(Boolean);
  const inBytes = odd.map((name) => Buffer.from(name).toString("latin1"));
  assert.deepEqual(changed.sort(), ["letter.txt", "latin-\xe9", ...inBytes].sort());
  assert.equal(cli.file("trapped"), undefined);
  assert.ok(!exit.stderr.includes("\u001b[31m") && !exit.stderr.includes("\u202e"), exit.stderr);
});

test("files whose names git does not take are left alone and named", async (context) => {
  const names = ["d/.GIT", "d/.git ", "d/git~1", ".gitmodules"];
  const make = "mkdir d; echo x > d/.GIT; echo x > 'd/.git '; echo x > d/git~1; ln -s x .gitmodules";
  const cli = await hostile(context, { implementer: make });
  const exit = await hotfix(cli);
  assertDone(cli, exit);
  const [, named = ""] = /Neither reviewed nor committed .*: (.*)\n/.exec(exit.stderr) ?? [];
  assert.deepEqual(named.split(", ").sort(), names.sort());
});

test("paths as long as a system takes them are undone and committed, and longer ones are left alone", async (context) => {
  const part = "deep-".repeat(48);
  const make = (parts: number) =>
    `(set -e; for n in $(seq ${parts}); do mkdir -p ${part}; cd ${part}; done; echo x > end.txt)`;
  const path = (parts: number) => `${`${part}/`.repeat(parts)}end.txt`;
  assert.ok(Buffer.byteLength(path(16)) > 3_800);
  const cli = await hostile(context, { scout: make(16), implementer: `${make(16)}; mv deep-* deep; ${make(20)}` });
  const exit = await hotfix(cli);
  assert.ok(existsSync(join(cli.root, part)), "what is too deep for git is still there");
  // Node cannot remove what is deeper than a path may be long.
  execFileSync("rm", ["-rf", join(cli.root, part)]);
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stderr, /scout may only read, but changed .*That was undone/s);
  assertDone(cli, exit, ["letter.txt", path(16).replace(part, "deep")]);
});

test("a submodule with changes of the person and a repository that an agent made stay as they are", async (context) => {
  const cli = await hostile(context, { implementer: "git init -q nested; echo x > nested/x" });
  const other = join(cli.folder, "other");
  execFileSync("git", ["clone", "-q", cli.root, other]);
  cli.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub");
  put(cli, { ".gitmodules": `${cli.file(".gitmodules")}\tignore = all\n` });
  commitAll(cli);
  const watcher = cli.beside("watcher", "#!/bin/sh\ntouch trapped\n");
  chmodSync(watcher, 0o755);
  cli.git("-C", "sub", "config", "core.fsmonitor", watcher);
  put(cli, { "sub/README.md": "the person's\n", "sub/new.txt": "the person's\n" });
  const exit = await hotfix(cli);
  assertDone(cli, exit);
  assert.match(exit.stderr, /Neither reviewed nor committed .*: nested\n/);
  assert.deepEqual([cli.file("sub/trapped"), cli.file("trapped")], [undefined, undefined]);
  assert.deepEqual([cli.file("sub/README.md"), cli.file("sub/new.txt")], ["the person's\n", "the person's\n"]);
});

test("five thousand new files among five thousand, and one of 50 MB, are no trouble", async (context) => {
  const many = "mkdir many; cd many; seq 5000 | split -l 1 -a 4; cd ..; head -c 52428800 /dev/zero > large.bin";
  const cli = await hostile(context, { implementer: many });
  put(cli, Object.fromEntries(Array.from({ length: 5_000 }, (_, nth) => [`src/${nth % 50}/${nth}.txt`, `${nth}\n`])));
  commitAll(cli);
  const exit = await hotfix(cli);
  assert.equal(exit.code, 0, exit.stderr);
  assert.equal(cli.git("diff-tree", "-r", "--name-only", "HEAD~1", "HEAD", "--").split("\n").length, 5_001);
  assert.match(exit.stderr, /Neither reviewed nor committed .*: large\.bin\n/);
  assert.equal(statSync(join(cli.root, "large.bin")).size, 52_428_800);
  assert.ok(exit.stderr.length < 20_000, "they are not all listed");
});

test("S1: keys in files that git ignored stay out of commits and prompts when an agent changes the rules or stages them by force", async (context) => {
  const cli = await hostile(context, { implementer: "echo '*.log' > .gitignore; git add -f keys/api.key" });
  put(cli, { ".gitignore": ".env\n*.key\n" });
  commitAll(cli);
  put(cli, { ".env": "KEY=private\n", "keys/api.key": "private\n" });
  const exit = await hotfix(cli);
  assertDone(cli, exit, [".gitignore", "letter.txt"]);
  assert.match(
    exit.stderr,
    /changed what git ignores, so that git now sees files of yours: \.env, keys\/api\.key\. They are in no commit/,
  );
  for (const { prompt } of cli.server.requests) assert.doesNotMatch(prompt, /private/);
  assert.deepEqual([cli.file(".env"), cli.file("keys/api.key")], ["KEY=private\n", "private\n"]);
  assert.equal(cli.git("diff", "--cached", "--name-only"), "");
});

for (const role of ["scout", "implementer"] as const)
  test(`E11: rules of the ${role} by which git refuses files stop no run, and are named where they matter`, async (context) => {
    const cli = await hostile(context, { [role]: "echo '*.txt working-tree-encoding=bogus' > .gitattributes" });
    const exit = await hotfix(cli);
    if (role === "scout") return assertDone(cli, exit);
    assert.match(exit.stderr, /git refuses to store letter\.txt [^\n]*\.gitattributes/);
    const skip = cli.beside("answers.json", { "execute.task.1.commit": "skip" });
    const skipped = await cli.go("resume", "--answers", skip);
    assert.equal(skipped.code, 0, skipped.stderr);
    assert.equal(cli.file(".gitattributes"), undefined);
  });

test("S1: a private key stays private, whatever an agent does with it", async (context) => {
  const key = `${"PRIVATE ".repeat(8)}\n`;
  for (const [deed, told] of [
    ["rm key.pem", /changed your files: key\.pem\. They were restored/],
    ["chmod 644 key.pem", /let others on this machine read files of yours: key\.pem\. They are closed to others again/],
    [
      "mv key.pem other.pem",
      /moved or copied files of yours that git does not track to other\.pem\. They are in no commit/,
    ],
  ] as const) {
    const cli = await hostile(context, { implementer: deed });
    put(cli, { "key.pem": key });
    chmodSync(join(cli.root, "key.pem"), 0o600);
    const exit = await hotfix(cli);
    assertDone(cli, exit);
    assert.match(exit.stderr, told);
    assert.deepEqual([cli.file("key.pem"), statSync(join(cli.root, "key.pem")).mode & 0o777], [key, 0o600], deed);
    assert.ok(!cli.server.requests.some((request) => JSON.stringify(request).includes("PRIVATE PRIVATE")), deed);
  }
});
