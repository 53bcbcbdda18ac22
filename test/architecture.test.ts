// Who may import whom, and what pure means. There is no list of exceptions.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { backends } from "../src/adapters/agents/backends.ts";
import { pipelines } from "../src/pipelines/pipelines.ts";
import { codeOf, importsOf, sources } from "./rig/sources.ts";

/** A folder may always import itself; tests may import anything. `index` is the public API. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  core: [],
  prompts: ["core"],
  phases: ["core", "prompts"],
  pipelines: ["core", "prompts", "phases"],
  ports: ["core"],
  engine: ["core", "ports"],
  adapters: ["core", "ports"],
  runs: ["core", "prompts", "phases", "pipelines", "ports", "engine"],
  hosts: ["core", "prompts", "phases", "pipelines", "ports", "engine", "adapters", "runs", "demo"],
  demo: ["core", "prompts", "phases", "adapters"],
  "index.ts": ["core", "prompts", "phases", "pipelines", "ports", "engine", "adapters"],
};
const pure = ["core", "prompts", "phases", "pipelines", "engine/views"];
/** What adapters of several ports stand on. */
const foundation = ["process", "files", "journal", "store"];

test("there are sources to look at in every folder", () => {
  const folders = new Set(sources.map((file) => file.split("/")[1]));
  for (const folder of Object.keys(allowed)) if (folder !== "index.ts") assert.ok(folders.has(folder), folder);
});

for (const file of sources) {
  const code = codeOf(file);
  const [, folder = "", sub = ""] = file.split("/");

  test(`${file} imports only what ${folder} may`, () => {
    for (const target of importsOf(file)) {
      const [, to = "", toSub = ""] = target.split("/");
      assert.ok(to === folder || allowed[folder]?.includes(to), `${folder} must not import ${target}`);
      if (folder === "adapters" && to === "adapters") {
        assert.ok(
          toSub === sub || foundation.includes(toSub),
          `the adapters of ${sub} must not import those of ${toSub}`,
        );
      }
    }
  });

  if (pure.some((place) => file.startsWith(`src/${place}/`))) {
    test(`${file} is pure`, () => {
      const impure =
        /\basync\b|\bawait\b|"node:|\bDate\.now|new Date\(\)|Math\.random|\bprocess\.|\bglobalThis\b|\bsetTimeout\b|\bPromise\b/.exec(
          code,
        );
      assert.equal(impure?.[0], undefined);
    });
  }

  if (folder === "runs") {
    test(`${file} leaves files, time and the process to the host's wiring`, () => {
      const machine =
        /"node:|"commander"|\bDate\.now|new Date\(\)|Math\.random|\bprocess\.|\bglobalThis\b|\bset(?:Timeout|Interval)\b/;
      assert.equal(machine.exec(code)?.[0], undefined);
    });
  }

  test(`${file} knows pi only where it is called so`, () => {
    if (/(^|\/)pi(\.ts$|\/)/.test(file)) return;
    assert.doesNotMatch(code, /@earendil-works/);
  });
}

for (const name of Object.keys(backends)) {
  test(`nobody knows the backend ${name} but its own folders and the list of backends`, () => {
    const strangers = sources.filter((file) => !file.includes(`/${name}/`) && !file.endsWith("/agents/backends.ts"));
    const knowing = strangers.filter((file) =>
      importsOf(file).some((target) => target.startsWith(`src/adapters/agents/${name}/`)),
    );
    assert.deepEqual(knowing, []);
  });
}

test("views, engine, use cases and hosts know no phase by its name, and tell no pipeline by its name", () => {
  const phases = [...new Set(pipelines.flatMap(({ schedule }) => schedule.map(({ phase }) => phase)))];
  const names = pipelines.map(({ name }) => name);
  // A pipeline may have the name of a phase; the program and a tool have names of pipelines.
  const phase = phases.filter((one) => !names.includes(one)).join("|");
  const known = new RegExp(
    `"(?:${phase})"|[{\\s](?:${phase}): "|(?:[!=]==? |case |pipeline: )"(?:${names.join("|")})"`,
  );
  const knowing = sources.filter((file) => /^src\/(engine|runs|hosts)\//.test(file) && known.test(codeOf(file)));
  assert.deepEqual(knowing, []);
});

test("S3-45: there is one way from a failure to the person", () => {
  const home = "src/phases/work/respond.ts";
  const asking = sources.filter((file) => /^src\/(phases|pipelines)\//.test(file) && file !== home);
  /** What only who handles a failure needs to know. */
  const failing =
    /\b(?:Obstacle|Trouble|GaveUp|attempt|FailedOutcome|DispatchOutcome|CheckOutcome|CommitOutcome|commitProven|commitOrAsk|Refusal|Matter)\b/;
  const handling = asking.filter((file) => failing.test(codeOf(file)));
  assert.ok(handling.length > 10, "they are found");
  const beside = handling.filter((file) => /\baskOrAbort\b/.test(codeOf(file)));
  assert.deepEqual(beside, [], "whoever handles a failure puts it to the person by respond.ts");
  const deciding = sources.filter((file) => /\brespondTo\(/.test(codeOf(file)));
  assert.deepEqual(deciding, ["src/core/run/failure-action.ts", "src/engine/money/budget.ts", home]);
  const resolving = sources.filter((file) => /\bresolveFailureAction\(/.test(codeOf(file)));
  assert.deepEqual(resolving, ["src/core/run/failure-action.ts"], "actions are looked up by the one function");
});

test("there is no utils folder and no catch-all module", () => {
  assert.deepEqual(
    sources.filter((file) => /\b(utils?|helpers?|misc|common)\b/.test(file)),
    [],
  );
});

test("no test replaces a module", () => {
  const tests = globSync(["src/**/*.test.ts", "test/**/*.ts"]).filter((file) => !file.endsWith("architecture.test.ts"));
  const mocks = tests.filter((file) =>
    /mock\.module|vi\.mock|jest\.mock|mock\.method|mock\.timers/.test(readFileSync(file, "utf8")),
  );
  assert.deepEqual(mocks, []);
});
