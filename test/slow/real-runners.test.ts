// Runners of npm as the registry has them: what passes, fails, crashes or never ends is told by name, by the exit code and by the
// time. Where there is no network their recorded reports have to do (test/adapters/checks/reports.test.ts).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { shellChecks } from "../../src/adapters/checks/shell.ts";

interface Runner {
  readonly file: string;
  /** What a file of tests begins with: `it` is a test, `fail` is what fails. */
  readonly head: string;
}

const runners: Readonly<Record<string, Runner>> = {
  vitest: {
    file: "a.test.js",
    head: `import { expect, test as it } from "vitest"; const fail = () => expect(1).toBe(2);`,
  },
  jest: { file: "a.test.js", head: "const fail = () => expect(1).toBe(2);" },
  mocha: { file: "test/a.js", head: `const fail = () => require("node:assert").equal(1, 2);` },
};

const folder = mkdtempSync(join(tmpdir(), "superteam-runners-"));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "package.json"), "{}");
const install = ["install", "--no-audit", "--no-fund", ...Object.keys(runners)];
const isThere = spawnSync("npm", install, { cwd: folder, timeout: 180_000 }).status === 0;

for (const [name, { file, head }] of Object.entries(runners))
  describe(`${name}, for real`, { skip: isThere ? false : "the registry of npm cannot be reached" }, () => {
    /** Runs `npm test` where the file of tests has this in it. */
    const run = async (body: string, { timeoutMs = 120_000, only = [] as readonly string[], script = name } = {}) => {
      const root = mkdtempSync(join(folder, "project-"));
      const write = (path: string, text: string): void => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      };
      write("package.json", JSON.stringify({ scripts: { test: script } }));
      symlinkSync(join(folder, "node_modules"), join(root, "node_modules"));
      if (body !== "") write(file, `${head}\n${body}\n`);
      const checks = shellChecks({ cwd: root, environment: [], timeoutMs });
      const outcome = await checks.run("npm test", new AbortController().signal, { tests: true, only });
      const { tests } = outcome;
      return { ...outcome, tests, lines: tests?.reporter ? tests.results.split("\n") : [] };
    };

    test("what passes, and what fails, by name; two may share one", async () => {
      const good = await run(`it("\\u001b[31mfine\\u001b[0m 🎉 a/b", () => {});`);
      assert.deepEqual([good.exitCode, good.lines], [0, [`+ ${file} › fine 🎉 a/b`]]);
      const both = await run(`it("x", () => {}); it("x", fail); it.skip("off", fail);`);
      assert.notEqual(both.exitCode, 0);
      assert.deepEqual(both.lines, [`~ ${file} › off`, `- ${file} › x`, `+ ${file} › x (2)`]);
      assert.ok(both.tests?.reporter && both.tests.failures[0]?.output !== "");
    });

    test("a file that fails alone is run alone", async () => {
      const { tests, lines } = await run(`it("x", fail);`, { only: [`${file} › x`] });
      assert.deepEqual([tests?.reporter !== null && tests?.isPart, lines], [true, [`- ${file} › x`]]);
    });

    test("a file that does not load, and a process that ends in a test, are no success", async () => {
      const crashed = await run(`throw new Error("at load"); it("x", () => {});`);
      assert.notEqual(crashed.exitCode, 0);
      const ended = await run(`it("x", () => { process.exit(0); }); it("y", fail);`);
      const isProven = ended.exitCode === 0 && (ended.tests?.reporter !== null || ended.tests.isSilent !== true);
      assert.equal(isProven, false, JSON.stringify(ended));
    });

    test("no tests are none", async () => {
      const { tests } = await run("");
      assert.deepEqual(tests, { reporter: name, results: "", failures: [], isEmpty: true });
    });

    test("one that never ends is killed, with all that it started", async () => {
      const { timedOut, exitCode } = await run(`it("x", () => { for (;;) {} });`, { timeoutMs: 6_000 });
      assert.deepEqual([timedOut, exitCode], [true, null]);
      const left = (existsSync("/proc") ? readdirSync("/proc") : []).filter((pid) => isIn(pid, folder));
      assert.deepEqual(left, []);
    });
  });

/** Whether a process works in a folder below this one. */
function isIn(pid: string, above: string): boolean {
  if (!/^\d+$/.test(pid)) return false;
  return spawnSync("readlink", [`/proc/${pid}/cwd`], { encoding: "utf8" }).stdout.startsWith(above);
}
