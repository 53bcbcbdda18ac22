// How screens of a terminal become a picture.

import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-expect-error: a script without types
import { toSvg } from "../../scripts/record-svg.mjs";

const film = (...texts: readonly string[]): string =>
  toSvg(
    texts.map((text) => ({ text, ms: 500 })),
    { columns: 20, rows: 3, still: texts.length - 1, title: "A <film>" },
  );
const drawn = (text: string): readonly string[] => film(text).match(/<(text|path) .*?>(?:[^<]*<\/text>)?/g) ?? [];
const placeOf = (svg: string, text: string): string | undefined =>
  new RegExp(`<text x="([\\d.]+)"[^>]*>${text}<`).exec(svg)?.[1];

test("colours and weight of the terminal are those of the picture, until they end", () => {
  const svg = film("\x1b[33m▲\x1b[39m plain \x1b[1mbold\x1b[0m");
  assert.match(svg, /class="c3"[^>]*>▲</);
  assert.match(svg, /<text (?![^>]*class)[^>]*>plain</);
  assert.match(svg, /class="b"[^>]*>bold</);
});

test("a colour of a program's own is drawn as it is, one of the 256 by its place, and what lies behind a text is not", () => {
  const svg = film("\x1b[1;38;2;138;190;183mown\x1b[0m \x1b[38;5;196;48;5;22mred\x1b[39m \x1b[38;5;3mthird\x1b[49m");
  assert.match(svg, /class="b" style="fill:#8abeb7"[^>]*>own</);
  assert.match(svg, /<text (?![^>]*class)[^>]*style="fill:#ff0000"[^>]*>red</);
  assert.match(svg, /class="c3"[^>]*>third</);
});

test("the words of the chosen screen are there to be read", () => {
  assert.match(film("first", "\x1b[1ma < b\x1b[0m  \n\nlast\n"), /<desc>a &#60; b\n\nlast<\/desc>/);
});

test("what follows a character of two cells stays in its column", () => {
  for (const wide of ["🔨", "⚡"])
    assert.equal(placeOf(film(`${wide} Task`), "Task"), placeOf(film("   Task"), "Task"));
});

test("box lines are drawn from line to line, and texts keep their indentation", () => {
  const [line, text] = drawn("│   deep");
  assert.match(line ?? "", /^<path d="M4\.2 0v18"/);
  assert.equal(placeOf(text ?? "", "deep"), "33.7");
  assert.deepEqual(drawn("┌──┐"), [
    '<path d="M4.2 0m0 18v-9h4.2"/>',
    '<path d="M8.4 9h16.9"/>',
    '<path d="M29.5 0m0 18v-9h-4.2"/>',
  ]);
});

test("a line that two screens share is drawn once, and used on both", () => {
  const svg = film("same\none", "same\ntwo");
  assert.equal(svg.match(/>same</g)?.length, 1);
  assert.equal(svg.match(/<use /g)?.length, 4);
});

test("the chosen screen is shown where nothing moves, and markup in a text is text", () => {
  const svg = film("a", "b", "x < y & z");
  assert.match(svg, /class="film" transform="translate\(0,-108\)"/);
  assert.match(svg, />x &#60; y &#38; z</);
  assert.match(svg, /0%\{transform:translateY\(0px\)\}33\.333%\{/);
});
