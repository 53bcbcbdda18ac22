// U11: the packed package in an empty folder, as someone who has nothing but npm tries it. Everything it needs comes from the
// registry.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { project } from "../rig/cli/cli.ts";

const { devDependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
const pi = "@earendil-works/pi-coding-agent";
/** The version that is tested with: the newest may be half published. */
const piWanted = `${pi}@${devDependencies[pi]}`;

const limitMs = 900_000;

function skipped(): string | false {
  const seen = spawnSync("npm", ["view", piWanted, "version"], { encoding: "utf8", timeout: 60_000 });
  if (seen.error) return `npm cannot be used: ${seen.error.message}`;
  return seen.status === 0 ? false : `no registry has ${piWanted}: ${seen.stderr.trim().split("\n")[0]}`;
}

/** How npm reaches its registry here: what is set for it, and the person's own file, which another home would hide. */
function registrySettings(): NodeJS.ProcessEnv {
  const isMeant = (name: string): boolean =>
    /^(?:npm_config_registry|(?:https?|no)_proxy|node_extra_ca_certs)$/i.test(name);
  const set = Object.entries(process.env).filter(([name]) => isMeant(name));
  const file = execFileSync("npm", ["config", "get", "userconfig"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return { ...Object.fromEntries(set), npm_config_userconfig: file.trim() };
}

describe("U11: the packed package", { skip: skipped(), timeout: 3 * limitMs }, () => {
  const folder = mkdtempSync(join(tmpdir(), "superteam-packed-"));
  const empty = join(folder, "empty");
  let tarball = "";
  before(() => {
    mkdirSync(empty);
    const options = { cwd: project, encoding: "utf8" } as const;
    const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], options);
    const [{ filename }] = JSON.parse(packed.slice(packed.indexOf("[")));
    tarball = join(folder, filename);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Nothing of this project is on the PATH but Node itself, and what is named. */
  function run(command: string, args: readonly string[], ...also: readonly string[]) {
    const path = [...also, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);
    const own = { PATH: path, HOME: folder, TMPDIR: folder, npm_config_cache: join(folder, "cache") };
    const env = { ...registrySettings(), ...own };
    return spawnSync(command, args, { cwd: empty, env, encoding: "utf8", timeout: limitMs });
  }

  test("npx runs the demo with the package and pi, from an empty folder", () => {
    const demo = run("npx", ["-y", "-p", tarball, "-p", piWanted, "superteam", "demo", "--mode", "hotfix"]);
    assert.equal(demo.status, 0, demo.stderr);
    assert.match(demo.stderr, /The commits:/);
  });

  test("it runs the demo with a pi that is only on the PATH", () => {
    const install = run("npm", ["install", "--prefix", empty, "--omit", "peer", tarball]);
    assert.equal(install.status, 0, install.stderr);
    const bin = join(folder, "bin");
    mkdirSync(bin);
    symlinkSync(join(project, "node_modules/.bin/pi"), join(bin, "pi"));
    const demo = run(join(empty, "node_modules/.bin/superteam"), ["demo", "--mode", "hotfix"], bin);
    assert.equal(demo.status, 0, demo.stderr);
    assert.match(demo.stderr, /The commits:/);
  });
});
