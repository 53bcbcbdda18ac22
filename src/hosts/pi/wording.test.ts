import assert from "node:assert/strict";
import { test } from "node:test";
import { commandName } from "./chat/greeting.ts";
import { nameCommand } from "./kept.ts";
import { inPi } from "./wording.ts";

test("commands of the command line are told as pi's, those with options stay what they are", () => {
  const told = [
    ["Nothing is lost: superteam resume continues from here.", "Nothing is lost: /workflow continues from here."],
    ['Start one: superteam run "<what to build>"', "Start one: /workflow <what to build>"],
    [
      "superteam log shows it; superteam run starts again.",
      "/workflow log shows it; /workflow <what to build> starts again.",
    ],
    ["Answer with: superteam answer <value> --id plan.approval", "Answer with: /workflow answer <value>"],
    ["superteam status, superteam stop, superteam abort", "/workflow status, /workflow stop, /workflow abort"],
    ["Raise the limit: superteam resume --budget <dollars>", "Raise the limit: /workflow --budget <dollars>"],
    ["is active here: superteam run --next", "is active here: /workflow --next"],
    ["Log in once: run pi and type /login, or set a key", "Log in once: type /login, or set a key"],
    ["See them all: superteam runs", "See them all: /workflow runs"],
    ["superteam log --json gives the same", "superteam log --json gives the same"],
  ] as const;
  for (const [before, after] of told) assert.equal(inPi(before), after);
});

test("U8: where another extension has taken /workflow, later texts name the command that works", () => {
  const ours = { workflow: { description: "ours" }, superteam: { description: "ours" } };
  const command = (name: string, description = "ours") => ({ name, description }) as never;
  assert.equal(commandName({ ours, commands: [command("workflow"), command("superteam")] }), "workflow");
  const taken = [command("workflow:1", "theirs"), command("workflow:2"), command("superteam")];
  assert.equal(commandName({ ours, commands: taken }), "superteam");
  assert.equal(commandName({ ours, commands: [command("workflow:2"), command("superteam:1")] }), "workflow:2");
  nameCommand("superteam");
  try {
    assert.equal(
      inPi("superteam resume continues, superteam status looks"),
      "/superteam continues, /superteam status looks",
    );
    assert.equal(inPi("Type /workflow. (/workflow)"), "Type /superteam. (/superteam)");
    const paths = "src/workflow.ts, docs/workflow/plan.md, /workflow/notes.md, ./workflow";
    assert.equal(inPi(paths), paths, "a path stays what it is");
  } finally {
    nameCommand("workflow");
  }
});
