import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { loadedPlanFile } from "./loaded-plan.ts";

function gitDir(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "superteam-plan-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("the plan that was loaded last is known again, and nothing else is left behind", async (context) => {
  const folder = gitDir(context);
  const file = loadedPlanFile({ gitDir: folder });
  assert.equal(await file.read(), undefined);
  for (const path of ["docs/plan.md", "docs/my other\nplan.md"]) {
    await file.write(path);
    assert.equal(await loadedPlanFile({ gitDir: folder }).read(), path);
  }
  assert.deepEqual(readdirSync(join(folder, "superteam")), ["plan.json"]);
});

for (const damaged of ["", "{", '{"v":2,"path":"plan.md"}', '{"v":1,"path":"../plan.md"}']) {
  test(`${JSON.stringify(damaged)} is told with what to do, and a new plan mends it`, async (context) => {
    const folder = gitDir(context);
    mkdirSync(join(folder, "superteam"));
    writeFileSync(join(folder, "superteam/plan.json"), damaged);
    const file = loadedPlanFile({ gitDir: folder });
    await assert.rejects(
      file.read(),
      /plan\.json, which names the loaded plan, cannot be read: [\s\S]*\nLoad the plan again\.$/,
    );
    await file.write("plan.md");
    assert.equal(await file.read(), "plan.md");
  });
}
