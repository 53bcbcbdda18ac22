// Who is taught to work test first, and who is held to it.

import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { Config } from "../../core/run/config.ts";
import { roleNames } from "../../pipelines/pipelines.ts";
import { profileRoles } from "./profiles.ts";

function rolesWith(config: object) {
  const settings = { read: async () => Config.parse(config) };
  return profileRoles({ root: tmpdir(), settings, model: null, models: () => [] });
}

for (const role of roleNames) {
  const who =
    role === "implementer" ? "is taught, and guarded where that is wished for" : "is neither taught nor guarded";
  test(`the ${role} ${who}`, async () => {
    const roles = rolesWith({});
    const [plain, begins] = [await roles.resolve(role, {}), await roles.resolve(role, { testFirst: true })];
    const expected = role === "implementer" ? ["taught", "guarded"] : [undefined, undefined];
    assert.deepEqual([plain.testFirst, begins.testFirst], expected);
  });
}

test("with tdd off the implementer is neither", async () => {
  const { testFirst } = await rolesWith({ tdd: "off" }).resolve("implementer", { testFirst: true });
  assert.equal(testFirst, undefined);
});

test("an implementer without a shell cannot see a test fail, and is not held back for it", async () => {
  const tools = ["read", "write"];
  const { testFirst } = await rolesWith({ agents: { implementer: { tools } } }).resolve("implementer", {
    testFirst: true,
  });
  assert.equal(testFirst, "taught");
});
