// What a repository brings along counts only when the person trusts it: asked before the first agent, once, and again
// when it has changed. Real command line, real pi, real files in the person's config folder.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { type Cli, openCli } from "../../rig/cli/cli.ts";
import { goal } from "../../rig/cli/small-play.ts";
import { inTerminal } from "../../rig/cli/terminal.ts";
import { noScreen } from "../../rig/person/pane.ts";

/** A command line that is not told to trust, in a repository with a command of its own. */
const untrusting = (context: TestContext): Promise<Cli> => openCli(context, { trust: false });

const command = "test -f README.md";
const settingsFile = (cli: Cli): string => join(cli.folder, "config/superteam/trust.json");
const remembered = (cli: Cli): readonly { readonly what: readonly string[] }[] =>
  existsSync(settingsFile(cli)) ? JSON.parse(readFileSync(settingsFile(cli), "utf8")).trusted : [];

async function pending(cli: Cli): Promise<string> {
  return JSON.parse((await cli.go("status", "--json")).stdout).pendingInteraction?.id;
}

function commit(cli: Cli, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(cli.root, path, ".."), { recursive: true });
    writeFileSync(join(cli.root, path), text);
  }
  cli.git("add", ...Object.keys(files));
  cli.git("commit", "-q", "-m", "Change what is brought along");
}

const validating = (validationCommand: string): string => JSON.stringify({ validationCommand });

test("a run without a person pauses before any agent and shows what it would trust; an answer goes on and is remembered", async (context) => {
  const cli = await untrusting(context);
  const paused = await cli.go("run", goal, "--yes", "--json");
  assert.equal(paused.code, 2, paused.stderr);
  assert.match(paused.stderr, /Trust this repository\?/);
  assert.ok(paused.stderr.includes(`.superteam.json: validationCommand (a command that is run to check each task):`));
  assert.ok(paused.stderr.includes(command), "the command itself is shown");
  assert.match(paused.stderr, /superteam answer <trust\|without\|stop> --id preflight\.trust/);
  const types = paused.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  assert.deepEqual(types.slice(0, 1).concat(types.slice(-2)), ["run.started", "question.asked", "run.suspended"]);
  assert.equal(cli.server.requests.length, 0, "nobody was paid");
  assert.equal(await pending(cli), "preflight.trust");

  const answered = await cli.go("answer", "trust");
  assert.equal(answered.code, 2, answered.stderr);
  assert.equal(await pending(cli), "triage.mode");
  assert.deepEqual(
    remembered(cli).map(({ what }) => what),
    [[".superteam.json: validationCommand"]],
  );
  assert.doesNotMatch(cli.git("status", "--porcelain", "-uall"), /trust/, "nothing of it is in the repository");

  await cli.go("abort");
  const next = await cli.go("run", goal);
  assert.doesNotMatch(next.stderr, /preflight\.trust/);
  assert.equal(await pending(cli), "triage.mode", "the next run does not ask again");
});

test("a command that changed while the run was suspended is asked about again, with the new one", async (context) => {
  const cli = await untrusting(context);
  const trust = cli.beside("trust.json", { "preflight.trust": "trust" });
  assert.equal((await cli.go("run", goal, "--answers", trust)).code, 2);
  assert.equal(await pending(cli), "triage.mode");
  commit(cli, { ".superteam.json": validating("test -f other.md") });
  const resumed = await cli.go("resume");
  assert.equal(resumed.code, 2);
  assert.match(resumed.stderr, /has changed since you trusted it/);
  assert.match(resumed.stderr, /test -f other\.md/);

  commit(cli, { ".superteam.json": validating(command) });
  await cli.go("resume");
  assert.equal(await pending(cli), "triage.mode", "what was trusted once is trusted still");
});

test("an answer to what was shown does not count for what is there by now", async (context) => {
  const cli = await untrusting(context);
  await cli.go("run", goal);
  commit(cli, { ".superteam.json": validating("rm -rf everything") });
  const answered = await cli.go("answer", "trust");
  assert.equal(answered.code, 2);
  assert.match(answered.stderr, /rm -rf everything/);
  assert.equal(await pending(cli), "preflight.trust");
  assert.deepEqual(remembered(cli), []);
  assert.equal(cli.server.requests.length, 0);
  assert.equal((await cli.go("answer", "trust")).code, 2);
  assert.equal(await pending(cli), "triage.mode");
});

