import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const repository = mkdtempSync(join(tmpdir(), "superteam-program-"));
after(() => rmSync(repository, { recursive: true, force: true }));
spawnSync("git", ["init", "-q", repository]);
const who = ["-c", "user.name=P", "-c", "user.email=p@example.org"];
spawnSync("git", ["-C", repository, ...who, "commit", "-q", "--allow-empty", "-m", "start"]);

/** Runs the command line in a process of its own; with each module it loads on stderr. */
function superteam(...args: readonly string[]) {
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => (process.stderr.write("loads " + url + "\\n"), next(url, context)) });`;
  const program = join(import.meta.dirname, "main.ts");
  const options = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, program, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: "utf8" });
  const lines = stderr.split("\n");
  const loaded = lines.filter((line) => line.startsWith("loads ") && line.includes("node_modules"));
  return { status, stdout, said: lines.filter((line) => !line.startsWith("loads ")).join("\n"), loaded };
}

/** The same command in the plainest words, and in words that only the parser of options understands. */
const spellings: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["the version", ["--version"], [`--directory=${repository}`, "--version"]],
  ["the short version", ["-v"], [`-C${repository}`, "-v"]],
  ["status", ["-C", repository, "status"], [`-C${repository}`, "status"]],
  ["status as JSON", ["--directory", repository, "status", "--json"], ["status", `-C${repository}`, "--json"]],
  ["stop without a run", ["-C", repository, "stop"], [`-C${repository}`, "stop"]],
  ["abort without a run", ["-C", repository, "abort"], [`-C${repository}`, "abort"]],
  ["status where there is no folder", ["-C", "/no/such", "status"], ["-C/no/such", "status"]],
];

for (const [what, plain, other] of spellings) {
  test(`${what} is answered at once just as the parser would have it, without any package`, () => {
    const [fast, slow] = [superteam(...plain), superteam(...other)];
    assert.deepEqual(fast.loaded, []);
    assert.notDeepEqual(slow.loaded, []);
    assert.deepEqual([fast.status, fast.stdout, fast.said], [slow.status, slow.stdout, slow.said]);
  });
}

test("a word that every object has is no command", () => {
  const { status, said } = superteam("toString");
  assert.equal(status, 4);
  assert.match(said, /unknown command 'toString'/);
});

test("a wrong option points to the help of its command", () => {
  assert.match(
    superteam("log", "--bogus").said,
    /unknown option '--bogus'[\s\S]*superteam log --help shows its options/,
  );
  assert.match(superteam("runs", "prune", "--bogus").said, /superteam runs prune --help shows its options/);
});

test("status with an option that it does not have is refused with exit code 4", () => {
  const { status, said } = superteam("status", "--nonsense");
  assert.equal(status, 4);
  assert.match(said, /unknown option '--nonsense'/);
});
