// Which of an implementer's dispatches are to begin with a test that fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatches } from "../../../test/rig/flow.ts";
import { missing, names, resolved, reviewer, run } from "../../../test/rig/task.ts";
import { testings } from "../../core/plan/plan.ts";

const oneFix = { "spec-review": reviewer({ findings: [missing] }, { resolutions: [resolved("F1")] }) };

test("what the configuration says of test-first work is what the implementer is told", () => {
  for (const tdd of ["required", "off"] as const) {
    const [implement] = dispatches(run({ config: { tdd } }));
    assert.equal(/Test first/.test(implement?.prompt ?? ""), tdd === "required", tdd);
  }
});

for (const tdd of testings) {
  test(`a task whose tests are "${tdd}" is ${tdd === "required" ? "" : "not "}to be begun with one, and a fix never`, () => {
    const played = run({ agents: oneFix }, { task: { tdd } });
    assert.deepEqual(names(played).slice(0, 3), ["implement", "spec-review", "fix"]);
    const asked = dispatches(played).map(({ testFirst }) => testFirst ?? false);
    assert.deepEqual(asked, [tdd === "required", false, false, false, false]);
  });
}
