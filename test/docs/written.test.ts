// What documents say of the configuration, the modes and the events is what the program has.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { documented, eventSchema, eventSchemaFile, written } from "../../scripts/document.ts";
import { Config } from "../../src/core/run/config.ts";
import { RunEvent } from "../../src/core/run/event-schema.ts";

const project = join(import.meta.dirname, "../..");
const textOf = (file: string): string => readFileSync(join(project, file), "utf8");

for (const one of written) {
  test(`the ${one.part} in ${one.file} are up to date: npm run document`, () => {
    assert.equal(documented(one), textOf(one.file));
  });
}

test("every example of a configuration is one", () => {
  const examples = [...textOf("docs/guides/configuration.md").matchAll(/```json\n([\s\S]*?)```/g)];
  assert.ok(examples.length > 0);
  for (const [, json = ""] of examples) Config.parse(JSON.parse(json));
});

test("the guide lists exactly the types of events there are", () => {
  const [, section = ""] = /## Events\n([\s\S]*)$/.exec(textOf("docs/guides/headless.md")) ?? [];
  const listed = [...section.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, names = ""]) => names.match(/[a-z.]+/g) ?? []);
  const types = RunEvent.options.map(({ shape }) => shape.type.value);
  assert.deepEqual(listed.toSorted(), types.toSorted());
});

test("U9: the JSON Schema of events is what the program has", () => {
  assert.equal(textOf(eventSchemaFile), eventSchema());
});
