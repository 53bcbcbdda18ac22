// The demo as a person starts it: what it says at its end can be typed as it stands, and it offers nothing that it
// cannot keep.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { quickPiFile } from "../../rig/agents/backends.ts";
import { program, project } from "../../rig/cli/cli.ts";
import { noScreen, openPane, type Pane } from "../../rig/person/pane.ts";

const onPaper = { encoding: "utf8", cwd: project } as const;

async function folderFor(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-cli-demo-"));
  context.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Nothing of the configuration of whoever runs the tests. The demo with the real pi is in test/slow, and what CI starts at its end. */
const environmentIn = (folder: string) => ({
  XDG_CONFIG_HOME: folder,
  NO_COLOR: "1",
  SUPERTEAM_PI: quickPiFile,
  NODE_OPTIONS: "--test-isolation=none",
});

function superteam(folder: string, ...args: readonly string[]) {
  const env = { ...process.env, ...environmentIn(folder) };
  return spawnSync(process.execPath, [program, ...args], { ...onPaper, env });
}

test("the demo of a mode ends with commands that work as they are printed", async (context) => {
  const folder = await folderFor(context);
  // A process for each test file of the demo's repository would only cost time here.
  mkdirSync(join(folder, "superteam"));
  writeFileSync(join(folder, "superteam/config.json"), JSON.stringify({ environment: ["NODE_OPTIONS"] }));
  const { status, stderr } = superteam(folder, "demo", "--mode", "hotfix", "--keep", join(folder, "it's here"));
  assert.equal(status, 0, stderr);
  assert.match(stderr, /- Mode: hotfix/);
  assert.doesNotMatch(stderr, /Look: superteam report/);
  assert.match(stderr, /Undo: git -C '[^\n]*it'\\''s here\/repository' revert --no-edit [0-9a-f]{7}/);
  const typed = stderr.split("\n").flatMap((line) => /^ {2}((?:git|npm|node) [^<]*)$/.exec(line)?.[1] ?? []);
  assert.deepEqual(
    typed.map((command) => command.split(" ").at(-1)),
    ["-p", "test", "log", "costs", "report"],
  );
  for (const command of typed.filter((words) => !words.endsWith(" test"))) {
    const { status: code, stdout } = spawnSync("sh", ["-c", command], onPaper);
    assert.equal(code, 0, command);
    assert.match(stdout, /rate limiting|Total/i, command);
  }
});

test("a demo that nobody can answer is refused before anything is made", async (context) => {
  const folder = await folderFor(context);
  const keep = join(folder, "kept");
  const { status, stderr } = superteam(folder, "demo", "--interactive", "--keep", keep);
  assert.equal(status, 4);
  assert.match(stderr, /--interactive needs a terminal[^\n]*Without it a scripted person answers/);
  assert.equal(existsSync(keep), false);
});

/** The demo at its first question, in a real terminal. */
async function asking(context: TestContext, folder: string, where = "--keep"): Promise<Pane> {
  const words = `'${process.execPath}' '${program}' demo --interactive ${where} '${folder}/kept'`;
  const pane = await openPane({
    command: `${words}; echo "ended with $?"; exec sleep 120`,
    environment: environmentIn(folder),
    columns: 120,
    rows: 40,
  });
  context.after(() => pane.close());
  await pane.asked("How much process does this deserve?");
  return pane;
}

test("a demo that was stopped names how it continues, and does so at its question", {
  skip: noScreen(),
}, async (context) => {
  const folder = await folderFor(context);
  const pane = await asking(context, folder);
  await pane.press("Escape");
  const screen = await pane.until("ended with 2");
  assert.match(screen, /To continue it from there:\n +\S.* demo --interactive --resume /);
  assert.doesNotMatch(screen, /Nothing is lost|superteam resume/);
  const again = await asking(context, folder, "--resume");
  await again.press("Escape");
  await again.until("ended with 2");
  const log = superteam(folder, "-C", join(folder, "kept/repository"), "log").stdout;
  assert.equal(log.match(/scout started/g)?.length, 1, log);
});

test("only a folder with a demo in it can be resumed", async (context) => {
  const folder = await folderFor(context);
  const { status, stderr } = superteam(folder, "demo", "--resume", folder);
  assert.equal(status, 4);
  assert.match(stderr, /There is no demo in/);
});

test("an aborted demo says that it was ended, and no more", { skip: noScreen() }, async (context) => {
  const folder = await folderFor(context);
  const pane = await asking(context, folder);
  const { status, stderr } = superteam(folder, "-C", join(folder, "kept/repository"), "abort");
  assert.equal(status, 0, stderr);
  const screen = await pane.until("ended with 1");
  assert.match(screen, /The run was ended/);
  assert.doesNotMatch(screen, /cannot continue/);
});
