import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { firstBytes, keepText, smallFile } from "./small-file.ts";

function folderFor(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "superteam-small-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a file is read whole, or as much of its start as is wanted", (context) => {
  const path = join(folderFor(context), "a.md");
  for (const text of ["", "grüße\n", "x".repeat(200_000)]) {
    writeFileSync(path, text);
    assert.equal(smallFile(path), text);
  }
  assert.equal(firstBytes(path, 10).toString(), "x".repeat(10));
});

test("what is not there or a folder is told as the system tells it", (context) => {
  const folder = folderFor(context);
  assert.throws(() => firstBytes(join(folder, "none"), 10), { code: "ENOENT" });
  assert.equal(smallFile(join(folder, "none")), undefined);
  assert.throws(() => smallFile(folder), { code: "EISDIR" });
});

test("a pipe that nobody writes into is refused at once", {
  skip: process.platform === "win32" && "no pipes by name",
}, (context) => {
  const path = join(folderFor(context), "pipe");
  execFileSync("mkfifo", [path]);
  assert.throws(() => smallFile(path), { code: "EINVAL", message: /is not a file/ });
});

test("a text that is there already is not written again, and any other is replaced as a whole", (context) => {
  const folder = folderFor(context);
  const [path, other] = [join(folder, "a.md"), join(folder, "other.md")];
  keepText(path, "You test.");
  const { ino } = lstatSync(path);
  keepText(path, "You test.");
  assert.equal(lstatSync(path).ino, ino);
  writeFileSync(path, "You approve.");
  keepText(path, "You test.");
  assert.equal(readFileSync(path, "utf8"), "You test.");
  // A reader that has opened the former file still reads it to its end.
  assert.notEqual(lstatSync(path).ino, ino);
  rmSync(path);
  writeFileSync(other, "mine");
  symlinkSync(other, path);
  keepText(path, "You test.");
  assert.deepEqual([readFileSync(path, "utf8"), readFileSync(other, "utf8")], ["You test.", "mine"]);
  assert.deepEqual(readdirSync(folder).sort(), ["a.md", "other.md"]);
});
