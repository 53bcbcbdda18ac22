// Which questions a model may answer for the person: no more than the guide says.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { canMatch } from "../src/adapters/person/headless/question-ids.ts";
import { questionIds } from "../src/pipelines/pipelines.ts";

/** The ids of the questions that the sources leave to a model; `#` stands for a number. */
function leftToModels(): readonly string[] {
  const sources = globSync("src/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  const found = sources.flatMap((file) => {
    const said = readFileSync(file, "utf8").matchAll(
      /\bid: [`"]([^`"]+)[`"](?:(?!\bid: [`"])[\s\S])*?modelMayAnswer: true/g,
    );
    return [...said].map(([, id = ""]) => id.replace(/\$\{\w+\}/g, "#"));
  });
  return found.toSorted();
}

const guide = readFileSync("docs/guides/headless.md", "utf8");
const [, section = ""] = /\n## When a model runs it\n([\s\S]*?)\n## /.exec(guide) ?? [];

test("the guide names every question that is left to a model, and each is one there is", () => {
  const [, listed = ""] = /\n\n((?:- .*\n)+)/.exec(section) ?? [];
  const named = [...listed.matchAll(/`([a-z.#-]+)`/g)].map(([, id = ""]) => id);
  assert.deepEqual(named.toSorted(), leftToModels());
  for (const id of named)
    assert.ok(
      questionIds.some((pattern) => canMatch(id.replace("#", "1"), pattern)),
      id,
    );
});

test("nothing that approves, waives, trusts, spends, gives up or ends something is left to a model", () => {
  const persons =
    /approval|section|review|guidance|feedback|trust|triage|budget|forecast|start|checkpoint|escalation|nothing|commit|head|bigger|next|fix|docs|restore|diverged|failed|unparsable|touched|active/;
  assert.deepEqual(
    leftToModels().filter((id) => persons.test(id)),
    [],
  );
});
