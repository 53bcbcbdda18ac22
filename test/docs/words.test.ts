// U10: what people and models read is plain English. These phrasings read like a translation; beside each is what to write.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const project = join(import.meta.dirname, "../..");

const banned: readonly (readonly [RegExp, string])[] = [
  [/\b(?:is|are|was|were|be|been|being) told\b(?! apart)/i, "say who reports, shows or asks"],
  [/\b(?:go|goes|went) on\b/i, "continue, run, happen"],
  [/\bmend(?:s|ing)?\b/i, "fix"],
  [/\b(?:rests?|resting) on\b/i, "based on"],
  [/\bwhoever\b/i, "name them: the implementer, anyone who"],
  [/\b(?:and|or|for) the like\b|\bwhose like\b/i, "similar"],
  [/\b(?:goes|go) over (?:the|such|it)\b/i, "override"],
  [/\bwish(?:es)? for\b/i, "prefer"],
  [/\bbrings? along\b/i, "contain"],
  [/\ball is there\b/i, "ready"],
  [/\bsomething else than\b/i, "something other than"],
  [/\bwhat becomes of\b/i, "what happens to"],
  [/\btaken for\b/i, "treated as"],
  [/\b(?:stands?|is|are) in the way\b/i, "block, prevent"],
  [/\btells? more\b/i, "More: …"],
  [/\bcounts? for nothing\b/i, "is ignored"],
  [/\bof the past\b/i, "earlier"],
  [/\banew\b/i, "again, a new one"],
  [/\b(?:is|are) going on\b/i, "is at work, runs"],
  [/\blet finish\b/i, "finish first"],
  [/\bthat very\b/i, "the same"],
  [/\bput to you\b/i, "asks you"],
  [/\bcome to rest\b/i, "stopped"],
  [/\b(?:takes?|took|taken|taking) (?:(?:it|them|that|its \w+) )?back\b/i, "undo, roll back, withdraw"],
  [/\bput(?:s|ting)? (?:(?:it|them|that) )?back\b/i, "restore"],
  [/\bin line\b/i, "queued, in the queue"],
  [/\ball the same\b/i, "anyway"],
  [/\bbut for\b/i, "except"],
  [/\b(?:no|not|nobody|nothing|none|never)\b[^.]{0,60}\bany more\b/i, "no longer"],
  [/\bwithout a word\b/i, "silently"],
  [/\b(?:gives?|given|gave) no sign\b(?! of life)/i, "is silent"],
  [/\b(?:came|comes?) of it\b/i, "the result, the outcome"],
  [/\bpoints? at nothing\b/i, "does not say where"],
  [/\bhave (?:it|them|that) again\b/i, "get it back"],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?:number|file|plan|XML|requirement|documentation|command)\b/i, "is not a"],
  [
    /, for (?:it|they|there|this|the \w+|code|nobody) (?:is|are|was|has|have|says?|can|sees?|knows?|does|may|asks?)\b/i,
    "because",
  ],
  [/\bwhat (?:is|was) (?:wished for|thought)\b/i, "wanted, expected"],
  [/\bsomebody\b/i, "say who, or what changed"],
  [/\bin whatever way\b/i, "however it ends"],
  [/\bby way of\b/i, "through"],
  [/\bdid not end well\b/i, "failed"],
  [/\bon your word\b/i, "by your decision"],
  [/\btold of\b/i, "reported"],
  [/\bin time of the processor\b/i, "in processor time"],
  [/\bin which no \w+ is there\b/i, "without"],
  [/\b(?:is|was) not whole\b/i, "incomplete"],
  [/\bholds? \w+ to be\b/i, "says that it is"],
];

/** The lines with a banned phrasing, each with what to write instead. */
function strange(text: string): readonly string[] {
  return text.split("\n").flatMap((line, index) => {
    return banned
      .filter(([phrase]) => phrase.test(line))
      .map(([, better]) => `${index + 1}: ${line.trim()} (better: ${better})`);
  });
}

/** What a file says about itself in its first lines. */
const headOf = (code: string): string => /^(?:\/\/.*\n)*/.exec(code)?.[0] ?? "";

/** Other comments are for those who change that code; the lines stay, so that their numbers do. */
function withoutComments(code: string): string {
  return code.replace(/^[ \t]*(?:\/\/|\/?\*).*$|[ \t]\/\/ .*$/gm, "");
}

function strangeIn(files: readonly string[], read: (text: string) => string): readonly string[] {
  assert.ok(files.length > 0);
  return files.flatMap((file) => {
    return strange(read(readFileSync(join(project, file), "utf8"))).map((line) => `${file}:${line}`);
  });
}

/** The last column of CONTEXT.md says which words to avoid. */
function withoutAvoided(text: string): string {
  return text.startsWith("# Words\n") ? text.replace(/^(\|.*)\|[^|]*\|$/gm, "$1|") : text;
}

test("U10: README, other documents at the root, guides, promises, decisions, profiles and skills are in plain English", () => {
  const documents = ["*.md", "docs/**/*.md", "test/README.md", "agents/*.md", "skills/*/*.md"];
  const files = globSync(documents, { cwd: project });
  assert.deepEqual(strangeIn(files, withoutAvoided), []);
});

test("U10: examples are in plain English, comments included", () => {
  assert.deepEqual(strangeIn(globSync("examples/**/*.ts", { cwd: project }), String), []);
});

test("U10: screens, prompts and errors are in plain English", () => {
  const files = globSync("src/**/*.ts", { cwd: project }).filter((file) => !file.endsWith(".test.ts"));
  assert.deepEqual(strangeIn(files, withoutComments), []);
});

test("U10: the first lines of source files are in plain English", () => {
  const files = globSync("src/**/*.ts", { cwd: project }).filter((file) => !file.endsWith(".test.ts"));
  assert.deepEqual(strangeIn(files, headOf), []);
});

test("U10: a strange phrasing is found in a text, and not in a comment", () => {
  assert.equal(strange('say("Nothing is lost: superteam resume goes on.");').length, 1);
  assert.equal(
    strange(withoutComments("// The run goes on.\n/** Is told. */\n * Whoever.\nf(); // mends it")).length,
    0,
  );
  assert.equal(strange(headOf("// The run goes on.\nf();\n")).length, 1);
  assert.equal(strange("Clients are told apart by address.").length, 0);
});
