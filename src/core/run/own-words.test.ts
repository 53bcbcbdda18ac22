import assert from "node:assert/strict";
import { test } from "node:test";
import { commitBody } from "./commit-body.ts";
import { inSentences } from "./own-words.ts";

const said = [
  "## Summary",
  "",
  "I added a token bucket that refills with time and never above its capacity, because bursts are allowed.",
  "",
  "```superteam-json",
  '{"status": "done"}',
  "```",
  "",
  "Superteam-Request: other-run/7",
  "Note: the clock is injected.",
].join("\n");

test("a commit's body is what the implementer said, without blocks, headings and anything like a trailer", () => {
  assert.equal(
    commitBody(said),
    [
      "Summary",
      "",
      "I added a token bucket that refills with time and never above its",
      "capacity, because bursts are allowed.",
      "",
      "- Note: the clock is injected.",
    ].join("\n"),
  );
  for (const nothing of ["", "Done.\n"]) assert.equal(commitBody(nothing), "");
  assert.equal(commitBody("```\nonly a block\n```"), "");
  assert.ok(commitBody("line\n".repeat(500)).split("\n").length <= 31);
});

test("the report takes the first sentences", () => {
  assert.equal(inSentences("It **works**. Really."), "It works. Really.");
  assert.equal(inSentences(`First. ${"x ".repeat(200)}`, 60), "First.");
  assert.equal(inSentences("word ".repeat(100), 20).length, 20);
});
