// What a person does while files are put back (E3): a filter that waits holds the moment open.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { RestoreOutcome } from "../../../src/core/flow/repository.ts";
import { until } from "../../rig/until.ts";
import { makeFolder, makeRig, type Rig, rigIn } from "./rig.ts";

interface Held {
  readonly during: (doing: Promise<RestoreOutcome>, deed: () => Promise<void>) => Promise<RestoreOutcome>;
}

async function withSlow(
  t: TestContext,
  files: Readonly<Record<string, string>> = {},
): Promise<{ rig: Rig; held: Held }> {
  const attributes = `*.slow filter=slow\n${files[".gitattributes"] ?? ""}`;
  const rig = await makeRig(t, { "a.slow": "one\n", "b.txt": "two\n", ...files, ".gitattributes": attributes });
  const signs = await makeFolder(t);
  const wait = `touch ${signs}/reached; while [ ! -e ${signs}/go ]; do sleep 0.05; done; cat`;
  await rig.git("config", "filter.slow.smudge", `sh -c '${wait}'`);
  const during: Held["during"] = async (doing, deed) => {
    await until(() => rigIn(signs).exists("reached"));
    await deed();
    await rigIn(signs).write("go", "");
    return await doing;
  };
  return { rig, held: { during } };
}

for (const how of ["restore", "restoreFiles"] as const) {
  test(`E3: what a person writes while files are restored is kept under a ref and named (${how})`, async (t) => {
    const { rig, held } = await withSlow(t, { "gone.txt": "three\n" });
    const repo = await rig.open();
    const anchor = await repo.snapshot("s");
    for (const path of ["a.slow", "b.txt", "new.txt"]) await rig.write(path, "agent\n");
    await rig.remove("gone.txt");
    const all = ["a.slow", "b.txt", "gone.txt", "new.txt"];
    const doing = how === "restore" ? repo.restore(anchor, "r") : repo.restoreFiles(anchor, all, "r");
    const theirs = ["b.txt", "gone.txt", "new.txt"];
    const { restored, meanwhile, backupRef } = await held.during(doing, async () => {
      for (const path of theirs) await rig.write(path, `precious ${path}\n`);
    });
    assert.deepEqual([[...restored].sort(), meanwhile?.files], [all, theirs]);
    const [ref] = meanwhile?.refs ?? [];
    for (const path of theirs) assert.equal(await rig.git("show", `${ref}:${path}`), `precious ${path}\n`);
    assert.equal(await rig.git("show", `${backupRef}:b.txt`), "agent\n");
    assert.deepEqual([await repo.tree(), await rig.git("status", "--porcelain")], [anchor.tree, ""]);
  });
}

test("E3: a commit that a person makes while an agent's commits are taken back has a ref and is named", async (t) => {
  const { rig, held } = await withSlow(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.slow", "agent\n");
  await rig.git("commit", "-qam", "by the agent");
  const { moved, meanwhile } = await held.during(repo.restore(anchor, "r"), async () => {
    await rig.write("later.txt", "precious\n");
    await rig.git("add", "later.txt");
    await rig.git("commit", "-qm", "by the person");
  });
  const [ref] = meanwhile?.refs ?? [];
  assert.deepEqual([moved, meanwhile?.files], [true, ["HEAD"]]);
  assert.equal(await rig.git("show", `${ref}:later.txt`), "precious\n");
  assert.equal(await rig.git("log", "--format=%s", `${ref}`), "by the person\nby the agent\nstart\n");
  assert.deepEqual([(await repo.head()).sha, await rig.git("status", "--porcelain")], [anchor.sha, ""]);
});

test("E3: so has one on another branch, and the branch that a person moves meanwhile", async (t) => {
  const { rig, held } = await withSlow(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.git("checkout", "-q", "--detach");
  await rig.write("a.slow", "agent\n");
  await rig.git("commit", "-qam", "by the agent");
  const { meanwhile } = await held.during(repo.restore(anchor, "r"), async () => {
    await rig.write("later.txt", "precious\n");
    await rig.git("add", "later.txt");
    await rig.git("commit", "-qm", "by the person");
  });
  assert.equal(await rig.git("show", `${meanwhile?.refs[0]}:later.txt`), "precious\n");
  assert.deepEqual(await repo.head(), { sha: anchor.sha, branch: "main" });
});

test("E3: a file that changes all the time is left as it is, and named", async (t) => {
  const rig = await makeRig(t, { "b.slow": "one\n", ".gitattributes": "*.slow filter=slow\n" });
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("b.slow", "agent\n");
  await rig.git("config", "filter.slow.smudge", `sh -c 'echo more >> ${rig.root}/b.slow; cat'`);
  const { leftAlone } = await repo.restore(anchor, "r");
  assert.deepEqual(leftAlone, ["b.slow"]);
  assert.match(await rig.read("b.slow"), /^agent\nmore\nmore\n/);
});

const deeds: Readonly<Record<string, (root: string) => void>> = {
  "deletes a file": (root) => rmSync(join(root, "closed.txt")),
  "puts a folder in the place of a file": (root) => {
    rmSync(join(root, "b.txt"));
    mkdirSync(join(root, "b.txt"));
  },
};

for (const [what, deed] of Object.entries(deeds)) {
  test(`E3: a person who ${what} while files are restored stops nothing`, async (t) => {
    const { rig, held } = await withSlow(t, { "closed.txt": "one\n", ".gitattributes": "* text=auto\n" });
    chmodSync(join(rig.root, "closed.txt"), 0o600);
    await rig.write("b.txt", "person\r\n");
    const repo = await rig.open();
    const anchor = await repo.snapshot("s");
    for (const path of ["a.slow", "closed.txt", "b.txt"]) await rig.write(path, "agent\n");
    const { restored } = await held.during(repo.restore(anchor, "r"), async () => deed(rig.root));
    assert.deepEqual([...restored].sort(), ["a.slow", "b.txt", "closed.txt"]);
    assert.deepEqual([await repo.tree(), await rig.read("b.txt")], [anchor.tree, "person\r\n"]);
  });
}
