import assert from "node:assert/strict";
import { test } from "node:test";
import { asTyped } from "./as-typed.ts";

const at = (script: string, env: Readonly<Record<string, string>> = {}) =>
  asTyped("demo", { env, script, cwd: "/clone" });

test("another command is named in the way in which this one was started", () => {
  assert.equal(at("/usr/lib/node_modules/.bin/superteam"), "superteam demo");
  assert.equal(at("/clone/scripts/superteam.mjs", { npm_lifecycle_event: "demo" }), "npm run superteam -- demo");
  assert.equal(at("/clone/scripts/superteam.mjs"), "node scripts/superteam.mjs demo");
  const packages = {
    npm_command: "exec",
    npm_config_package: "./superteam-0.2.0.tgz\n\n@earendil-works/pi-coding-agent",
  };
  assert.equal(
    at("/cache/_npx/1/node_modules/.bin/superteam", packages),
    "npx -p ./superteam-0.2.0.tgz -p @earendil-works/pi-coding-agent superteam demo",
  );
  assert.equal(at("/cache/_npx/1/node_modules/.bin/superteam", { npm_command: "exec" }), "npx superteam demo");
});

test("a package on the PATH that an npm script starts is still on the PATH", () => {
  assert.equal(at("/project/node_modules/.bin/superteam", { npm_lifecycle_event: "build" }), "superteam demo");
});
