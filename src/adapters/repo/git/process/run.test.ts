import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { git } from "./run.ts";

test("git runs without a temporary folder too", async (t) => {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = join(import.meta.dirname, "missing");
  t.after(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  });
  assert.match(await git(import.meta.dirname, ["--version"]), /^git version /);
  assert.equal((await git("/", ["hash-object", "--stdin"], { input: "" })).length, 41);
});
