import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { missingSearch } from "./search-programs.ts";

test("A13: rg and fd are looked for where pi does, and each that is missing is told with what to install", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "superteam-search-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "home/.pi/agent/bin"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  const env = { HOME: join(folder, "home"), PATH: join(folder, "bin") };
  const [grep, find] = missingSearch(env);
  assert.match(grep ?? "", /^rg is missing: .*install ripgrep$/);
  assert.match(find ?? "", /^fd is missing: .*install fd/);
  writeFileSync(join(folder, "bin/fdfind"), "");
  writeFileSync(join(folder, "home/.pi/agent/bin/rg"), "");
  assert.deepEqual(missingSearch(env), []);
});
