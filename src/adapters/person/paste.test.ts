import assert from "node:assert/strict";
import { test } from "node:test";
import { pasteReader } from "./paste.ts";

function heard(...chunks: readonly string[]): readonly string[] {
  const said: string[] = [];
  const hear = pasteReader({
    keys: (keys) => void said.push(`keys ${JSON.stringify(keys)}`),
    paste: (text) => void said.push(`paste ${JSON.stringify(text)}`),
  });
  for (const chunk of chunks) hear(chunk);
  return said;
}

test("U2: a paste is one text, however it is cut, and what comes before and after it are keys", () => {
  assert.deepEqual(heard("a\x1b[200~one\rtw", "o\x1b[20", "1~\r"), ['keys "a"', 'paste "one\\ntwo"', 'keys "\\r"']);
});

test("U2: several lines that arrive together are a paste, also where the terminal does not say so; one line and an Enter are keys", () => {
  assert.deepEqual(heard("one\rtwo\r"), ['paste "one\\ntwo"']);
  assert.deepEqual(heard("one\r"), ['keys "one\\r"']);
});

test("Ctrl-C is heard also when the end of a paste was lost", () => {
  assert.deepEqual(heard("\x1b[200~half", "\x03", "y"), ['keys "\\u0003"', 'keys "y"']);
});
