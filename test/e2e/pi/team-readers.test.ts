// Readers side by side in the real pi, one of which changes the tree: who is told what, and what is left. They wait for
// each other by files beside the tree, so that what happens first is not left to chance.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ModelPlay } from "../../../src/demo/model/play.ts";
import { sharePi } from "../../rig/pi-host/shared.ts";
import { callTeam, teamPlay, textOf } from "../../rig/pi-host/team.ts";

/** What the architect, who has no shell, does: `look until <file>`, and `make <file>`. */
const patient: ModelPlay = (turn) => {
  const [, file] = /^look until (.*)$/m.exec(turn.prompt) ?? [];
  if (turn.header === null || file === undefined) return teamPlay()(turn);
  const made = /^make (.*)$/m.exec(turn.prompt)?.[1];
  if (made !== undefined) writeFileSync(made, "");
  return existsSync(file) ? { text: "fine" } : { tools: [{ name: "ls", args: { path: "." } }], latencyMs: 50 };
};

async function openRig(context: TestContext) {
  const { cli, pi } = await sharePi(context, patient);
  const beside = join(cli.folder, "beside");
  mkdirSync(beside);
  return { cli, at: (name: string) => join(beside, name), pi, readme: cli.file("README.md") };
}

const until = (condition: string): string => `until ${condition}; do sleep 0.05; done`;

test("where another reader is held to account for a change, nobody who could have made it is proven innocent", async (context) => {
  const { cli, at, pi, readme } = await openRig(context);
  const parallel = [
    { role: "scout", task: `bash echo mine > README.md; touch ${at("dirty")}; ${until("! grep -q mine README.md")}` },
    { role: "scout", task: `bash ${until(`[ -e ${at("dirty")} ]`)}` },
    { role: "architect", task: `look until ${at("dirty")}` },
  ];
  const text = textOf((await callTeam(pi, { parallel }))[0]);
  assert.match(text, /## 1\. scout: answered .*\n\nNot proven to have only read: an agent beside it changed files/);
  assert.match(
    text,
    /## 2\. scout: meddled .*\n\n.*it may have been another one\.\n\nscout may only read, but README\.md changed/,
  );
  assert.match(
    text,
    /## 3\. architect: answered .*\n\n(Proven: the tree was the same|While it was reading, README\.md changed\. It has no tool for that)/,
  );
  assert.equal(cli.file("README.md"), readme);
});

test("a reader that began while another one had changed the tree does not bring that back", async (context) => {
  const { cli, at, pi, readme } = await openRig(context);
  const parallel = [
    { role: "scout", task: `bash echo mine > README.md; touch ${at("dirty")}; ${until(`[ -e ${at("late")} ]`)}` },
    { role: "architect", task: `look until ${at("dirty")}` },
    { role: "architect", task: `make ${at("free")}\nlook until ${at("free")}` },
    { role: "scout", task: `bash touch ${at("late")}; ${until(`[ -e ${at("free")} ]`)}` },
  ];
  const text = textOf((await callTeam(pi, { parallel, atOnce: 2 }))[0]);
  assert.match(text, /## 1\. scout: meddled/);
  assert.match(text, /## 4\. scout: meddled/);
  assert.equal(cli.file("README.md"), readme);
  assert.equal(cli.git("status", "--porcelain"), "?? notes.txt");
});
