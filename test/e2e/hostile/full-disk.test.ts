// An agent that leaves no room where superteam keeps what git says. What git could not say must never be taken for "nothing": no reviewer
// is shown half a diff, and no file of the person's looks like one that git does not ignore.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { exitOf } from "../../rig/cli/cli.ts";
import { cannotMount, mountSmallDisk, unmount } from "../../rig/cli/mounts.ts";
import { goal } from "../../rig/cli/small-play.ts";
import { assertDone, commitAll, hostile, put } from "./rig.ts";

const skip = cannotMount(join(tmpdir(), "superteam-full-disk")) ?? false;
/** Once: it works again when the run continues. */
const fillAll =
  '[ -e "$TMPDIR/filled" ] || { touch "$TMPDIR/filled"; dd if=/dev/zero of="$TMPDIR/filler" bs=4096 2>/dev/null; }';

const deeds = {
  "what is new is long": "seq 1 5000 | sed 's/^/line /' > long.txt",
  "git sees what it ignored": "echo '*.log' > .gitignore",
};

for (const [what, deed] of Object.entries(deeds))
  test(`where an agent fills the temporary folder and ${what}, the run stops with a word about it, and continues`, {
    skip,
  }, async (context) => {
    const disk = mkdtempSync(join(tmpdir(), "superteam-full-disk-"));
    mountSmallDisk(disk, 4);
    context.after(() => {
      unmount(disk);
      rmSync(disk, { recursive: true, force: true });
    });
    const cli = await hostile(context, { implementer: `${deed}; ${fillAll}` });
    put(cli, { ".gitignore": ".env\n" });
    commitAll(cli);
    put(cli, { ".env": "KEY=private\n" });
    const head = cli.git("rev-parse", "HEAD");
    const stopped = await exitOf(cli.start(["run", goal, "--mode", "hotfix"], { TMPDIR: disk }));
    assert.equal(stopped.code, 5, stopped.stderr);
    assert.match(stopped.stderr, /Free some space there or set TMPDIR to another folder/);
    assert.equal(cli.git("rev-parse", "HEAD"), head);
    rmSync(join(disk, "filler"));
    const exit = await exitOf(cli.start(["resume"], { TMPDIR: disk }));
    const files = deed.includes("long.txt") ? ["letter.txt", "long.txt"] : ["letter.txt", ".gitignore"];
    assertDone(cli, exit, files);
    assert.equal(cli.file(".env"), "KEY=private\n");
    const review = cli.server.requests.find(({ header }) => header?.role === "spec-reviewer");
    // A long diff is in a file that the prompt names, with its length.
    assert.match(review?.prompt ?? "", /Dear reader|\(5\d{4} characters\)/);
    assert.doesNotMatch(review?.prompt ?? "", /KEY=private/);
  });
