import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { widthOf } from "../../core/text/width.ts";
import { keepToAscii, toAscii } from "./ascii.ts";

const source = join(import.meta.dirname, "../..");

/** What stands in the code of the screens that is not ASCII. */
function symbolsOnScreens(): ReadonlySet<string> {
  const files = globSync(["engine/views/**/*.ts", "adapters/person/**/*.ts", "hosts/cli/**/*.ts", "runs/**/*.ts"], {
    cwd: source,
    exclude: (name) => name.endsWith(".test.ts"),
  });
  assert.ok(files.length > 50);
  const code = files.map((file) => readFileSync(join(source, file), "utf8").replace(/^\s*(?:\/\/|\/?\*).*$/gm, ""));
  return new Set(code.join("\n").match(/\p{Emoji_Presentation}|[^\0-\x7f]\u{fe0f}?/gu));
}

test("U12: every symbol of the screens has one in ASCII, as wide as it is", () => {
  const symbols = symbolsOnScreens();
  assert.ok(symbols.has("⚡") && symbols.has("│"));
  for (const symbol of symbols) {
    assert.match(toAscii(symbol), /^[\0-\x7f]+$/, symbol);
    assert.equal(widthOf(toAscii(symbol)), widthOf(symbol), symbol);
  }
  assert.equal(toAscii("⚠️ café, 限流"), "*  café, 限流");
});

test("U12: what is written to a stream that is kept to ASCII is, and bytes are left as they are", () => {
  const out = new PassThrough();
  keepToAscii(out);
  out.write("⚡ done │");
  out.write(Buffer.from("│"));
  assert.equal(String(out.read()), "*  done |│");
});
