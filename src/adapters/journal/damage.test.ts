import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { appendFile, mkdtemp, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { bareOutline } from "../../core/run/pipeline.ts";
import { OutsideFailure, type OutsideFailureKind } from "../../ports/failure.ts";
import type { EntryBody } from "../../ports/journal.ts";
import { createFileJournal, openFileJournal } from "./file.ts";
import { readFileJournal, scanJournal } from "./scan.ts";

const clock = { now: () => Date.UTC(2026, 10, 15, 9, 30) };
const header: EntryBody = {
  type: "run",
  header: { runId: "r", pipeline: bareOutline("p"), input: null, startedAt: 1 },
};
const settle = (key: string, outcome: unknown): EntryBody => ({ type: "settle", key, outcome });

test("a last line cut at any byte is moved aside, and the run goes on from the record before it", async (t) => {
  const { folder, bytes } = await journalOf(t, [header, settle("a", "é🦉"), settle("b", "last \u2028")]);
  const lastLine = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
  for (let cut = lastLine + 1; cut < bytes.length; cut++) {
    await reset(folder, bytes.subarray(0, cut));
    const { journal, repairs } = await openFileJournal({ folder, clock });
    assert.equal(journal.entries.length, 2, `cut at ${cut}`);
    assert.equal(repairs.length, 1);
    assert.match(repairs[0] ?? "", /record 3 is cut off.*2 records before.*journal\.jsonl\.corrupt-20261115-093000/s);
    assert.deepEqual(await read(folder, "journal.jsonl"), bytes.subarray(0, lastLine));
    assert.deepEqual(await read(folder, "journal.jsonl.corrupt-20261115-093000"), bytes.subarray(lastLine, cut));
    assert.equal((await journal.append(settle("c", 1), { sync: true })).seq, 3);
    await journal.close();
    const again = await openFileJournal({ folder, clock });
    assert.deepEqual(again.repairs, []);
    assert.deepEqual(again.journal.entries, journal.entries);
    await again.journal.close();
  }
});

test("a journal cut between two records is whole", async (t) => {
  const { folder, bytes } = await journalOf(t, [header, settle("a", 1)]);
  await reset(folder, bytes.subarray(0, bytes.indexOf("\n") + 1));
  const { journal, repairs } = await openFileJournal({ folder });
  assert.deepEqual([journal.entries.length, repairs], [1, []]);
  await journal.close();
});

test("a change of any byte is noticed, and never taken for another record", async (t) => {
  const { folder, bytes } = await journalOf(t, [header, settle("a", { text: "é" }), settle("b", [1, 2, 3])]);
  const whole = (await scanJournal(join(folder, "journal.jsonl"), bytes)).entries;
  for (let at = 0; at < bytes.length; at++) {
    for (const flip of [0x01, 0x20, 0x80]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ flip;
      const record = bytes.subarray(0, at).filter((byte) => byte === 10).length;
      const scan = await scanJournal(join(folder, "journal.jsonl"), damaged).catch((failure) => failure.kind);
      if (scan === "unreadable") assert.equal(record, 0);
      else if (scan === "newer") assert.match(damaged.toString("latin1"), /^\{"v":[^2]/m);
      else if (scan === "older") assert.match(damaged.toString("latin1"), /^\{"v":1,/);
      else assert.deepEqual([scan.entries, scan.damage?.record], [whole.slice(0, record), record + 1], `at ${at}`);
    }
  }
});

test("from a damaged record in the middle on everything is moved aside, and no byte is lost", async (t) => {
  const bodies = Array.from({ length: 20 }, (_, n) => settle(`k${n}`, "x".repeat(n * 10)));
  const { folder, bytes } = await journalOf(t, [header, ...bodies]);
  const headerEnd = bytes.indexOf("\n") + 1;
  for (let round = 1; round <= 40; round++) {
    const at = headerEnd + ((round * 7919) % (bytes.length - headerEnd));
    const damaged = Buffer.from(bytes);
    damaged[at] = "?".charCodeAt(0) + (damaged[at] === 63 ? 1 : 0);
    await reset(folder, damaged);
    const good = bytes.subarray(0, at).filter((byte) => byte === 10).length;
    const { journal, repairs } = await openFileJournal({ folder, clock });
    await journal.close();
    assert.equal(journal.entries.length, good);
    assert.match(repairs[0] ?? "", new RegExp(`record ${good + 1} `));
    const kept = await read(folder, "journal.jsonl");
    const aside = await read(folder, "journal.jsonl.corrupt-20261115-093000");
    assert.deepEqual(Buffer.concat([kept, aside]), damaged);
  }
});

for (const [what, edit] of Object.entries({
  "a record that was taken out": (lines: readonly string[]) => lines.toSpliced(2, 1),
  "two records that changed places": (lines: readonly string[]) =>
    lines.with(2, lines[3] ?? "").with(3, lines[2] ?? ""),
  "a record that stands there twice": (lines: readonly string[]) => lines.toSpliced(2, 0, lines[1] ?? ""),
  "a record of another journal": (lines: readonly string[]) => lines.with(2, rehash(lines[2] ?? "")),
})) {
  test(`${what} breaks the chain there`, async (t) => {
    const { folder, bytes } = await journalOf(t, [
      header,
      settle("a", 1),
      settle("b", 2),
      settle("c", 3),
      settle("d", 4),
    ]);
    await reset(folder, edit(bytes.toString().split("\n")).join("\n"));
    const { journal, repairs } = await openFileJournal({ folder });
    assert.deepEqual([journal.entries.length, repairs.length], [2, 1]);
    await journal.close();
  });
}

test("a second damage in the same second does not overwrite what was kept of the first", async (t) => {
  const { folder } = await journalOf(t, [header]);
  for (const rest of ["first", "second", "third"]) {
    await appendFile(join(folder, "journal.jsonl"), rest);
    await (await openFileJournal({ folder, clock })).journal.close();
  }
  const kept = (await readdir(folder)).filter((name) => name.includes("corrupt")).sort();
  const texts = await Promise.all(kept.map((name) => readFile(join(folder, name), "utf8")));
  assert.deepEqual(texts, ["first", "second", "third"]);
});

for (const [what, content] of Object.entries({
  "an empty file": () => "",
  "a file of zeros": () => Buffer.alloc(4096),
  "a header that is cut off": (bytes: Buffer) => bytes.subarray(0, 40),
  "a damaged header": (bytes: Buffer) => Buffer.from(bytes.toString().replace('"r"', '"q"')),
  "a journal without a header": async (_: Buffer, t: TestContext) => (await journalOf(t, [settle("a", 1)])).bytes,
  "something else altogether": () => "# Shopping list\n- milk\n",
})) {
  test(`${what} is refused as unreadable and left as it is`, async (t) => {
    const { folder, bytes } = await journalOf(t, [header, settle("a", 1)]);
    await refuses(folder, Buffer.from(await content(bytes, t)), "unreadable");
  });
}

test("a run that is not there is refused as unreadable, and nothing is made", async (t) => {
  const root = await temporary(t);
  await assert.rejects(openFileJournal({ folder: join(root, "none") }), failureOf("unreadable"));
  assert.deepEqual(await readdir(root), []);
});

for (const [where, edit] of Object.entries({
  "from the start": (text: string) => text.replaceAll('{"v":2,', '{"v":3,'),
  "in its last record": (text: string) => text.replace(/\{"v":2,(?=[^\n]*\n$)/, '{"v":12,'),
  "behind a damaged record": (text: string) =>
    text.replace('"key":"a"', '"key":"z"').replace(/\{"v":2,(?=[^\n]*\n$)/, '{"v":3,'),
  "in a last record that is cut off": (text: string) => `${text}{"v":3,"ent`,
})) {
  test(`a journal that a newer version wrote ${where} is refused and left as it is`, async (t) => {
    const { folder, bytes } = await journalOf(t, [header, settle("a", 1), settle("b", 1)]);
    await refuses(folder, Buffer.from(edit(bytes.toString())), "newer");
  });
}

test("a journal of the format before this one is refused with the version that wrote it, and left as it is", async (t) => {
  const { folder, bytes } = await journalOf(t, [header, settle("a", 1)]);
  await refuses(folder, Buffer.from(bytes.toString().replaceAll('{"v":2,', '{"v":1,')), "older");
  await assert.rejects(openFileJournal({ folder }), /superteam 0\.1, .*superteam abort/);
});

test("a new journal does not take the place of one that is there", async (t) => {
  const { folder, bytes } = await journalOf(t, [header]);
  await assert.rejects(createFileJournal({ folder }), failureOf("exists"));
  assert.deepEqual(await read(folder, "journal.jsonl"), bytes);
});

test("where no journal can be made the failure says what to do", async (t) => {
  const root = await temporary(t);
  await writeFile(join(root, "file"), "");
  await assert.rejects(createFileJournal({ folder: join(root, "file", "run") }), failureOf("unwritable"));
});

test("a run goes on when its folder of long texts is gone and none is needed", async (t) => {
  const { folder } = await journalOf(t, [header]);
  await rm(join(folder, "blobs"), { recursive: true });
  const { journal } = await openFileJournal({ folder });
  await journal.append(settle("a", long), { sync: true });
  await journal.close();
  assert.equal((await readFileJournal(folder)).entries.length, 2);
});

test("those who only look leave a line that is being written alone", async (t) => {
  const { folder, bytes } = await journalOf(t, [header, settle("a", 1)]);
  await appendFile(join(folder, "journal.jsonl"), '{"v":2,"ent');
  const before = await read(folder, "journal.jsonl");
  const seen = await readFileJournal(folder);
  assert.deepEqual(seen.entries, (await scanJournal(join(folder, "journal.jsonl"), bytes)).entries);
  assert.deepEqual(await read(folder, "journal.jsonl"), before);
  assert.deepEqual((await readdir(folder)).sort(), ["blobs", "journal.jsonl"]);
});

const long = "a long text ".repeat(1000);

test("a long text is kept beside the journal, once, under its hash", async (t) => {
  const { folder, bytes } = await journalOf(t, [header, settle("a", long), settle("b", [long])]);
  assert.ok(bytes.length < 2000);
  assert.deepEqual(await readdir(join(folder, "blobs")), [hash("sha256", long)]);
  assert.equal(await readFile(join(folder, "blobs", hash("sha256", long)), "utf8"), long);
});

for (const [what, damage, says] of [
  ["is missing", (path: string) => unlink(path), /names a text that is missing/],
  ["is damaged", (path: string) => writeFile(path, `${long.slice(1)}x`), /names a text that is damaged/],
  ["is cut off", (path: string) => writeFile(path, long.slice(0, 100)), /names a text that is damaged/],
] as const) {
  test(`a record whose long text ${what} counts as damaged itself`, async (t) => {
    const { folder } = await journalOf(t, [header, settle("a", 1), settle("b", long), settle("c", 3)]);
    await damage(join(folder, "blobs", hash("sha256", long)));
    const { journal, repairs } = await openFileJournal({ folder });
    assert.equal(journal.entries.length, 2);
    assert.match(repairs[0] ?? "", says);
    await journal.append(settle("b", long), { sync: true });
    await journal.close();
    const again = await openFileJournal({ folder });
    assert.deepEqual([again.repairs, again.journal.entries.length], [[], 3]);
    await again.journal.close();
  });
}

async function temporary(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "superteam-journal-"));
  t.after(() => rm(root, { recursive: true }));
  return root;
}

async function journalOf(t: TestContext, bodies: readonly EntryBody[]): Promise<{ folder: string; bytes: Buffer }> {
  const folder = join(await temporary(t), "run");
  const journal = await createFileJournal({ folder, clock });
  for (const body of bodies) await journal.append(body, { sync: false });
  await journal.close();
  return { folder, bytes: await read(folder, "journal.jsonl") };
}

/** Puts these bytes in the journal's place, and removes what was kept of earlier damage. */
async function reset(folder: string, bytes: Uint8Array | string): Promise<void> {
  for (const name of await readdir(folder)) if (name.includes("corrupt")) await unlink(join(folder, name));
  await writeFile(join(folder, "journal.jsonl"), bytes);
}

function read(folder: string, name: string): Promise<Buffer> {
  return readFile(join(folder, name));
}

async function refuses(folder: string, bytes: Buffer, kind: OutsideFailureKind): Promise<void> {
  await reset(folder, bytes);
  await assert.rejects(openFileJournal({ folder }), failureOf(kind));
  await assert.rejects(readFileJournal(folder), failureOf(kind));
  assert.deepEqual(await read(folder, "journal.jsonl"), bytes);
  assert.deepEqual((await readdir(folder)).sort(), ["blobs", "journal.jsonl"]);
}

/** A failure of this kind that names the file and a next step. */
function failureOf(kind: OutsideFailureKind): (failure: unknown) => boolean {
  return (failure) => {
    assert.ok(failure instanceof OutsideFailure);
    assert.equal(failure.kind, kind);
    assert.match(failure.message, /journal\.jsonl.*superteam (run|resume)/s);
    return true;
  };
}

/** A line that is whole in itself, but continues no other. */
function rehash(line: string): string {
  const covered = line.slice(0, line.lastIndexOf(',"hash":"'));
  return `${covered},"hash":"${hash("sha256", covered)}"}`;
}
