import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { checksContract } from "../../../test/contracts/checks.ts";
import { shellChecks } from "./shell.ts";

checksContract("the shell", async (t, timeoutMs) => {
  const root = await makeFolder(t);
  const options = { cwd: root, environment: [], ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  return { root, checks: shellChecks(options) };
});

test("a tree that does not exist is a failure with a reason", async (t) => {
  const cwd = join(await makeFolder(t), "none");
  const run = await shellChecks({ cwd, environment: [] }).run("true", new AbortController().signal);
  assert.equal(run.exitCode, null);
  assert.match(run.output, /could not be started/);
});

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-checks-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
