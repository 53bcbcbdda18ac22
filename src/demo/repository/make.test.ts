import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { Config } from "../../core/run/config.ts";
import { failedTests } from "../scenario/scene.ts";
import { personsFile, redTest } from "./files.ts";
import { makeRepository } from "./make.ts";

suite("the demo's repository", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "superteam-demo-"));
    await makeRepository(folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const run = (command: string, ...args: readonly string[]) => {
    // A nested `node --test` would report to the outer one instead of printing.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return spawnSync(command, args, { cwd: folder, encoding: "utf8", env });
  };

  test("has a few commits on main, and nothing uncommitted but the person's own file", async () => {
    assert.equal(run("git", "branch", "--show-current").stdout, "main\n");
    assert.equal(run("git", "rev-list", "--count", "HEAD").stdout, "3\n");
    assert.equal(run("git", "status", "--porcelain").stdout, `?? ${personsFile.path}\n`);
    assert.equal(await readFile(join(folder, personsFile.path), "utf8"), personsFile.text);
  });

  test("can be committed to without any configuration of the machine", () => {
    assert.match(run("git", "config", "--local", "user.email").stdout, /@/);
    assert.match(run("git", "config", "--local", "user.name").stdout, /\S/);
  });

  test("has exactly one red test from the start", () => {
    const tests = run(process.execPath, "--test");
    assert.equal(tests.status, 1);
    assert.deepEqual(failedTests(tests.stdout), [redTest]);
  });

  test("has a check that passes, and that fails when a source does not parse", async () => {
    const { validationCommand } = Config.parse(JSON.parse(await readFile(join(folder, ".superteam.json"), "utf8")));
    assert.equal(validationCommand, "npm run check");
    assert.match(run("npm", "run", "check").stdout, /7 files parse/);
    run("cp", "README.md", join("src", "broken.js"));
    const broken = run("npm", "run", "check");
    assert.notEqual(broken.status, 0);
    assert.match(broken.stderr, /broken\.js:1\b[\s\S]*SyntaxError/);
    await rm(join(folder, "src", "broken.js"));
  });
});
