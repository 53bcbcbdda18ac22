import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { OutsideFailure } from "../../ports/failure.ts";
import { fingerprint, trustFile } from "./file.ts";

async function given(t: TestContext, text?: string) {
  const folder = await mkdtemp(join(tmpdir(), "superteam-trust-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "superteam", "trust.json");
  if (text !== undefined) {
    await mkdir(dirname(path));
    await writeFile(path, text);
  }
  return { path, trust: trustFile(path, repository) };
}

const repository = "/repo/.git";
const what = ["validationCommand"];
const unknown = { trusted: false, before: false, trouble: undefined };

test("nothing is trusted where nothing is remembered, and looking writes nothing", async (t) => {
  const { trust, path } = await given(t);
  assert.deepEqual(await trust.look("abc"), unknown);
  await assert.rejects(readFile(path), { code: "ENOENT" });
});

test("what is remembered is trusted from then on, in this repository and with this content only", async (t) => {
  const { trust, path } = await given(t);
  await trust.remember("abc", what);
  const later = trustFile(path, repository);
  assert.deepEqual(await later.look("abc"), { ...unknown, trusted: true });
  assert.deepEqual(await later.look("changed"), { ...unknown, before: true });
  assert.deepEqual(await trustFile(path, "/other/.git").look("abc"), unknown);
  await later.remember("changed", what);
  assert.equal((await later.look("abc")).trusted, true, "going back to it is no change");
});

test("remembering the same again keeps one entry", async (t) => {
  const { trust, path } = await given(t);
  await trust.remember("abc", what);
  await trust.remember("abc", ["environment"]);
  const { trusted } = JSON.parse(await readFile(path, "utf8"));
  assert.deepEqual(
    trusted.map(({ at, ...entry }: { at: string }) => [typeof at, entry]),
    [["string", { repository, hash: "abc", what: ["environment"] }]],
  );
});

test("a damaged file trusts nothing, is kept under another name, and is told", async (t) => {
  for (const damage of ['{"version":1,"trusted":[{', "[]", '{"version":1,"trusted":[{"hash":"abc"}]}', ""]) {
    const { trust, path } = await given(t, damage);
    const known = await trust.look("abc");
    assert.equal(known.trusted, false);
    assert.match(
      known.trouble ?? "",
      /trust\.json was damaged, so you are asked again.*kept as trust\.json\.corrupt-\d/,
    );
    const [kept = ""] = await readdir(dirname(path));
    assert.equal(await readFile(join(dirname(path), kept), "utf8"), damage);
    await trust.remember("abc", what);
    assert.deepEqual(await trust.look("abc"), { ...unknown, trusted: true });
  }
});

test("a file of a newer version is left as it is and counts for nothing", async (t) => {
  const text = '{"version":2,"trusted":"in some other way"}';
  const { trust, path } = await given(t, text);
  const known = await trust.look("abc");
  assert.equal(known.trusted, false);
  assert.match(known.trouble ?? "", /newer superteam/);
  await assert.rejects(trust.remember("abc", what), OutsideFailure);
  assert.equal(await readFile(path, "utf8"), text);
});

test("a file that cannot be read trusts nothing, and that is told", async (t) => {
  const { path } = await given(t, "a file");
  const below = trustFile(join(path, "trust.json"), repository);
  assert.match((await below.look("abc")).trouble ?? "", /cannot be read and is ignored: ENOTDIR/);
});

test("a folder that cannot be made is told as such", async (t) => {
  const { path } = await given(t, "a file");
  await assert.rejects(trustFile(join(path, "trust.json"), repository).remember("abc", what), (error: unknown) => {
    assert.ok(error instanceof OutsideFailure);
    assert.match(error.message, /The folder .*trust\.json could not be created/);
    return true;
  });
});

test("processes that remember at once lose nothing of each other's, and leave only the file", async (t) => {
  const { trust, path } = await given(t);
  const program = `
    import { trustFile } from ${JSON.stringify(new URL("file.ts", import.meta.url).href)};
    const trust = trustFile(process.argv[1], ${JSON.stringify(repository)});
    await Promise.all([1, 2, 3].map((n) => trust.remember(process.argv[2] + n, ["validationCommand"])));`;
  const names = ["a", "b", "c", "d"];
  const codes = await Promise.all(names.map((name) => exitCode(program, path, name)));
  assert.deepEqual(codes, [0, 0, 0, 0]);
  for (const name of names) {
    for (const n of [1, 2, 3]) assert.equal((await trust.look(`${name}${n}`)).trusted, true, name);
  }
  assert.deepEqual(await readdir(dirname(path)), ["trust.json"]);
});

function exitCode(program: string, ...args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, ...args], { stdio: "inherit" });
  return new Promise((resolve) => child.on("close", resolve));
}

test("a fingerprint changes with every name and every content, and not with the order", () => {
  const one = { name: "a", content: "x" };
  const two = { name: "b", content: "y" };
  const print = fingerprint([one, two]);
  assert.equal(fingerprint([two, one]), print);
  for (const other of [
    [one],
    [one, { ...two, content: "z" }],
    [one, { ...two, name: "c" }],
    [one, two, { name: "c", content: "" }],
    [{ name: "a", content: 'x"]\n["b","y' }],
  ]) {
    assert.notEqual(fingerprint(other), print);
  }
});
