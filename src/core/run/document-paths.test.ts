import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { planPath } from "../plan/path.ts";
import { isInsideTree } from "../plan/plan.ts";
import { mostParts } from "../plan/triage.ts";
import { documentsFor, inShort, pathsIn, slug } from "./document-paths.ts";

test("a slug is made of the goal's first words", () => {
  assert.equal(slug("Add rate limiting with token bucket algorithm"), "add-rate-limiting-with-token-bucket");
  assert.equal(slug("Über-schön: naïve café!"), "uber-schon-naive-cafe");
  assert.equal(slug("日本語"), "run");
});

test("documents share a stem, and a taken one gets a number", () => {
  const first = documentsFor("2026-02-07", "Add auth", () => false);
  assert.deepEqual(first, {
    design: "docs/plans/2026-02-07-add-auth-design.md",
    plan: "docs/plans/2026-02-07-add-auth-plan.md",
    progress: "docs/plans/2026-02-07-add-auth-progress.md",
    summary: "docs/plans/2026-02-07-add-auth-summary.md",
  });
  const second = documentsFor("2026-02-07", "Add auth", (path) => path === first.plan);
  assert.equal(second.plan, "docs/plans/2026-02-07-add-auth-2-plan.md");
});

test("every part has a plan of its own, and a taken one of any part counts as taken", () => {
  const documents = documentsFor("2026-02-07", "Add auth", () => false);
  assert.equal(planPath(documents.plan, 1), documents.plan);
  assert.equal(planPath(documents.plan, 2), "docs/plans/2026-02-07-add-auth-plan-2.md");
  const paths = pathsIn(documents);
  assert.equal(new Set(paths).size, 3 + mostParts);
  assert.ok(paths.includes(planPath(documents.plan, mostParts)));
  const second = documentsFor("2026-02-07", "Add auth", (path) => path === planPath(documents.plan, 3));
  assert.equal(second.plan, "docs/plans/2026-02-07-add-auth-2-plan.md");
});

test("a commit's subject has the first line of the goal, cut where it is long", () => {
  assert.equal(inShort(" Add  auth\n\nThis is part 1 of 2 of a larger goal"), "Add auth");
  assert.equal(inShort("# Rate limits\n\nPer client"), "Rate limits");
  const long = "Negative amounts are printed as -1.-50 instead of -1.50 in the report";
  assert.equal(inShort(long), "Negative amounts are printed as -1.-50 instead of -1.50...");
  assert.equal(inShort(`${long.slice(0, 50)}1234567890123`), "Negative amounts are printed as -1.-50 instead of...");
  assert.equal(inShort("x".repeat(61)), `${"x".repeat(57)}...`);
});

test("whatever the goal, the paths are inside the tree and short", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (goal) => {
      assert.match(slug(goal), /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.ok(slug(goal).length <= 40);
      assert.ok(isInsideTree(documentsFor("2026-01-01", goal, () => false).design));
      assert.ok(!inShort(goal).includes("\n") && inShort(goal).length <= 60);
    }),
  );
});
