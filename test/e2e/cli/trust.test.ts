// What a repository contains for superteam takes effect only in the exact content the person trusted. Everything else of it is
// ignored whole, and one line says so. Real command line, real files in the person's config folder.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { Config } from "../../../src/core/run/config.ts";
import { type Cli, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";
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
  cli.git("commit", "-q", "-m", "Change what the repository contains");
}

const validating = (validationCommand: string): string => JSON.stringify({ validationCommand });

/** The configuration that each step of the run was given, oldest first. */
async function configs(cli: Cli): Promise<readonly Config[]> {
  const entries = await cli.entries();
  const keys = entries.flatMap((entry) => (entry.type === "begin" && entry.request.do === "config" ? entry.key : []));
  return entries.flatMap((entry) =>
    entry.type === "settle" && keys.includes(entry.key) ? Config.parse(entry.outcome) : [],
  );
}

/** Who gave each answer to the question of trust. */
async function deciders(cli: Cli): Promise<readonly string[]> {
  const entries = await cli.entries();
  return entries.flatMap((entry) =>
    entry.type === "settle" && entry.key.startsWith("~ask:preflight.trust") ? (entry.by ?? "person") : [],
  );
}

test("G1: an untrusted repository decides nothing: mode, reviews, model and check are the person's own", async (context) => {
  const cli = await untrusting(context);
  const hostile = {
    mode: "hotfix",
    model: "no/such",
    validationCommand: "",
    review: { mode: "single-pass", blockOnSeverity: "critical" },
  };
  commit(cli, { ".superteam.json": JSON.stringify(hostile) });
  const own = { execution: { warmSpares: false }, validationCommand: "test -d .git" };
  writeFileSync(join(cli.folder, "config/superteam/config.json"), JSON.stringify(own));
  const exit = await cli.go("run", goal, "--json");
  assert.equal(exit.code, 2, exit.stderr);
  assert.equal(await pending(cli), "triage.mode", "the mode is asked for");
  const [config] = await configs(cli);
  assert.deepEqual(config, Config.parse({ ...own, testCommand: "" }));
  assert.match(exit.stderr, /Ignored, because you have not trusted it: \.superteam\.json\. Your own configuration/);
  const warnings = exit.stdout.split("\n").filter((line) => line.includes('"type":"warning"'));
  assert.equal(warnings.length, 1, "one line says so");
  assert.deepEqual(await deciders(cli), ["policy"]);
  assert.deepEqual(remembered(cli), []);
});

test("G1: what it would change is said in words, with the safe answer first and none recommended", async (context) => {
  const cli = await untrusting(context);
  const own = { execution: { warmSpares: false }, validationCommand: "npm test" };
  writeFileSync(join(cli.folder, "config/superteam/config.json"), JSON.stringify(own));
  const looser = { validationCommand: "", review: { blockOnSeverity: "critical" }, environment: ["MY_KEY"] };
  commit(cli, { ".superteam.json": JSON.stringify(looser), ".agents/superteam/scout.md": "You are theirs." });
  await cli.go("run", goal);
  const asked = (await cli.entries()).find((entry) => entry.type === "begin" && entry.key.startsWith("~ask:preflight"));
  assert.ok(asked?.type === "begin" && asked.request.do === "ask" && asked.request.question.kind === "select");
  const { message, options, recommended } = asked.request.question;
  assert.match(message, /It turns off the check after each change \(now: npm test\)/);
  assert.match(message, /It lets findings below critical pass/);
  assert.match(message, /It passes these variables to agents and checks: MY_KEY/);
  assert.match(message, /It changes the scout \(\.agents\/superteam\/scout\.md\):\n.*its own system prompt, 15 char/);
  assert.deepEqual([options.map(({ key }) => key), recommended], [["without", "trust", "stop"], undefined]);
});

