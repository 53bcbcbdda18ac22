import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pi } from "./backend.ts";
import { piEnvironment } from "./environment.ts";

test("every variable that pi documents for its providers is passed on", () => {
  const page = readFileSync(
    new URL("../docs/providers.md", import.meta.resolve("@earendil-works/pi-coding-agent")),
    "utf8",
  );
  const named = page.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [];
  const source = Object.fromEntries(named.map((name) => [name, "set"]));
  const passed = piEnvironment(source, { environment: [] });
  assert.ok(named.length > 40);
  assert.deepEqual(
    named.filter((name) => passed[name] === undefined),
    [],
  );
});

test("an agent gets the variables that its backend names, and no others but a shell's and those of its order", () => {
  const names = [...pi.variables, "MY_PROXY"];
  const source = Object.fromEntries([...names, "HOME", "OTHER_SECRET"].map((name) => [name, "set"]));
  const { PI_SKIP_VERSION_CHECK, PI_TELEMETRY, ...passed } = piEnvironment(source, { environment: ["MY_PROXY"] });
  assert.deepEqual(Object.keys(passed).toSorted(), [...names, "HOME"].toSorted());
});

test("what describes a surrounding pi session stays behind, and pi asks nobody for updates", () => {
  const source = {
    PI_SESSION_ID: "1",
    PI_MODEL: "m",
    PI_CODING_AGENT: "true",
    PI_CODING_AGENT_DIR: "/mine",
    AI_AGENT: "pi",
  };
  assert.deepEqual(piEnvironment(source, { environment: [] }), {
    PI_CODING_AGENT_DIR: "/mine",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
  });
});
