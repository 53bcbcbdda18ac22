// Files that git's filters change: what the person has in them comes back byte for byte (E3, E3b, S1).

import assert from "node:assert/strict";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Anchor } from "../../../src/core/flow/repository.ts";
import type { Repo } from "../../../src/ports/repo.ts";
import { makeRig, type Rig } from "./rig.ts";

interface Filtering {
  readonly config?: Readonly<Record<string, string>>;
  readonly attributes?: string;
  readonly text: string;
}

const filterings: Readonly<Record<string, Filtering>> = {
  "line endings of both kinds": { attributes: "* text=auto\n", text: "a\r\nb\n" },
  "line endings that git would write itself": { config: { "core.autocrlf": "true" }, text: "a\nb\n" },
  "a filter that leaves out": {
    attributes: "*.txt filter=strip\n",
    config: { "filter.strip.clean": "sed /output/d", "filter.strip.smudge": "cat" },
    text: "code\noutput of an hour\n",
  },
  "an expanded $Id$": { attributes: "*.txt ident\n", text: "$Id: mine $\n" },
};

async function begin(
  t: Parameters<typeof makeRig>[0],
  { config = {}, attributes = "", text }: Filtering,
): Promise<Rig> {
  const rig = await makeRig(t, { "a.txt": "committed\n", "b.txt": "committed\n", ".gitattributes": attributes });
  for (const [key, value] of Object.entries(config)) await rig.git("config", key, value);
  await rig.write("a.txt", `edited\n${text}`);
  await rig.write("staged.txt", `staged\n${text}`);
  await rig.git("add", "staged.txt");
  await rig.write("mine.txt", text);
  return rig;
}

const files = ["a.txt", "staged.txt", "mine.txt"];

const ends: Readonly<Record<string, (repo: Repo, given: Anchor) => Promise<unknown>>> = {
  "by a writer": (repo, given) => repo.afterWriter({ given, ours: [] }, "w"),
  "by a reader": (repo, given) => repo.afterReader(given, "r"),
  "by an agent that was interrupted": (repo, given) => repo.restore(given, "u"),
};

for (const [what, filtering] of Object.entries(filterings))
  for (const [who, end] of Object.entries(ends))
    test(`S1: what was clobbered ${who} comes back byte for byte: ${what}`, async (t) => {
      const rig = await begin(t, filtering);
      const repo = await rig.open();
      const given = await repo.snapshot("s");
      const texts = () => Promise.all(files.map((file) => rig.read(file)));
      const before = await texts();
      await rig.git("checkout", "-q", "HEAD", "--", "a.txt");
      await rig.remove("staged.txt");
      await rig.git("rm", "-q", "--cached", "staged.txt");
      await rig.write("mine.txt", "clobbered\n");
      await end(repo, given);
      assert.deepEqual([await texts(), await repo.tree()], [before, given.tree]);
    });

for (const [what, filtering] of Object.entries(filterings))
  test(`E3b: a rollback brings back what the person had in files of the work byte for byte: ${what}`, async (t) => {
    const rig = await begin(t, filtering);
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    const before = await rig.read("a.txt");
    await rig.write("a.txt", "the agent's\n");
    await rig.write("b.txt", "the agent's\n");
    const { changed } = await repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual(changed, ["a.txt", "b.txt"]);
    await rig.write("mine.txt", `meanwhile\n${filtering.text}`);
    await repo.undoWork({ start: given, files: changed }, "u");
    assert.deepEqual([await rig.read("a.txt"), await rig.read("mine.txt")], [before, `meanwhile\n${filtering.text}`]);
    assert.equal((await rig.read("b.txt")).trim(), "committed");
  });

test("T3, S1: what a check clobbered comes back byte for byte", async (t) => {
  const rig = await begin(t, { attributes: "* text=auto\n", text: "a\r\nb\n" });
  const repo = await rig.open();
  const before = await repo.look();
  await rig.write("mine.txt", "clobbered\n");
  await repo.restoreFiles(before, ["mine.txt"], "c");
  assert.equal(await rig.read("mine.txt"), "a\r\nb\n");
});

test("S3: a file that only its owner could read is not made readable for others when it is put back", async (t) => {
  const rig = await makeRig(t);
  await rig.write("keys", "private\n");
  await chmod(join(rig.root, "keys"), 0o600);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rig.write("keys", "clobbered\n");
  await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([await rig.read("keys"), (await stat(join(rig.root, "keys"))).mode & 0o777], ["private\n", 0o600]);
});