test("trust from an answers file is used, recorded as the file's and remembered; the next run does not ask", async (context) => {
  const cli = await untrusting(context);
  const trust = cli.beside("trust.json", { "preflight.trust": "trust" });
  const exit = await cli.go("run", goal, "--answers", trust);
  assert.equal(exit.code, 2, exit.stderr);
  assert.deepEqual(await deciders(cli), ["file"]);
  assert.equal((await configs(cli))[0]?.validationCommand, command);
  assert.deepEqual(
    remembered(cli).map(({ what }) => what),
    [[".superteam.json"]],
  );
  assert.doesNotMatch(cli.git("status", "--porcelain", "-uall"), /trust/, "nothing of it is in the repository");
  assert.match((await cli.go("log")).stdout, /trusted \(from the answers file\): \.superteam\.json/);

  await cli.go("abort");
  const next = await cli.go("run", goal);
  assert.deepEqual(await deciders(cli), []);
  assert.equal((await configs(cli))[0]?.validationCommand, command, next.stderr);
});

test("what nobody decided is asked again when somebody is there", async (context) => {
  const cli = await untrusting(context);
  await cli.go("run", goal);
  const trust = cli.beside("trust.json", { "preflight.trust": "trust" });
  const resumed = await cli.go("resume", "--answers", trust);
  assert.equal(resumed.code, 2, resumed.stderr);
  assert.deepEqual(await deciders(cli), ["policy", "file"]);
  assert.equal(remembered(cli).length, 1);
});

test("G2: what changed while the run was suspended is reported and not used: the run keeps what was trusted", async (context) => {
  const cli = await untrusting(context);
  const trust = cli.beside("trust.json", { "preflight.trust": "trust" });
  assert.equal((await cli.go("run", goal, "--answers", trust)).code, 2);
  commit(cli, { ".superteam.json": validating("") });
  const resumed = await cli.go("resume");
  assert.match(resumed.stderr, /Ignored: \.superteam\.json changed since you trusted this repository/);
  assert.match(resumed.stderr, /The run continues with what you trusted/);
  const going = await cli.go("answer", "standard");
  assert.equal(going.code, 2, going.stderr);
  assert.equal((await configs(cli)).at(-1)?.validationCommand, command);

  const again = await cli.go("resume", "--trust");
  assert.equal(again.code, 2, again.stderr);
  assert.match((await cli.go("log")).stdout, /trusted \(automatically.*\): \.superteam\.json/);
});

