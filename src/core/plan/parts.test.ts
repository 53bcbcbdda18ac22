import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import fc from "../../../test/rig/property.ts";
import type { Settled } from "../run/report.ts";
import type { Section } from "./brainstorm.ts";
import { cutInParts, designInParts, partsAsDesign, revisionInParts, scopeOf } from "./parts.ts";

const parts = ["Store", "Server", "Pages"].map((title) => ({ title, scope: `the ${title.toLowerCase()} alone` }));
const section = (id: string, part: number | undefined, ...ids: readonly number[]): Section => ({
  id,
  title: id,
  content: "…",
  requirements: ids.map((number) => ({ id: `R${number}`, text: `${number} holds` })),
  ...(part === undefined ? {} : { part }),
});

const problemsOf = (schema: z.ZodType, value: unknown): readonly string[] =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
const design = (...sections: readonly Section[]) => ({ type: "design", sections });

test("each part gets the requirements of its own sections, in the order of the design", () => {
  const cut = cutInParts(parts, [section("a", 1, 1), section("b", 2, 2, 3), section("c", 1, 4), section("d", 3, 5)]);
  assert.deepEqual(
    cut.map(({ number, of, title, requirements }) => [number, of, title, requirements.map(({ id }) => id)]),
    [
      [1, 3, "Store", ["R1", "R4"]],
      [2, 3, "Server", ["R2", "R3"]],
      [3, 3, "Pages", ["R5"]],
    ],
  );
});

test("whatever design passes as cut, no requirement of it is lost and none is planned twice", () => {
  const numbers = fc.array(fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 4 }), numbers, (count, places) => {
      const sections = places.map((part, index) => section(`s${index}`, part, index + 1));
      const reading = designInParts(count).safeParse(design(...sections));
      const named = sections.every(({ part }) => part !== undefined && part >= 1 && part <= count);
      const full = Array.from({ length: count }, (_, index) => index + 1).every((part) => places.includes(part));
      assert.equal(reading.success, named && full);
      if (!reading.success) return;
      const cut = cutInParts(Array(count).fill(parts[0]), reading.data.sections);
      const ids = cut.flatMap(({ requirements }) => requirements.map(({ id }) => id)).toSorted();
      assert.deepEqual(ids, sections.flatMap(({ requirements }) => requirements.map(({ id }) => id)).toSorted());
    }),
  );
});

test("a design in parts says of each section with requirements where it belongs, and leaves no part empty", () => {
  const schema = designInParts(2);
  assert.deepEqual(problemsOf(schema, design(section("a", 1, 1), section("b", 2, 2), section("c", undefined))), []);
  assert.deepEqual(problemsOf(schema, design(section("a", 1, 1), section("b", undefined, 2))), [
    'section "b" states requirements, so it must say to which part it belongs: 1 to 2',
    "no requirement belongs to part 2",
  ]);
  assert.deepEqual(problemsOf(schema, design(section("a", 1, 1), section("b", 2, 2), section("c", 3, 3))), [
    'section "c" states requirements, so it must say to which part it belongs: 1 to 2',
  ]);
});

test("a section that is revised stays in its part, and cannot leave that part without a requirement", () => {
  const sections = [section("a", 1, 1), section("b", 2, 2)];
  const schema = revisionInParts(section("b", 2, 2), sections, 2);
  assert.deepEqual(problemsOf(schema, { type: "section", section: section("b", 1, 3) }), []);
  assert.deepEqual(problemsOf(schema, { type: "section", section: section("b", 2) }), [
    "no requirement belongs to part 2",
  ]);
});

test("parts that are clear as they stand are their own design", () => {
  const sections = partsAsDesign(parts);
  assert.equal(designInParts(3).safeParse(design(...sections)).success, true);
  assert.deepEqual(
    cutInParts(parts, sections).map(({ requirements }) => requirements.map(({ text }) => text)),
    [["Store: the store alone"], ["Server: the server alone"], ["Pages: the pages alone"]],
  );
});

test("the tasks of a part are numbered after all that were settled before, whatever their numbers are", () => {
  const [first, second] = cutInParts(parts, [section("a", 1, 1), section("b", 2, 2), section("c", 3, 3)]);
  assert.ok(first && second);
  const settled = [1, 2, 5].map((task) => ({ task }) as Settled);
  assert.equal(scopeOf(first, []).firstTask, 1);
  assert.equal(scopeOf(second, settled).firstTask, 6);
  assert.deepEqual(scopeOf(second, settled).requirements, ["R2"]);
});
