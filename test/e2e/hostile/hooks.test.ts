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