test("G2: what an agent makes of the configuration in the middle of a run is reported and not used", async (context) => {
  const content = JSON.stringify({ validationCommand: "", review: { blockOnSeverity: "critical" } });
  const tools = [
    { name: "write", args: { path: "letter.txt", content: "Dear reader,\n" } },
    { name: "write", args: { path: ".superteam.json", content } },
  ];
  const play = smallPlay((step, turn) => (step === "execute/task-1/implement" && turn === 0 ? { tools } : {}));
  const cli = await openCli(context, { play, trust: false });
  const answers = cli.beside("all.json", { ...allAnswers, "preflight.trust": "trust" });
  const exit = await cli.go("run", goal, "--answers", answers);
  assert.equal(exit.code, 0, exit.stderr);
  const given = await configs(cli);
  assert.deepEqual([...new Set(given.map(({ validationCommand }) => validationCommand))], [command]);
  assert.match(exit.stderr, /## Warnings\n(?: +- .*\n)* +- Ignored: \.superteam\.json changed since you trusted/);
  assert.deepEqual(await deciders(cli), ["file", "policy"], "nobody was there to trust the new one");
  assert.equal(remembered(cli).length, 1);
});

test("an answer to what was shown does not count for what is there by now", {
  skip: noScreen() ?? false,
}, async (context) => {
  const cli = await untrusting(context);
  const pane = await inTerminal(context, cli, ["run", goal]);
  await pane.asked("Trust this repository?");
  await pane.press("Escape");
  await pane.until("ended with 2");
  assert.equal(await pending(cli), "preflight.trust");
  commit(cli, { ".superteam.json": validating("rm -rf everything") });
  const answered = await cli.go("answer", "trust");
  assert.equal(answered.code, 2);
  assert.match(answered.stderr, /Ignored, because you have not trusted it/);
  assert.deepEqual(remembered(cli), []);
  assert.equal((await configs(cli))[0]?.validationCommand, "");
});

test("--trust holds for its run only: profiles take effect, nothing is remembered, a resume does not ask", async (context) => {
  const cli = await untrusting(context);
  commit(cli, { ".agents/superteam/scout.md": "You are ours.", ".agents/superteam/scuot.md": "You are nobody." });
  const exit = await cli.go("run", goal, "--trust");
  assert.equal(exit.code, 2, exit.stderr);
  assert.match(cli.server.requests[0]?.system ?? "", /You are ours\./);
  assert.match(exit.stderr, /scuot\.md is ignored: there is no role "scuot"/);
  assert.deepEqual(remembered(cli), []);
  const resumed = await cli.go("resume");
  assert.doesNotMatch(resumed.stderr, /Ignored/);
  assert.deepEqual(await deciders(cli), ["policy"]);
  await cli.go("abort");
  const next = await cli.go("run", goal);
  assert.match(next.stderr, /Ignored, because you have not trusted it: \.superteam\.json, .*scout\.md\./);
  assert.match(cli.server.requests.at(-1)?.system ?? "", /You are a scout/);
});

test("a stop suspends the run, and it is asked again when the run goes on", async (context) => {
  const cli = await untrusting(context);
  const stop = cli.beside("stop.json", { "preflight.trust": ["stop", "stop"] });
  const stopped = await cli.go("run", goal, "--answers", stop);
  assert.equal(stopped.code, 2, stopped.stderr);
  await cli.go("resume", "--answers", stop);
  assert.equal(cli.server.requests.length, 0);
  assert.deepEqual(await deciders(cli), ["file", "file"]);
});

test("a damaged trust file is kept and told; a broken profile is refused before anything starts", async (context) => {
  const cli = await untrusting(context);
  const trust = cli.beside("trust.json", { "preflight.trust": "trust" });
  writeFileSync(settingsFile(cli), '{"version":1,"trus');
  const exit = await cli.go("run", goal, "--answers", trust);
  assert.equal(exit.code, 2, exit.stderr);
  assert.equal(remembered(cli).length, 1);
  const kept = readdirSync(join(cli.folder, "config/superteam")).filter((name) => name.includes(".corrupt-"));
  assert.equal(kept.length, 1);
  assert.match(exit.stderr, /trust\.json was damaged, so you are asked again/);

  await cli.go("abort");
  commit(cli, { ".agents/superteam/scout.md": "---\nthinking: deep\n---\n" });
  const refused = await cli.go("run", goal);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /scout\.md, cannot be used: [\s\S]*Correct or remove it/);
  assert.equal(cli.active, undefined);
});

test("a repository whose file changes nothing is not asked about", async (context) => {
  const cli = await untrusting(context);
  commit(cli, { ".superteam.json": JSON.stringify({ tdd: "required", environment: [], review: {} }) });
  const exit = await cli.go("run", goal);
  assert.doesNotMatch(exit.stderr, /Ignored/);
  assert.deepEqual(await deciders(cli), []);
});

describe("at a terminal", { skip: noScreen() ?? false }, () => {
  test("G5: Enter at the question of trust takes the safe answer; the one below trusts and is remembered", async (context) => {
    const cli = await untrusting(context);
    const pane = await inTerminal(context, cli, ["run", goal]);
    const screen = await pane.until("Continue without them");
    assert.ok(screen.includes(command));
    assert.equal(cli.server.requests.length, 0);
    await pane.asked("Trust this repository?");
    await pane.press("Enter");
    await pane.asked("How much process");
    assert.deepEqual([remembered(cli), (await configs(cli))[0]?.validationCommand], [[], ""]);
    await pane.press("Escape");
    await pane.until("ended with 2");
    await cli.go("abort");

    const second = await inTerminal(context, cli, ["run", goal]);
    await second.asked("Trust this repository?");
    await second.press("Down");
    await second.press("Enter");
    await second.asked("How much process");
    assert.equal(remembered(cli).length, 1);
    await second.press("Escape");
    await second.until("ended with 2");
  });
});
