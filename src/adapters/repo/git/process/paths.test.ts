import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../../../test/rig/property.ts";
import { toBytes, toText } from "./paths.ts";

test("every name in bytes has a text of its own and comes back from it; one in UTF-8 reads as it is", () => {
  const bytes = fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array).toString("latin1"));
  fc.assert(fc.property(bytes, (path) => assert.equal(toBytes(toText(path)), path)));
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const path = Buffer.from(name, "utf8").toString("latin1");
      assert.deepEqual([toText(path), toBytes(name)], [name, path]);
    }),
  );
  assert.notEqual(toText("caf\xe8"), toText("caf\xe9"));
  assert.equal(toText("\xef\xbf\xbd\xff"), "\ufffd\udcff");
});
