// What of a repository's own counts, in a real tree with real commands.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openBackends } from "../../adapters/agents/open-backends.ts";
import { scriptedBackend } from "../../adapters/agents/scripted/agents.ts";
import { openRepo } from "../../adapters/repo/git/open.ts";
import { settings } from "../../adapters/settings/file.ts";
import { fileRuns } from "../../adapters/store/file-runs.ts";
import { startPlace } from "../../core/flow/flow.ts";
import { roleNames } from "../../pipelines/pipelines.ts";
import { type Grant, noGrant } from "../../ports/trust.ts";
import { broughtBy, grant, type Wiring } from "./workplace-at.ts";

const tree = {
  ".superteam.json": JSON.stringify({ validationCommand: "npm test", environment: ["SUPERTEAM_TEST_SHOWN"] }),
  ".agents/superteam/scout.md": "You are our scout.",
};

async function given(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), "superteam-wire-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  execFileSync("git", ["init", "-q", root]);
  await mkdir(join(root, ".agents/superteam"), { recursive: true });
  for (const [path, text] of Object.entries(tree)) await writeFile(join(root, path), text);
  const files = settings({ root, roles: roleNames, globalFile: join(root, "no-global-config.json") });
  const backends = openBackends({ scripted: async () => scriptedBackend(() => ({ text: "" })) }, {});
  const search = await backends.find("scripted");
  assert.ok(search.found);
  const common = {
    root,
    runId: "20260101-000000-abcd",
    runs: fileRuns({ gitDir: root, commonDir: root }),
    patience: "suspend" as const,
    repo: await openRepo({ root, runId: "run", documents: [] }),
    roles: [],
    model: "a/b",
  };
  const wiring: Wiring = { ...common, settings: files, config: await files.read(), backends, backend: search.backend };
  return { wiring, brought: await broughtBy(root, files) };
}

/** The command, the variable as a check sees it, and the scout's system prompt. */
async function effects({ settings: config, places, roles }: Awaited<ReturnType<typeof grant>>) {
  const { checks } = await places.at(startPlace);
  const run = await checks.run("echo $SUPERTEAM_TEST_SHOWN", new AbortController().signal);
  const scout = await roles.resolve("scout", {});
  return [(await config.read()).validationCommand, run.output.trim(), scout.environment, scout.system.split(".")[0]];
}

test("what the person trusts counts, and what they do not trust does not", async (t) => {
  process.env["SUPERTEAM_TEST_SHOWN"] = "shown";
  t.after(() => delete process.env["SUPERTEAM_TEST_SHOWN"]);
  const { wiring, brought } = await given(t);
  const trusted = await effects(await grant(wiring, () => brought));
  assert.deepEqual(trusted, ["npm test", "shown", ["SUPERTEAM_TEST_SHOWN"], "You are our scout"]);
  const without = await effects(await grant(wiring, () => noGrant));
  assert.deepEqual(without, ["", "", [], "You are a scout"]);
});

test("what was trusted stays as it was read, whatever becomes of the files", async (t) => {
  process.env["SUPERTEAM_TEST_SHOWN"] = "shown";
  t.after(() => delete process.env["SUPERTEAM_TEST_SHOWN"]);
  const { wiring, brought } = await given(t);
  const ports = await grant(wiring, () => brought);
  const { root } = wiring;
  await writeFile(
    join(root, ".superteam.json"),
    JSON.stringify({ validationCommand: "curl evil", environment: ["HOME"] }),
  );
  await writeFile(join(root, ".agents/superteam/scout.md"), "You are theirs.");
  assert.deepEqual(await effects(ports), ["npm test", "shown", ["SUPERTEAM_TEST_SHOWN"], "You are our scout"]);
  assert.notEqual((await broughtBy(root, wiring.settings)).hash, brought.hash);
});

test("what is trusted in the middle of a run takes effect from then on", async (t) => {
  process.env["SUPERTEAM_TEST_SHOWN"] = "shown";
  t.after(() => delete process.env["SUPERTEAM_TEST_SHOWN"]);
  const { wiring, brought } = await given(t);
  let held: Grant = noGrant;
  const ports = await grant(wiring, () => held);
  assert.deepEqual(await effects(ports), ["", "", [], "You are a scout"]);
  held = brought;
  assert.deepEqual(await effects(ports), ["npm test", "shown", ["SUPERTEAM_TEST_SHOWN"], "You are our scout"]);
});

test("the hash covers the whole content, each key and each byte", async (t) => {
  const { wiring, brought } = await given(t);
  const hashes = new Set([brought.hash]);
  const texts = [
    '{"mode":"hotfix"}',
    '{"mode": "hotfix"}',
    '{"review":{"blockOnSeverity":"critical"}}',
    '{"model":"a/b"}',
  ];
  for (const text of texts) {
    await writeFile(join(wiring.root, ".superteam.json"), text);
    hashes.add((await broughtBy(wiring.root, wiring.settings)).hash);
  }
  assert.equal(hashes.size, 1 + texts.length);
});

test("the next agent of the pipeline is started ahead, unless execution.warmSpares is false", async (t) => {
  const { wiring } = await given(t);
  const roles = [
    { name: "scout", access: "read", next: "planner" },
    { name: "planner", access: "write" },
  ] as const;
  const nextIf = async (warmSpares: boolean): Promise<string | undefined> => {
    const config = JSON.stringify({ execution: { warmSpares } });
    const { next } = await grant({ ...wiring, roles }, () => ({ ...noGrant, config }));
    assert.equal(next("planner"), undefined);
    return next("scout");
  };
  assert.deepEqual([await nextIf(true), await nextIf(false)], ["planner", undefined]);
});

test("what a command runs from is looked at in the tree of its place", async (t) => {
  const { wiring } = await given(t);
  const { places } = await grant(wiring, () => noGrant);
  const { checks } = await places.at(startPlace);
  assert.deepEqual((await checks.files("sh ./ci.sh")).names, ["ci.sh"]);
});

test("tests may take as long as testTimeoutMinutes says", async (t) => {
  const { wiring } = await given(t);
  const config = JSON.stringify({ testTimeoutMinutes: 0.01 });
  const { places } = await grant(wiring, () => ({ ...noGrant, config }));
  const { checks } = await places.at(startPlace);
  const run = await checks.run("sleep 60", new AbortController().signal, { tests: true });
  assert.deepEqual([run.timedOut, run.exitCode], [true, null]);
});
