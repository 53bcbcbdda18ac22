// What is done about failures without the person, and by their configuration, in whole runs on real git.

import assert from "node:assert/strict";
import { test } from "node:test";
import { plannedStories } from "../../rig/pipeline/story.ts";

const planned = plannedStories();

/** The letter has to be signed. */
const validationCommand = "grep -q signed letter.txt || { echo 'error: it is not signed'; exit 1; }";
const unsigned = { run: "echo 'Dear reader' > letter.txt", text: "Done." };
const settings = { execution: { mode: "auto", warmSpares: false }, review: { mode: "iterative" }, validationCommand };
const question = "execute.task.1.escalation";

test("S3-39, S3-40: a failing check is fixed once with its output before any review; then the person is asked, and a retry is completed", async (context) => {
  const run = planned(context);
  run.configure(settings);
  // The check runs before any work too: there it may fail only as the person knows it.
  run.write("letter.txt", "an old one, signed\n");
  run.git("add", "letter.txt");
  run.git("-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-q", "-m", "An old letter");
  const scripts = {
    "execute/task-1/implement": unsigned,
    "execute/task-1/fix 1": { text: "I tried.", run: unsigned.run },
  };
  const told = await run.live({ scripts });
  assert.equal(told.waits?.id, question);
  assert.match(told.waits?.message ?? "", /failed validation after 2 attempts\.[\s\S]*error: it is not signed/);
  const names = told.dispatches.map(({ name }) => name);
  assert.deepEqual(names.slice(names.indexOf("implement")), ["implement", "fix"], "no review was paid for");
  assert.match(told.dispatches.at(-1)?.prompt ?? "", /fails\. The end of its output:\n```\nerror: it is not signed/);
  const signs = { run: "echo 'Dear reader, signed' > letter.txt", text: "Signed." };
  const more = await run.live({ scripts: { "execute/task-1/fix 2": signs }, answers: { [question]: ["retry"] } });
  assert.equal(more.end.how, "finished");
  assert.match(run.git("show", "HEAD~1:letter.txt"), /Dear reader, signed/);
});

test("S3-43, S3-45: an agent that crashes is started again by itself, unless the configuration says otherwise", async (context) => {
  const crash = { run: "echo half > half.txt", text: "", fail: { kind: "crashed" as const, detail: "gone" } };
  const scripts = { "execute/task-1/implement 1": crash };
  const run = planned(context);
  const told = await run.live({ scripts });
  assert.equal(told.end.how, "finished");
  assert.ok(told.warnings.includes("implementer failed (crashed): gone. It is started again."));
  assert.equal(run.text("half.txt"), null, "what it had left was put back before");
  const strict = planned(context);
  strict.configure({ execution: settings.execution, failureActions: { "impl-crash": "escalate" } });
  assert.equal((await strict.live({ scripts })).waits?.id, "execute.task.1.implement.failed");
});
