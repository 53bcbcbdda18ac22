import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pi } from "./backend.ts";
import { findPi } from "./find.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "superteam-find-"));
});
after(() => rm(folder, { recursive: true, force: true }));

test("without another the project's own pi is found, with its version and the Node that runs us", async () => {
  const search = await findPi({ PATH: "/nonexistent" });
  assert.ok(search.found);
  assert.equal(search.program.from, "package");
  assert.equal(search.program.command, process.execPath);
  assert.match(search.program.version, /^0\.\d+\.\d+$/);
});

test("U11: who has to log in is told what to run: a pi that is only inside of the package is on no PATH", async () => {
  const advice = async (env: Record<string, string>): Promise<string> => {
    const search = await pi.find(env);
    assert.ok(search.found);
    return search.backend.loginAdvice;
  };
  assert.match(await advice({ PATH: "/nonexistent" }), /^run \S+node\S* \S+cli\.js and type \/login, or /);
  assert.match(await advice({ PATH: await program("login", "echo 1.2.3") }), /^run pi and type \/login, or /);
});

test("a pi on the PATH goes before the project's own, and tells its version", async () => {
  const bin = await program("on-path", "echo 1.2.3");
  const search = await findPi({ PATH: `/nonexistent:${bin}:/usr/bin:/bin` });
  assert.ok(search.found);
  assert.deepEqual([search.program.from, search.program.version], ["PATH", "1.2.3"]);
});

test("the configured pi goes before the one on the PATH", async () => {
  const bin = await program("first", "echo 1.2.3");
  const other = await program("second", "echo 2.0.0");
  const env = { PATH: `${bin}:/usr/bin:/bin`, SUPERTEAM_PI: join(other, "pi") };
  const named = await findPi(env);
  assert.ok(named.found && named.program.version === "2.0.0" && named.program.from === "configuration");
});

test("a link to a script of the pi package is run by our Node, its version read from the package", async () => {
  const home = join(folder, "package");
  await mkdir(join(home, "dist"), { recursive: true });
  await mkdir(join(folder, "linked"));
  await writeFile(join(home, "package.json"), '{"name":"@earendil-works/pi-coding-agent","version":"0.90.1"}');
  await writeFile(join(home, "dist", "cli.js"), "");
  await chmod(join(home, "dist", "cli.js"), 0o755);
  await symlink(join(home, "dist", "cli.js"), join(folder, "linked", "pi"));
  const search = await findPi({ PATH: join(folder, "linked") });
  assert.ok(search.found);
  assert.deepEqual([search.program.command, search.program.version], [process.execPath, "0.90.1"]);
});

test("a configured pi that is missing, too old, or no pi at all is refused with the next step", async () => {
  const old = join(await program("old", "echo 0.73.1"), "pi");
  const other = join(await program("other", "echo hello"), "pi");
  const cases = [
    [join(folder, "none"), "missing", /is not a file that can be run/],
    [old, "too-old", /0\.73\.1; 0\.87\.0 or newer is needed/],
    [other, "missing", /it is not pi/],
  ] as const;
  for (const [configured, reason, says] of cases) {
    const search = await findPi({ PATH: "/usr/bin:/bin", SUPERTEAM_PI: configured });
    assert.ok(!search.found);
    assert.equal(search.reason, reason);
    assert.match(search.detail, says);
    assert.match(search.detail, /Name another file in SUPERTEAM_PI, or unset it and install pi with `npm install -g/);
  }
});

/** A folder with an executable `pi`. */
async function program(name: string, script: string): Promise<string> {
  const bin = join(folder, name);
  await mkdir(bin);
  await writeFile(join(bin, "pi"), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, "pi"), 0o755);
  return bin;
}
