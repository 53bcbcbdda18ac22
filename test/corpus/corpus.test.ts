// How models really write their answers and plans: each case is a whole message or document, with what must come of it. What has
// one reading is used without asking again; what has two, or none, is refused.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import type { z } from "zod";
import { Approaches, BrainstormQuestions, Design, DesignPage, type Section } from "../../src/core/plan/brainstorm.ts";
import { type Numbering, readPlan } from "../../src/core/plan/document.ts";
import { designInParts, Reassessment, revisionInParts } from "../../src/core/plan/parts.ts";
import { Triage } from "../../src/core/plan/triage.ts";
import { readWriterReport } from "../../src/core/plan/writer-report.ts";
import { FinalReview, Review } from "../../src/core/review/review.ts";
import { readAgreedBlocks, readAnswerBlock } from "../../src/core/text/answer.ts";
import { teamOrder } from "../../src/runs/team/order.ts";

interface Case {
  readonly kind: string;
  readonly expect: "used" | "refused";
  readonly why: string;
  readonly value?: unknown;
  /** The criteria of each task, word for word. */
  readonly texts?: Readonly<Record<string, readonly string[]>>;
  /** What a refusal has to name. */
  readonly mentions?: readonly string[];
  readonly context?: Partial<Context>;
}

interface Context {
  readonly requirements: readonly string[];
  readonly numbering: Numbering;
  readonly first: number;
  readonly parts: number;
  readonly page: boolean;
  readonly section: Section;
  readonly sections: readonly Section[];
}

type Reading =
  | { readonly ok: true; readonly value: unknown; readonly texts?: Case["texts"] }
  | { readonly ok: false; readonly problem: string };

const schemas: Readonly<Record<string, (context: Partial<Context>) => z.ZodType>> = {
  triage: () => Triage,
  reassessment: () => Reassessment,
  questions: () => BrainstormQuestions,
  approaches: () => Approaches,
  design: ({ parts, page }) => (parts ? designInParts(parts) : page ? DesignPage : Design),
  section: ({ section, sections = [], parts = 0 }) => {
    assert.ok(section);
    return revisionInParts(section, sections, parts);
  },
};

function read(text: string, { kind, context = {} }: Case): Reading {
  if (kind === "plan") return readPlanCase(text, context);
  if (kind === "team") return readTeam(text);
  if (kind === "report") return readReport(text);
  if (kind === "review") return readAgreedBlocks(text, "superteam-json", Review);
  if (kind === "final-review") return readAgreedBlocks(text, "superteam-json", FinalReview);
  const schema = schemas[kind]?.(context);
  assert.ok(schema, kind);
  return readAnswerBlock(
    text,
    /^(triage|reassessment)$/.test(kind) ? "superteam-json" : "superteam-brainstorm",
    schema,
  );
}

function readPlanCase(text: string, { requirements = [], numbering, first }: Partial<Context>): Reading {
  const reading = readPlan(text, requirements, numbering, first);
  if (!reading.ok) return { ok: false, problem: reading.problems.join("\n") };
  const { tasks } = reading.plan;
  return {
    ok: true,
    value: tasks.map(({ id, title, files, criteria, covers, dependsOn }) => {
      return { id, title, files, criteria: criteria.length, covers, dependsOn };
    }),
    texts: Object.fromEntries(tasks.map(({ id, criteria }) => [id, criteria])),
  };
}

function readReport(text: string): Reading {
  const { report, problem, isStructured } = readWriterReport(text);
  return isStructured ? { ok: true, value: report } : { ok: false, problem: problem ?? "it has no block" };
}

function readTeam(text: string): Reading {
  try {
    return { ok: true, value: teamOrder(JSON.parse(text)) };
  } catch (error) {
    return { ok: false, problem: String(error) };
  }
}

for (const path of globSync("test/corpus/cases/*.json").toSorted()) {
  const given: Case = JSON.parse(readFileSync(path, "utf8"));
  test(`${basename(path, ".json")} is ${given.expect}: ${given.why}`, () => {
    const reading = read(readFileSync(path.replace(".json", ".md"), "utf8"), given);
    if (given.expect === "refused") {
      assert.ok(!reading.ok);
      for (const word of given.mentions ?? []) assert.ok(reading.problem.includes(word), reading.problem);
      return;
    }
    assert.ok(reading.ok, reading.ok ? "" : reading.problem);
    assert.deepEqual(JSON.parse(JSON.stringify(reading.value)), given.value);
    for (const [task, lines] of Object.entries(given.texts ?? {})) assert.deepEqual(reading.texts?.[task], lines);
  });
}
