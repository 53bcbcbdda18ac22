import assert from "node:assert/strict";
import { test } from "node:test";
import { readTaskYaml } from "./task-yaml.ts";

const entry = (criterion: string): string => `- id: 1
  title: One
  files:
    - a.ts
  criteria:
    - ${criterion}
    - It ends.
  commands: [npm test]`;
const criteriaOf = (yaml: string): unknown => {
  const reading = readTaskYaml(yaml);
  if ("problems" in reading) return reading.problems;
  const [task] = reading.value as readonly { readonly criteria: unknown }[];
  return task?.criteria;
};

for (const criterion of [
  "`take()` returns false",
  "%s is rendered",
  "@decorated functions count",
  "*every* row is shown",
  "&amp; is escaped",
  "!important wins",
  "Returns: 404 for a stranger",
  "The message ends with a colon:",
  '"Delete" asks first',
  "'x' and \"y\" are refused",
  "{id} is replaced",
  "[x] is checked",
  "Issue #41 is gone",
  "> 5 rows get a pager",
  "| is escaped",
  "? is a wildcard",
  "404",
  "true",
  "null is refused: no crash",
  "~ is home",
  "2026-01-01",
  "a: b: c",
  "Title: is shown",
  "--flag is known",
]) {
  test(`the criterion ${criterion} is read as it is written`, () => {
    assert.deepEqual(criteriaOf(entry(criterion)), [criterion, "It ends."]);
  });
}

test("a block that YAML reads as it is written is left alone", () => {
  const yaml = entry('"Quoted: #1" # a remark');
  assert.deepEqual(criteriaOf(yaml), ["Quoted: #1", "It ends."]);
  const reading = readTaskYaml(yaml);
  assert.deepEqual("repairs" in reading ? reading.repairs : null, []);
});

test("each repair is told with its line", () => {
  const reading = readTaskYaml(entry("`x` is: y"));
  assert.deepEqual("repairs" in reading ? reading.repairs : null, ["criteria, line 6 of the block"]);
});

test("a criterion over two lines, a list in brackets and a single text are read", () => {
  assert.deepEqual(criteriaOf(entry("`x` is\n      y: z")), ["`x` is\ny: z", "It ends."]);
  const flow = entry("x").replace(/criteria:[\s\S]*ends\./, "criteria: [`x` is y, z: it holds]");
  assert.deepEqual(criteriaOf(flow), ["`x` is y", "z: it holds"]);
  const single = entry("x").replace(/criteria:[\s\S]*ends\./, "criteria: `x` is y");
  assert.equal(criteriaOf(single), "`x` is y");
});

test("behind a path or a command a hash begins a remark", () => {
  const reading = readTaskYaml(entry("`x`").replace("- a.ts", "- a.ts  # new"));
  assert.deepEqual("value" in reading && (reading.value as readonly { files: unknown }[])[0]?.files, ["a.ts"]);
});

test("tabs for spaces, and items at the depth of their field", () => {
  assert.deepEqual(criteriaOf(entry("`x`").replaceAll("    - ", "\t\t- ")), ["`x`", "It ends."]);
  assert.deepEqual(criteriaOf(entry("`x`: y").replaceAll("    - ", "  - ")), ["`x`: y", "It ends."]);
});

test("what a list in brackets holds with quotes or brackets of its own is not taken apart", () => {
  const flow = (list: string) => entry("x").replace(/criteria:[\s\S]*ends\./, `criteria: ${list}`);
  assert.deepEqual(criteriaOf(flow("[`a`, b,]")), ["`a`", "b"]);
  assert.deepEqual(criteriaOf(flow('["a, b", c]')), ["a, b", "c"]);
  for (const list of ["[`a`, [b]]", '[`a`, "b"]', "[`a`, {b}]"])
    assert.ok("problems" in readTaskYaml(flow(list)), list);
});

test("a text over several lines keeps those with a wrong indentation, and says so", () => {
  const folded = entry("x").replace("title: One", "title: One\n  description: |\n    first\n   second\n\n    third");
  const reading = readTaskYaml(folded);
  assert.ok("value" in reading);
  const [task] = reading.value as readonly { readonly description: string }[];
  assert.equal(task?.description, "first\nsecond\n\nthird\n");
  assert.deepEqual(reading.repairs, ["description, line 3 of the block"]);
  const kept = readTaskYaml(
    entry("`x`").replace("title: One", "title: One\n  description: |\n    first\n      second"),
  );
  assert.ok("value" in kept);
  assert.deepEqual(kept.repairs, ["criteria, line 9 of the block"], "nothing is repaired in a right text beside it");
});

test("a key that stands twice is a problem, also where something else had to be quoted", () => {
  assert.ok("problems" in readTaskYaml(`${entry("`x`")}\n  title: Two`));
});

test("a field may be spelled otherwise, and be in quotes", () => {
  const yaml = entry("`x`: y").replace("criteria:", '"Criteria":').replace("title: One", "Title: `One`: first");
  const reading = readTaskYaml(yaml);
  assert.ok("value" in reading);
  const [task] = reading.value as readonly Record<string, unknown>[];
  assert.deepEqual([task?.["Criteria"], task?.["Title"]], [["`x`: y", "It ends."], "`One`: first"]);
});

test("what has no reading is a problem with its line and an example", () => {
  const reading = readTaskYaml(entry("x").replace("[npm test]", "[npm test"));
  assert.ok("problems" in reading);
  assert.match(reading.problems.join(), /not valid YAML: .*line \d+[\s\S]*double quotes, such as/);
  assert.ok("problems" in readTaskYaml("- id: 1\n  id: 2"));
  assert.ok("problems" in readTaskYaml(entry('"It holds')), "a quote that never ends");
});
