import assert from "node:assert/strict";
import { test } from "node:test";
import { readEntries } from "./task-entry.ts";

const entry = { id: 1, title: "One", files: ["src/a.ts"] };
const problemsOf = (more: object): string => {
  const reading = readEntries([{ ...entry, ...more }]);
  return reading.ok ? "" : reading.problems.join();
};

for (const [field, said, meant] of [
  ["id", "Task 3", 3],
  ["id", "T-3", 3],
  ["id", "#3", 3],
  ["title", " Add\n  a bucket ", "Add a bucket"],
  ["dependsOn", "none", []],
  ["dependsOn", ["Task 1, T2 and 3"], [1, 2, 3]],
  ["dependsOn", ["n/a", "-", 4], [4]],
  ["covers", "R1; r2 & R3", ["R1", "R2", "R3"]],
  ["covers", ["R1 (the limit)", "R10: the header"], ["R1", "R10"]],
  ["covers", ["the limit"], ["the limit"]],
  ["files", ["Create: src/b.ts", "`src/c.ts` (new)", "src/d.ts:12-20", "./src/e.ts — changed"], "bcde"],
  ["files", ["src/f.ts#L3-L9", "modify: 'src/g.ts'", "src/h.ts:3, 8-9"], "fgh"],
  ["criteria", ["It holds\n  after a second."], ["It holds after a second."]],
  ["commands", "npm test", ["npm test"]],
  ...["low", "Simple", "small"].map((said) => ["complexity", said, "easy"] as const),
  ["complexity", "moderate", "medium"],
  ...["high", "COMPLEX"].map((said) => ["complexity", said, "hard"] as const),
  ["tdd", true, "required"],
  ["tdd", "Yes", "required"],
] as const) {
  test(`${field} ${JSON.stringify(said)} is read as ${JSON.stringify(meant)}`, () => {
    const expected = field === "files" ? [...meant].map((name) => `src/${name}.ts`) : meant;
    const reading = readEntries([{ ...entry, [field]: said }]);
    assert.deepEqual(reading.ok ? reading.entries[0]?.[field] : reading.problems, expected);
  });
}

test("a problem names its task, its field and which of its values", () => {
  assert.match(problemsOf({ id: 7, files: ["src/a.ts", "/etc/passwd"] }), /^task 7, files 2: must be a path inside/);
  assert.match(problemsOf({ id: undefined, files: [] }), /^task number 1, id: .*,task number 1, files: /);
  assert.match(
    problemsOf({ id: 7, size: 3 }),
    /^task 7: .*"size"\. The fields are id, title, files, .*, tdd; everything/,
  );
  assert.match(problemsOf({ covers: ["R1"], Covers: ["R2"] }), /"covers" is given twice/);
  const none = readEntries({ tasks: [] });
  assert.match(none.ok ? "" : none.problems.join(), /^the tasks block: /);
});

test("a list of tasks may stand by itself or under `tasks`, and nowhere else", () => {
  assert.ok(readEntries({ tasks: [entry] }).ok);
  for (const value of [null, "text", 3, { plan: [entry] }, [null], ["One"]]) assert.ok(!readEntries(value).ok);
});
