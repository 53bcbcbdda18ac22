import assert from "node:assert/strict";
import { test } from "node:test";
import { capabilities, couldWrite } from "./capability.ts";

test("reading and searching alone change nothing; everything else can, also what nobody knows", () => {
  for (const harmless of [[], ["read"], ["search"], ["read", "search"]])
    assert.equal(couldWrite({ capabilities: harmless }), false);
  for (const armed of [["run"], ["write"], [...capabilities], ["read", "powershell"]])
    assert.equal(couldWrite({ capabilities: armed }), true);
});
