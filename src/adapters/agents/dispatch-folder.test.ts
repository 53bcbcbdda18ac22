import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { goneAt, goneFile } from "../process/gone.ts";
import { keptOrder, openDispatchFolder } from "./dispatch-folder.ts";

const nothing = { backend: "pi", model: null, capabilities: [], system: "", context: "", prompt: "", cwd: "/work" };

let root = "";
before(async () => {
  root = await mkdtemp(join(tmpdir(), "superteam-folder-"));
});
after(() => rm(root, { recursive: true, force: true }));

test("a stream beyond the limit is cut there, and that is told with what is missing", async () => {
  const place = join(root, "cut");
  const folder = openDispatchFolder(place, nothing, { stream: 10, errors: 10 });
  for (const piece of ["01234", "56789abc", "def"]) folder.writeStream(Buffer.from(piece));
  const [told] = folder.close();
  assert.equal(await readFile(join(place, "stream.jsonl"), "utf8"), "0123456789");
  assert.match(told ?? "", /stream\.jsonl was cut: 6 bytes beyond 10/);
});

test("what an agent was told and said is for its owner alone", async () => {
  const place = join(root, "owner");
  const folder = openDispatchFolder(place, nothing);
  folder.writeStream(Buffer.from("a key"));
  folder.close();
  for (const name of ["prompt.md", "stream.jsonl"])
    assert.equal(((await stat(join(place, name))).mode & 0o777).toString(8), "600", name);
});

test("a disk that is full is told once, and does not end the agent", async () => {
  const place = join(root, "full");
  await mkdir(place);
  await symlink("/dev/full", join(place, "stream.jsonl"));
  const folder = openDispatchFolder(place, nothing);
  folder.writeStream(Buffer.from("one"));
  folder.writeStream(Buffer.from("two"));
  const told = folder.close();
  assert.equal(told.length, 1);
  assert.match(told[0] ?? "", /could not be written: ENOSPC/);
});

test("a pipe that an agent left there is not waited for", async () => {
  const place = join(root, "pipe");
  await mkdir(place);
  const [prompt, stream] = ["prompt.md", "stream.jsonl"].map((name) => join(place, name));
  execFileSync("mkfifo", [prompt ?? "", stream ?? ""]);
  assert.throws(() => openDispatchFolder(place, nothing), /ENXIO/);
  await rm(prompt ?? "");
  const folder = openDispatchFolder(place, nothing);
  folder.writeStream(Buffer.from("one"));
  assert.match(folder.close().join(), /could not be written: ENXIO/);
});

test("nothing of an earlier try stays", async () => {
  const place = join(root, "again");
  await mkdir(place);
  await writeFile(goneFile(place), "1\n");
  await writeFile(join(place, "stream.jsonl"), "an old and long stream");
  const folder = openDispatchFolder(place, { ...nothing, prompt: "the prompt" });
  folder.writeStream(Buffer.from("new"));
  folder.close();
  assert.equal(await goneAt(place), null);
  assert.equal(await readFile(join(place, "stream.jsonl"), "utf8"), "new");
  assert.equal(await readFile(join(place, "prompt.md"), "utf8"), "the prompt");
});

test("M1: what was sent is kept whole: its model, its tools, its folder and the length of all its texts", async () => {
  const place = join(root, "sent");
  const texts = { system: "four", context: "eight ch", prompt: "sixteen letters." };
  const folder = openDispatchFolder(place, { ...nothing, ...texts, model: "some/model", capabilities: ["read"] });
  folder.close();
  const sent = { backend: "pi", model: "some/model", cwd: "/work", capabilities: ["read"], characters: 4 + 8 + 16 };
  assert.deepEqual(await keptOrder(place), sent);
  assert.deepEqual((await keptOrder(join(root, "never"))).characters, 0);
});
