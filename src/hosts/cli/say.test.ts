import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { isAsciiTerminal, wordsFor } from "./say.ts";

const terminal = { isTTY: true };

test("U12: a terminal gets words in lines of its width, with commands whole; a pipe gets them as they are", async () => {
  const text = "## Undo\n- All of the work, which is a lot: `git -C /tmp/some/where revert --no-edit adb5d90 6da0882`";
  assert.equal(await wordsFor(new PassThrough(), text), text);
  const out = Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
  assert.deepEqual(
    stripVTControlCharacters(await wordsFor(out, text))
      .split("\n")
      .slice(1),
    ["- All of the work, which is a lot:", "  git -C /tmp/some/where revert --no-edit adb5d90 6da0882"],
  );
  assert.equal(await wordsFor(Object.assign(out, { columns: 14 }), "an error that is long"), "an error that\nis long");
});

test("U12: a terminal whose locale has no UTF-8 gets ASCII; one without a locale, or a pipe, does not", () => {
  for (const env of [{ LANG: "C" }, { LC_ALL: "POSIX", LANG: "en_US.UTF-8" }, { LC_CTYPE: "de_DE.ISO-8859-1" }]) {
    assert.ok(isAsciiTerminal(terminal, env), JSON.stringify(env));
    assert.ok(!isAsciiTerminal({ isTTY: false }, env) && !isAsciiTerminal({}, env));
  }
  for (const env of [{}, { LANG: "" }, { LANG: "C.UTF-8" }, { LC_ALL: "en_US.utf8", LANG: "C" }, { LANG: "en_US" }])
    assert.ok(!isAsciiTerminal(terminal, env), JSON.stringify(env));
});
