// docs/promises.md names files that exist, and every promise that code or a test cites is on that page.

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const page = readFileSync("docs/promises.md", "utf8");
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf(" ")), text] as const),
);

for (const [id, text] of sections) {
  test(`${id} names the files that keep it and the tests that guard it, and they exist`, () => {
    const kept = filesAfter(text, "Kept by: ");
    const guarded = filesAfter(text, "Guarded by: ");
    assert.ok(kept.length > 0 && guarded.length > 0);
    for (const file of [...kept, ...guarded]) assert.ok(existsSync(file), `${file} does not exist`);
    for (const file of guarded) assert.match(file, /^test\/|\.test\.ts$/);
  });
}

test("every promise that a comment or a test cites is on the page", () => {
  const files = globSync(["src/**/*.ts", "test/**/*.ts"]);
  const cited = files.flatMap((file) => citations(readFileSync(file, "utf8")).map((id) => ({ file, id })));
  assert.ok(cited.length > 0);
  assert.deepEqual(
    cited.filter(({ id }) => !sections.has(id)),
    [],
  );
});

function filesAfter(text: string, label: string): readonly string[] {
  const rest = text.slice(text.indexOf(label) + label.length);
  const list = rest.slice(0, rest.search(/\.\s/));
  return [...list.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? "");
}

/** In comments, such as `(E3, T6)`, and at the start of a test's name, such as "E3: what ...". */
function citations(text: string): readonly string[] {
  const comments = [...text.matchAll(/^\s*(?:\/\/|\/?\*+) (.*)$/gm)].map(([, line]) => line ?? "");
  const names = [...text.matchAll(/\btest\(\s*["`]([^"`]*):/g)].map(([, name]) => name ?? "");
  return [...comments, ...names].flatMap((line) => [...line.matchAll(promise)].map(([id]) => id));
}

const promise = /(?<![\w/#.-])[ETMRPVS]\d{1,2}b?(?![\w/.-]*\w)/g;
