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
  return { path, trust: trustFile(path) };
}

const entry = { repository: "/repo/.git", hash: "abc", at: "2026-01-02T03:04:05.000Z", what: ["validationCommand"] };
const unknown = { trusted: false, before: false, trouble: undefined };

test("nothing is trusted where nothing is remembered, and looking writes nothing", async (t) => {
  const { trust, path } = await given(t);
  assert.deepEqual(await trust.look("/repo/.git", "abc"), unknown);
  await assert.rejects(readFile(path), { code: "ENOENT" });
});

test("what is remembered is trusted from then on, in this repository and with this content only", async (t) => {
  const { trust, path } = await given(t);
  await trust.remember(entry);
  const later = trustFile(path);
  assert.deepEqual(await later.look("/repo/.git", "abc"), { ...unknown, trusted: true });
  assert.deepEqual(await later.look("/repo/.git", "changed"), { ...unknown, before: true });
  assert.deepEqual(await later.look("/other/.git", "abc"), unknown);
  await later.remember({ ...entry, hash: "changed" });
  assert.equal((await later.look("/repo/.git", "abc")).trusted, true, "going back to it is no change");
});

test("remembering the same again keeps one entry", async (t) => {
  const { trust, path } = await given(t);
  await trust.remember(entry);
  await trust.remember({ ...entry, at: "2026-02-02T03:04:05.000Z" });
  const { trusted } = JSON.parse(await readFile(path, "utf8"));
  assert.deepEqual(
    trusted.map(({ at }: { at: string }) => at),
    ["2026-02-02T03:04:05.000Z"],
  );
});

test("a damaged file trusts nothing, is kept under another name, and is told", async (t) => {
  for (const damage of ['{"version":1,"trusted":[{', "[]", '{"version":1,"trusted":[{"hash":"abc"}]}', ""]) {
    const { trust, path } = await given(t, damage);
    const known = await trust.look("/repo/.git", "abc");
    assert.equal(known.trusted, false);
    assert.match(
      known.trouble ?? "",
      /trust\.json was damaged, so nothing is trusted.*kept as trust\.json\.corrupt-\d/,
    );
    const [kept = ""] = await readdir(dirname(path));
    assert.equal(await readFile(join(dirname(path), kept), "utf8"), damage);
    await trust.remember(entry);
    assert.deepEqual(await trust.look("/repo/.git", "abc"), { ...unknown, trusted: true });
  }
});

test("a file of a newer version is left as it is and counts for nothing", async (t) => {
  const text = '{"version":2,"trusted":"in some other way"}';
  const { trust, path } = await given(t, text);
  const known = await trust.look("/repo/.git", "abc");
  assert.equal(known.trusted, false);
  assert.match(known.trouble ?? "", /newer superteam/);
  await assert.rejects(trust.remember(entry), OutsideFailure);
  assert.equal(await readFile(path, "utf8"), text);
});

test("a file that cannot be read trusts nothing, and that is told", async (t) => {
  const { path } = await given(t, "a file");
  const below = trustFile(join(path, "trust.json"));
  assert.match(
    (await below.look("/repo/.git", "abc")).trouble ?? "",
    /cannot be read, so nothing in it counts: ENOTDIR/,
  );
});

test("a folder that cannot be made is told as such", async (t) => {
  const { path } = await given(t, "a file");
  await assert.rejects(trustFile(join(path, "trust.json")).remember(entry), (error: unknown) => {
    assert.ok(error instanceof OutsideFailure);
    assert.match(error.message, /The folder .*trust\.json could not be made/);
    return true;
  });
});

test("processes that remember at once lose nothing of each other's, and leave only the file", async (t) => {
  const { trust, path } = await given(t);
  const program = `
    import { trustFile } from ${JSON.stringify(new URL("file.ts", import.meta.url).href)};
    const trust = trustFile(process.argv[1]);
    const entry = ${JSON.stringify(entry)};
    await Promise.all([1, 2, 3].map((n) => trust.remember({ ...entry, hash: process.argv[2] + n })));`;
  const names = ["a", "b", "c", "d"];
  const codes = await Promise.all(names.map((name) => exitCode(program, path, name)));
  assert.deepEqual(codes, [0, 0, 0, 0]);
  for (const name of names) {
    for (const n of [1, 2, 3]) assert.equal((await trust.look("/repo/.git", `${name}${n}`)).trusted, true, name);
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
