import assert from "node:assert/strict";
import { test } from "node:test";
import { isAsciiTerminal } from "./say.ts";

const terminal = { isTTY: true };

test("U12: a terminal whose locale has no UTF-8 gets ASCII; one without a locale, or a pipe, does not", () => {
  for (const env of [{ LANG: "C" }, { LC_ALL: "POSIX", LANG: "en_US.UTF-8" }, { LC_CTYPE: "de_DE.ISO-8859-1" }]) {
    assert.ok(isAsciiTerminal(terminal, env), JSON.stringify(env));
    assert.ok(!isAsciiTerminal({ isTTY: false }, env) && !isAsciiTerminal({}, env));
  }
  for (const env of [{}, { LANG: "" }, { LANG: "C.UTF-8" }, { LC_ALL: "en_US.utf8", LANG: "C" }, { LANG: "en_US" }])
    assert.ok(!isAsciiTerminal(terminal, env), JSON.stringify(env));
});