test("going on without them is told and recorded, asked once, and leaves the package's own profile", async (context) => {
  const cli = await untrusting(context);
  commit(cli, { ".agents/superteam/scout.md": "You are theirs." });
  const without = cli.beside("without.json", { "preflight.trust": "Go on without them" });
  const exit = await cli.go("run", goal, "--answers", without, "--json");
  assert.equal(exit.code, 2, exit.stderr);
  assert.match(exit.stderr, /▲ +Going on without .*scout\.md is ignored.*Validation is off/s);
  const warnings = exit.stdout.split("\n").filter((line) => line.includes('"type":"warning"'));
  assert.match(warnings.join("\n"), /Going on without/);
  assert.match(cli.server.requests[0]?.system ?? "", /You are a scout/);
  assert.deepEqual(remembered(cli), []);

  const resumed = await cli.go("resume");
  assert.match(resumed.stderr, /Going on without/, "every session is told");
  assert.equal(await pending(cli), "triage.mode");
  const entries = await cli.entries();
  const recorded = entries.filter((entry) => entry.type === "begin" && entry.key.startsWith("~record:warning"));
  assert.equal(recorded.length, 1);
});

test("--trust holds for its run only: profiles count, nothing is remembered, a resume does not ask", async (context) => {
  const cli = await untrusting(context);
  commit(cli, { ".agents/superteam/scout.md": "You are ours.", ".agents/superteam/scuot.md": "You are nobody." });
  const exit = await cli.go("run", goal, "--trust");
  assert.equal(exit.code, 2, exit.stderr);
  assert.match(cli.server.requests[0]?.system ?? "", /You are ours\./);
  assert.match(exit.stderr, /scuot\.md counts for nothing: there is no role "scuot"/);
  assert.deepEqual(remembered(cli), []);
  await cli.go("resume");
  assert.equal(await pending(cli), "triage.mode");
  await cli.go("abort");
  const next = await cli.go("run", goal);
  assert.match(next.stderr, /superteam\/scout\.md \(the scout\):\n.*its own system prompt, 13 characters/);
  assert.equal(await pending(cli), "preflight.trust");
});

test("a stop suspends the run, and it is asked again when the run goes on", async (context) => {
  const cli = await untrusting(context);
  const stop = cli.beside("stop.json", { "preflight.trust": "stop" });
  const stopped = await cli.go("run", goal, "--answers", stop);
  assert.equal(stopped.code, 2, stopped.stderr);
  assert.equal(cli.server.requests.length, 0);
  await cli.go("resume", "--answers", stop);
  assert.equal(await pending(cli), "preflight.trust");
});

test("a damaged trust file is kept, told and asked about; a broken profile is refused before anything starts", async (context) => {
  const cli = await untrusting(context);
  const trust = cli.beside("trust.json", { "preflight.trust": "trust" });
  writeFileSync(settingsFile(cli), '{"version":1,"trus');
  const exit = await cli.go("run", goal, "--answers", trust);
  assert.equal(exit.code, 2, exit.stderr);
  assert.match(exit.stderr, /trust\.json was damaged, so nothing is trusted/);
  assert.equal(remembered(cli).length, 1);
  const kept = readdirSync(join(cli.folder, "config/superteam")).filter((name) => name.includes(".corrupt-"));
  assert.equal(kept.length, 1);

  await cli.go("abort");
  commit(cli, { ".agents/superteam/scout.md": "---\nthinking: deep\n---\n" });
  const refused = await cli.go("run", goal);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /scout\.md, cannot be used: [\s\S]*Correct or remove it/);
  assert.equal(cli.active, undefined);
});

test("a repository that brings nothing along is not asked about", async (context) => {
  const cli = await untrusting(context);
  commit(cli, { ".superteam.json": JSON.stringify({ validationCommand: "", environment: [], review: {} }) });
  assert.equal((await cli.go("run", goal)).code, 2);
  assert.equal(await pending(cli), "triage.mode");
});

describe("at a terminal", { skip: noScreen() ?? false }, () => {
  test("the person is asked before the first agent, and their choice is remembered", async (context) => {
    const cli = await untrusting(context);
    const pane = await inTerminal(context, cli, ["run", goal]);
    const screen = await pane.until("Go on without them");
    assert.ok(screen.includes(command));
    assert.equal(cli.server.requests.length, 0);
    await pane.press("Enter");
    await pane.asked("How much process");
    assert.equal(remembered(cli).length, 1);
    await pane.press("Escape");
    await pane.until("ended with 2");
  });
});
