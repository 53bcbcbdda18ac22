import assert from "node:assert/strict";
import { readdirSync, statSync, writeSync } from "node:fs";
import { appendFile, mkdtemp, open, readFile, rm, truncate, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { OutsideFailure, type OutsideFailureKind } from "../../ports/failure.ts";
import { Appender, type Target } from "./appender.ts";

test("a synced append resolves after the file was synced, another one when it was written", async (t) => {
  const { appender, calls } = await setUp(t);
  await appender.append(line("a", false));
  assert.deepEqual(calls, ["write 2"]);
  await appender.append(line("b", true));
  assert.deepEqual(calls, ["write 2", "write 2", "sync"]);
});

test("what is queued while a sync runs goes out in one write and one sync", async (t) => {
  const { appender, calls, file } = await setUp(t);
  const names = Array.from({ length: 100 }, (_, n) => `${n}`.padStart(3, "0"));
  await Promise.all(names.map((name) => appender.append(line(name, true))));
  assert.deepEqual(calls, ["write 4", "sync", "write 396", "sync"]);
  assert.equal(await readFile(file, "utf8"), names.map((name) => `${name}\n`).join(""));
});

test("lines are reported as written in their order, before anyone is told that they are on disk", async (t) => {
  const { appender } = await setUp(t);
  const order: string[] = [];
  const append = (name: string, sync: boolean) =>
    appender.append({ ...line(name, sync), written: () => order.push(`written ${name}`) }).then(() => order.push(name));
  await Promise.all([append("a", true), append("b", true), append("c", false)]);
  assert.deepEqual(order, ["written a", "a", "written b", "written c", "c", "b"]);
});

test("a long text is there for good before the line that names it is written", async (t) => {
  const { appender, calls, file, beforeWrite } = await setUp(t);
  const folder = join(file, "..");
  beforeWrite(() => void calls.push(...readdirSync(folder)));
  const blobs = [{ name: "0123", bytes: Buffer.from("text") }];
  await appender.append({ ...line("a", false), blobs });
  await appender.append({ ...line("b", false), blobs });
  assert.deepEqual(calls.slice(0, 3), ["0123", "journal.jsonl", "write 2"]);
  assert.equal(await readFile(join(folder, "0123"), "utf8"), "text");
});

test("a line whose long text cannot be written is not written either", async (t) => {
  const { appender, file } = await setUp(t);
  const path = join(file, "..", "no-folder", "0123");
  const blobs = [{ name: "no-folder/0123", bytes: Buffer.from("text") }];
  await assert.rejects(appender.append({ ...line("a", true), blobs }), says("unwritable", path, /superteam resume/));
  assert.equal(await readFile(file, "utf8"), "");
});

for (const [code, remedy] of [
  ["ENOSPC", /Free some space on that disk, then: superteam resume/],
  ["EROFS", /Make that file system writable again, then: superteam resume/],
  ["EIO", /Check that disk.*, then: superteam resume/],
] as const) {
  test(`after ${code} the append, those that wait and all later ones fail with what to do`, async (t) => {
    const { appender, fail, file } = await setUp(t);
    await appender.append(line("a", true));
    fail(code);
    const waiting = ["b", "c", "d"].map((name) => appender.append(line(name, name === "c")));
    for (const append of [...waiting, appender.append(line("e", true))]) {
      await assert.rejects(append, says("unwritable", file, remedy));
    }
    await assert.rejects(appender.append(line("f", false)), says("unwritable", file, remedy));
    await appender.close();
    assert.equal(await readFile(file, "utf8"), "a\n");
  });
}

test("a sync that fails is never reported as done", async (t) => {
  const { appender, failSync, file } = await setUp(t);
  failSync("EIO");
  await appender.append(line("a", false));
  await assert.rejects(appender.append(line("b", true)), says("unwritable", file, /EIO/));
  await assert.rejects(appender.append(line("c", false)), says("unwritable", file, /EIO/));
});

for (const [what, disturb] of [
  ["wrote to the file", (file: string) => appendFile(file, "x")],
  ["cut the file", (file: string) => truncate(file, 0)],
  ["removed the file", (file: string) => unlink(file)],
] as const) {
  test(`when another process ${what}, nothing more is acknowledged`, async (t) => {
    const { appender, file } = await setUp(t);
    await appender.append(line("a", false));
    await disturb(file);
    await assert.rejects(appender.append(line("b", true)), says("disturbed", file, /superteam resume/));
    await assert.rejects(appender.append(line("c", false)), says("disturbed", file, /superteam resume/));
  });
}

test("nothing is appended after closing, and all that came before is on disk", async (t) => {
  const { appender, calls, file } = await setUp(t);
  const appended = appender.append(line("a", false));
  await appender.close();
  await appended;
  assert.deepEqual(calls, ["write 2", "sync"]);
  await assert.rejects(appender.append(line("b", false)), says("closed", file, /is closed/));
});

function line(name: string, sync: boolean) {
  return { line: `${name}\n`, blobs: [], sync, written: () => undefined };
}

/** An appender on a real file, whose handle tells what is done with it and can be made to fail as a disk would. */
async function setUp(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), "superteam-appender-"));
  t.after(() => rm(root, { recursive: true }));
  const file = join(root, "journal.jsonl");
  const handle = await open(file, "a");
  const calls: string[] = [];
  let failure: string | undefined;
  let syncFailure: string | undefined;
  let look = (): void => undefined;
  const write = (bytes: Buffer, at: number): number => {
    if (failure) {
      writeSync(handle.fd, bytes, at, 1);
      throw systemError(failure);
    }
    look();
    calls.push(`write ${bytes.length - at}`);
    return writeSync(handle.fd, bytes, at);
  };
  const observed: Target["handle"] = {
    async datasync() {
      if (syncFailure) throw systemError(syncFailure);
      await handle.datasync();
      calls.push("sync");
    },
    truncate: handle.truncate.bind(handle),
    close: handle.close.bind(handle),
  };
  const sizeNow = (): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;
  const places = { file, blobFolder: root, knownBlobs: new Set<string>() };
  const appender = new Appender({ ...places, handle: observed, write, sizeNow, size: 0 });
  t.after(() => appender.close().catch(() => undefined));
  return {
    appender,
    calls,
    file,
    beforeWrite: (act: () => void) => (look = act),
    fail: (code: string) => (failure = code),
    failSync: (code: string) => (syncFailure = code),
  };
}

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: the disk said no`), { code });
}

function says(kind: OutsideFailureKind, file: string, message: RegExp): (failure: unknown) => boolean {
  return (failure) => {
    assert.ok(failure instanceof OutsideFailure);
    assert.equal(failure.kind, kind);
    assert.ok(failure.message.includes(file));
    assert.match(failure.message, message);
    return true;
  };
}
