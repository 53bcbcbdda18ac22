// What an agent can put in the place of the person's files, so that they cannot just be written again (E3b).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { putBackTexts } from "../../../src/core/flow/put-back.ts";
import { makeRig, rigIn } from "./rig.ts";

const large = "head -c 11000000 /dev/zero";

const deeds: Readonly<Record<string, string>> = {
  "folders with files that git ignores":
    "git checkout -q a.txt && rm data/mine.txt && mkdir data/mine.txt && touch data/mine.txt/x.log",
  repositories: "git checkout -q a.txt && rm data/mine.txt && git init -q data/mine.txt",
  "files that are too large": `${large} > a.txt && ${large} > data/mine.txt`,
  "a repository around them":
    "git checkout -q a.txt && git init -q data && echo clobbered > data/mine.txt && cd data && git add mine.txt",
};

for (const [what, deed] of Object.entries(deeds))
  test(`E3b: the person's files come back byte for byte where a writer puts in their place: ${what}`, async (t) => {
    const rig = await makeRig(t, { "a.txt": "committed\n", ".gitignore": "*.log\n" });
    await rig.write("a.txt", "edited\n");
    await rig.write("data/mine.txt", "untracked\n");
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    execFileSync("sh", ["-c", deed], { cwd: rig.root, stdio: "pipe" });
    const { changed, left, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([await rig.read("a.txt"), await rig.read("data/mine.txt")], ["edited\n", "untracked\n"]);
    assert.deepEqual([[...putBack.files].sort(), putBack.filesLost], [["a.txt", "data/mine.txt"], undefined]);
    assert.deepEqual([changed, left.tree], [[], await repo.tree()]);
    const said = putBackTexts("implementer", putBack).join("\n");
    assert.match(said, /changed your files: a\.txt, data\/mine\.txt\. They were restored\. What it left is kept at/);
    if (putBack.filesKept === undefined) return;
    assert.ok(said.includes(`What it left is in ${putBack.filesKept}.`));
    const kept = rigIn(putBack.filesKept);
    assert.ok((await kept.exists("a.txt")) || (await kept.exists("data")), join(putBack.filesKept, "a.txt"));
  });
