// An implementer whose check passes with what no commit can hold: a file over 10 MB, or a repository of its own. The commit has to pass
// without (T1), and what is undone takes that along.

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Cli, Exit } from "../../rig/cli/cli.ts";
import { assertDone, commitAll, hostile, hotfix, put } from "./rig.ts";

const id = "execute.task.1.alone";
const wants = `import { readFileSync } from "node:fs"; process.exit(readFileSync("letter.txt", "utf8").includes("Yours") ? 0 : 1);`;
const padded = `require("fs").writeFileSync("check.mjs", "process.exit(0)\\n//" + "x".repeat(11e6))`;

const tricks = {
  "pads its check over 10 MB": { implementer: `node -e '${padded}'`, command: "node check.mjs", left: "check.mjs" },
  "makes what its check needs in a repository of its own": {
    implementer: "git init -q lib; echo ok > lib/ok",
    command: "test -f lib/ok",
    left: "lib",
  },
};

async function trick(
  context: TestContext,
  implementer: string,
  validationCommand: string,
): Promise<readonly [Cli, Exit]> {
  const cli = await hostile(context, { implementer });
  put(cli, { "check.mjs": wants, ".superteam.json": JSON.stringify({ validationCommand }) });
  commitAll(cli);
  return [cli, await hotfix(cli)];
}

for (const [what, { implementer, command, left }] of Object.entries(tricks))
  test(`T1: an implementer that ${what} completes nothing by itself, and what is undone takes that along`, async (context) => {
    const [cli, waiting] = await trick(context, implementer, command);
    assert.equal(waiting.code, 2, waiting.stderr);
    assert.ok(waiting.stderr.includes(id), waiting.stderr);
    assert.ok(waiting.stderr.includes(`passed with what agents left in ${left} (`), waiting.stderr);
    const ended = await cli.go("answer", "skip", "--id", id);
    const resumed = await cli.go("resume");
    const said = ended.stderr + resumed.stderr;
    assert.equal(cli.active, undefined, said);
    assert.equal(cli.git("status", "--porcelain"), "?? notes.txt", said);
    assert.equal(cli.file("check.mjs"), wants, said);
    assert.match(said, /What no commit can hold.* was moved to /);
    const [, folder = ""] = /was moved to (\S+)\.\n/.exec(said) ?? [];
    assert.ok(existsSync(join(folder, left)), said);
  });

test("T1: what no commit can hold keeps nobody from completing work that passes without it", async (context) => {
  const [cli, done] = await trick(context, "git init -q lib; echo ok > lib/ok", "test -f letter.txt");
  assertDone(cli, done);
  assert.match(done.stderr, /The checks of task 1 pass without what agents left in lib \(.*\) too\./);
});

test("E3b, R6: what agents do to files without a copy is named, and nobody says that it was undone", async (context) => {
  const cli = await hostile(context, { scout: "echo small > huge.bin", implementer: "rm huge.bin" });
  writeFileSync(join(cli.root, "huge.bin"), Buffer.alloc(11 << 20));
  const done = await hotfix(cli);
  assertDone(cli, done);
  assert.match(done.stderr, /The scout changed huge\.bin\. superteam keeps no copy of such files/);
  assert.match(done.stderr, /scout may only read, but changed huge\.bin\. That could not be undone/);
  assert.match(
    done.stderr,
    /The implementer changed your files: huge\.bin\. They were restored\./,
    "by then it is a small one",
  );
});

test("E3b: a file without a copy that an implementer removes is named", async (context) => {
  const cli = await hostile(context, { implementer: "rm huge.bin" });
  writeFileSync(join(cli.root, "huge.bin"), Buffer.alloc(11 << 20));
  const done = await hotfix(cli);
  assertDone(cli, done);
  assert.match(
    done.stderr,
    /The implementer removed, moved or closed huge\.bin\. superteam keeps no copy of such files/,
  );
});
