// The guide to costs shows what `superteam costs` prints: its example has the lines and the columns of the real thing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { modes } from "../../src/core/run/config.ts";
import { viewOf } from "../../src/engine/views/fold/run-view.ts";
import { costLines, costsOf } from "../../src/engine/views/show/costs.ts";
import { story } from "../rig/pipeline/story.ts";

const guide = readFileSync(new URL("../../docs/guides/costs.md", import.meta.url), "utf8");

/** The columns of a line, and the words without amounts. */
const shape = (line: string): string =>
  line
    .replace(/\S*\$?\d\S*/g, "#")
    .replace(/(# ?)+/g, "# ")
    .replace(/ +/g, " ")
    .trim();

test("the example in the guide has the columns and the phases that are printed", async (context) => {
  const told = await story(context).live({ answers: { "triage.mode": ["standard"] } });
  const printed = costLines(costsOf(viewOf(told.entries), false)).map(shape);
  const [, example = ""] = /```text\n([\s\S]*?)```/.exec(guide) ?? [];
  const lines = example.trim().split("\n");
  assert.ok(lines.length > 10);
  const heads = lines.filter((line) => /^(phase|task) /.test(line));
  const phases = lines.filter((line) => /^(brainstorm|plan-write|plan-review|execute|finalize|total) /.test(line));
  assert.deepEqual([heads.length, phases.length], [2, 6]);
  for (const line of [...heads, ...phases]) assert.ok(printed.includes(shape(line)), line);
});

test("the guide names every mode, and every limit that the budget has", () => {
  const limits = ["costs.warnAtUsd", "costs.hardLimitUsd", "costs.unpricedTokens", "costs.unpricedDispatches"];
  for (const name of [...modes, ...limits, "--budget", "--dry-run", "--wait", "--next", "--skip-brainstorm"]) {
    assert.ok(guide.includes(name), name);
  }
});
