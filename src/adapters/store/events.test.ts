import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { eventsFile, eventsReader, openEvents } from "./events.ts";

test("U9: half a line is not read, and is cut off before the next line is written", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "superteam-events-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const read = eventsReader(folder);
  assert.deepEqual(await read(), []);
  await appendFile(eventsFile(folder), 'one\n{"seq":2');
  assert.deepEqual(await read(), ["one"]);
  const log = openEvents(folder);
  assert.deepEqual(log.lines, ["one"]);
  log.append("two");
  log.close();
  assert.deepEqual(await read(), ["two"]);
  assert.equal(await readFile(eventsFile(folder), "utf8"), "one\ntwo\n");
});

test("events that cannot be read stop nothing: only what is appended is refused", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "superteam-events-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(eventsFile(folder));
  const log = openEvents(folder);
  assert.deepEqual(log.lines, []);
  assert.throws(() => log.append("one"), /EISDIR/);
  log.close();
});
