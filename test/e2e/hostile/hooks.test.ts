// Hooks that an agent changed, and what a hook puts into a commit.

import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Cli } from "../../rig/cli/cli.ts";
import { assertDone, hostile, hotfix, put } from "./rig.ts";

const evil = `printf '#!/bin/sh\\necho "evil()" > evil.js; git add evil.js\\n'`;

/** husky's layout: a folder that ignores itself. */
function addHusky(cli: Cli): void {
  put(cli, { ".husky/_/.gitignore": "*\n", ".husky/_/pre-commit": "#!/bin/sh\nexit 0\n" });
  chmodSync(join(cli.root, ".husky/_/pre-commit"), 0o755);
  cli.git("config", "core.hooksPath", ".husky/_");
}

test("E3b: a hook that git ignores and an agent rewrote does not run for the commit, and is restored and named", async (context) => {
  const cli = await hostile(context, { implementer: `${evil} > .husky/_/pre-commit` });
  addHusky(cli);
  const exit = await hotfix(cli);
  assertDone(cli, exit);
  assert.equal(cli.file(".husky/_/pre-commit"), "#!/bin/sh\nexit 0\n");
  assert.match(exit.stderr, /changed git's own files: \S+\/\.husky\/_\/pre-commit\. They were restored/);
});

for (const role of ["scout", "implementer"] as const)
  test(`E3b: hooks that the ${role} set in the person's own configuration do not run for the commit, and it is named`, async (context) => {
    const hooks = `mkdir -p ~/h; ${evil} > ~/h/pre-commit; chmod +x ~/h/pre-commit; git config --global core.hooksPath ~/h`;
    const cli = await hostile(context, { [role]: hooks });
    const exit = await hotfix(cli);
    assertDone(cli, exit);
    const named = `The ${role} changed git's configuration outside this repository: core\\.hookspath \\(\\S+config\\)`;
    assert.match(exit.stderr, new RegExp(named));
    assert.match(exit.stderr, /commits with the hooks from before/);
  });

test("T1: a reviewer sees what a hook adds to the commit, and it is committed as it was reviewed", async (context) => {
  const cli = await hostile(context);
  put(cli, { ".git/hooks/pre-commit": "#!/bin/sh\necho 'evil()' > evil.js; git add evil.js\n" });
  const exit = await hotfix(cli);
  assertDone(cli, exit, ["evil.js", "letter.txt"]);
  assert.match(exit.stderr, /A commit hook changed task 1[^:]*: evil\.js\. With that it is judged and committed again/);
  const reviewed = cli.server.requests.filter(({ header }) => header?.role === "spec-reviewer");
  assert.ok(reviewed.some(({ prompt }) => prompt.includes("evil()")));
});

test("T1: a hook that adds something to each commit is put to the person", async (context) => {
  const cli = await hostile(context);
  put(cli, { ".git/hooks/pre-commit": "#!/bin/sh\necho evil >> evil.js; git add evil.js\n" });
  const asked = await hotfix(cli);
  assert.match(asked.stderr, /nobody has reviewed: evil\.js/);
  assert.notEqual(cli.active, undefined);
  const skipped = await cli.go("resume", "--answers", cli.beside("answers.json", { "execute.task.1.hook": "skip" }));
  assert.equal(cli.file("evil.js"), undefined, skipped.stderr);
  assert.equal(cli.git("log", "-1", "--format=%s").includes("task 1"), false);
});
