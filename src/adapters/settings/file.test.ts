import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { roleNames } from "../../pipelines/pipelines.ts";
import type { Flags } from "../../ports/settings.ts";
import { globalConfigFile, settings } from "./file.ts";
import { type ConfigFault, ConfigProblem } from "./problem.ts";

interface Files {
  readonly tree?: unknown;
  readonly global?: unknown;
  readonly flags?: Flags;
}

/** Writes the files for real; a string is written as it is. */
async function given(t: TestContext, { tree, global, flags = {} }: Files) {
  const folder = await mkdtemp(join(tmpdir(), "superteam-settings-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const globalFile = join(folder, "config.json");
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  if (tree !== undefined) await writeFile(join(folder, ".superteam.json"), text(tree));
  if (global !== undefined) await writeFile(globalFile, text(global));
  return { settings: settings({ root: folder, roles: roleNames, flags, globalFile }), folder, globalFile };
}

async function problems(t: TestContext, files: Files): Promise<readonly ConfigFault[]> {
  const { settings, globalFile } = await given(t, files);
  const error = await settings.read().then(
    () => assert.fail("it was accepted"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConfigProblem);
  return error.problems.map((problem) => (problem.file === globalFile ? { ...problem, file: "global" } : problem));
}

test("without any file the defaults hold", async (t) => {
  const config = await (await given(t, {})).settings.read();
  assert.equal(config.backend, "pi");
  assert.equal(config.review.maxTaskReviewCycles, undefined, "the mode says how many");
  assert.equal(config.mode, undefined, "the scout proposes it");
  assert.equal(config.documents.commit, undefined, "so does the mode");
  const limits = { warnAtUsd: 5, hardLimitUsd: 20, unpricedTokens: 5_000_000, unpricedDispatches: 200 };
  assert.deepEqual(config.costs, limits, "the budget is on by default");
});

test("the tree's file lies over the global one key by key, and the command line over both", async (t) => {
  const files = {
    global: {
      model: "a/global",
      review: { blockOnSeverity: "low" },
      agents: { scout: { thinking: "low" } },
      environment: ["A"],
    },
    tree: {
      model: "a/tree",
      review: { maxTaskReviewCycles: 5 },
      agents: { scout: { model: "b/x" } },
      environment: ["B"],
    },
  };
  const config = await (await given(t, files)).settings.read();
  assert.equal(config.model, "a/tree");
  assert.equal(config.review.blockOnSeverity, "low");
  assert.equal(config.review.maxTaskReviewCycles, 5);
  assert.deepEqual(config.agents, { scout: { thinking: "low", model: "b/x" } });
  assert.deepEqual(config.environment, ["B"]);
  const flagged = await (await given(t, { ...files, flags: { model: "a/flag" } })).settings.read();
  assert.equal(flagged.model, "a/flag");
});

test("a change in the file is seen at the next read", async (t) => {
  const { settings, folder } = await given(t, { tree: { model: "a/one" } });
  assert.equal((await settings.read()).model, "a/one");
  await writeFile(join(folder, ".superteam.json"), '{"model":"a/two"}');
  assert.equal((await settings.read()).model, "a/two");
});

test("each wrong value is named with its file, its place and what is allowed", async (t) => {
  const found = await problems(t, {
    global: { agents: { scout: { thinking: "lots" } }, validationCommand: 5 },
    tree: { review: { blockOnSeverity: "severe", maxTaskReviewCycles: 99 }, environment: ["A B"], documents: 1 },
    flags: { model: "" },
  });
  const lines = found.map(({ file, place, what }) => `${file} | ${place} | ${what}`).toSorted();
  assert.deepEqual(lines, [
    ".superteam.json | documents | 1 is not an object: { ... }",
    '.superteam.json | environment[0] | "A B" is not the name of a variable',
    '.superteam.json | review.blockOnSeverity | "severe" is not allowed; allowed: low, medium, high, critical',
    ".superteam.json | review.maxTaskReviewCycles | 99 is too big; allowed: at most 20",
    'global | agents.scout.thinking | "lots" is not allowed; allowed: off, minimal, low, medium, high, xhigh, max',
    'global | validationCommand | 5 is not a text in "double quotes"',
    'the command line | model | "" is too small; allowed: at least 1 characters',
  ]);
});

test("an amount of money that is none is refused with what is meant", async (t) => {
  const found = await problems(t, {
    global: { costs: { hardLimitUsd: 0, unpricedTokens: 0.5, unpricedDispatches: -1 } },
    tree: { costs: { warnAtUsd: "$5" }, budgetCheckpointUsd: -3 },
    flags: { costs: { hardLimitUsd: 1e9 } },
  });
  const lines = found.map(({ file, place, what }) => `${file} | ${place} | ${what}`).toSorted();
  assert.deepEqual(lines, [
    ".superteam.json | budgetCheckpointUsd | -3 is too small; allowed: more than 0",
    '.superteam.json | costs.warnAtUsd | "$5" must be a number of dollars such as 20, without quotes and currency',
    "global | costs.hardLimitUsd | 0 is too small; allowed: more than 0",
    "global | costs.unpricedDispatches | -1 is too small; allowed: more than 0",
    "global | costs.unpricedTokens | 0.5 is not a whole number",
    "the command line | costs.hardLimitUsd | 1000000000 is too big; allowed: at most 100000",
  ]);
  const [zero] = await problems(t, { tree: { costs: { hardLimitUsd: 0 } } });
  assert.equal(zero?.what, "0 is too small; allowed: more than 0");
});

test("a tool that is no capability is refused with the words there are", async (t) => {
  const [found] = await problems(t, { tree: { agents: { scout: { tools: ["read", "powershell"] } } } });
  assert.deepEqual(
    [found?.place, found?.what],
    ["agents.scout.tools[1]", '"powershell" is not allowed; allowed: read, search, run, write'],
  );
});

test("an unknown key is named with its place, its file and the key it was probably meant to be", async (t) => {
  const found = await problems(t, {
    global: { modle: "x" },
    tree: { review: { blockOnSeverty: "low" }, agents: { scuot: {} }, zzz: 1 },
  });
  const by = (place: string) => found.find((problem) => problem.place === place);
  assert.equal(by("modle")?.file, "global");
  assert.match(by("modle")?.what ?? "", /no such key; did you mean model\? known here: backend, model, /);
  assert.equal(by("review.blockOnSeverty")?.file, ".superteam.json");
  assert.match(by("review.blockOnSeverty")?.what ?? "", /did you mean blockOnSeverity\?/);
  assert.match(by("agents.scuot")?.what ?? "", /did you mean scout\? known here: scout, brainstormer/);
  assert.match(by("zzz")?.what ?? "", /no such key; known here/);
});

test("a file that is not JSON is named with line and column, and both files are told at once", async (t) => {
  const found = await problems(t, { tree: '{\n  "model": x\n}', global: "[1]" });
  assert.deepEqual(found, [
    { file: "global", place: "", what: "must be an object: { ... }" },
    { file: ".superteam.json", place: "line 2, column 12", what: 'a value is expected, not "x"' },
  ]);
});

test("a file that cannot be read is a problem, not an empty configuration", async (t) => {
  const { folder, settings } = await given(t, {});
  await mkdir(join(folder, ".superteam.json"));
  await assert.rejects(settings.read(), (error: unknown) => {
    assert.ok(error instanceof ConfigProblem);
    assert.match(error.message, /\.superteam\.json: cannot be read: .*\n.*run the command again/);
    return true;
  });
});

test("a byte order mark does no harm", async (t) => {
  const { settings } = await given(t, { tree: '\uFEFF{"model":"a/b"}' });
  assert.equal((await settings.read()).model, "a/b");
});

test("the global file is in the person's config folder", () => {
  assert.equal(globalConfigFile({ XDG_CONFIG_HOME: "/cfg", HOME: "/home/me" }), "/cfg/superteam/config.json");
  assert.equal(globalConfigFile({ HOME: "/home/me" }), "/home/me/.config/superteam/config.json");
  assert.equal(
    globalConfigFile({ XDG_CONFIG_HOME: "cfg", HOME: "/home/me" }),
    "/home/me/.config/superteam/config.json",
  );
});

const own = { model: "a/tree", mode: "hotfix", validationCommand: "", review: { blockOnSeverity: "critical" } };
const text = JSON.stringify(own);

test("without the tree's text nothing of its file takes effect, and the person's own settings hold", async (t) => {
  const global = { validationCommand: "mine", model: "b/mine" };
  const { settings } = await given(t, { tree: own, global });
  assert.equal(await settings.text(), text);
  const config = await settings.holding(() => null).read();
  assert.deepEqual([config.model, config.mode, config.validationCommand], ["b/mine", undefined, "mine"]);
  assert.equal(config.review.blockOnSeverity, undefined);
  assert.equal(await (await given(t, {})).settings.text(), null);
});

test("a text that is held stays as it was, whatever becomes of the file", async (t) => {
  const { settings, folder } = await given(t, { tree: own });
  const held = settings.holding(() => text);
  await writeFile(join(folder, ".superteam.json"), JSON.stringify({ model: "c/other" }));
  assert.equal((await held.read()).model, "a/tree");
  assert.equal((await settings.read()).model, "c/other");
});

test("what one text changes against another is told key by key, with what the person's own file and the flags leave of it", async (t) => {
  const tree = { ...own, costs: { hardLimitUsd: 500 }, agents: { scout: { tools: ["run"] } } };
  const flags = { costs: { hardLimitUsd: 7 } };
  const { settings } = await given(t, { tree, global: { validationCommand: "mine" }, flags });
  assert.deepEqual(await settings.changes(null, await settings.text()), [
    { path: "model", from: undefined, to: "a/tree" },
    { path: "mode", from: undefined, to: "hotfix" },
    { path: "agents.scout.tools", from: undefined, to: ["run"] },
    { path: "review.blockOnSeverity", from: undefined, to: "critical" },
    { path: "validationCommand", from: "mine", to: "" },
  ]);
  assert.deepEqual(await settings.changes(text, JSON.stringify({ ...own, mode: undefined })), [
    { path: "mode", from: "hotfix", to: undefined },
  ]);
  assert.deepEqual(await settings.changes(null, JSON.stringify({ tdd: "required", review: {} })), []);
});

test("a held text that makes no sense is a problem of its file", async (t) => {
  const { settings } = await given(t, {});
  const held = settings.holding(() => JSON.stringify({ validationCommand: 5 }));
  await assert.rejects(held.read(), /\.superteam\.json: validationCommand: 5 is not a text/);
});

for (const key of ["costs", "review", "execution"]) {
  for (const value of [0, "5", null, []]) {
    test(`what another source says of ${key} does not hide that it is ${JSON.stringify(value)} in one`, async (t) => {
      const flags = { costs: { hardLimitUsd: 3 }, review: {}, execution: {} };
      const global = { costs: { hardLimitUsd: 1 }, review: { order: "parallel" }, execution: { mode: "auto" } };
      const found = await problems(t, { global, tree: { [key]: value }, flags });
      assert.deepEqual(
        found.map(({ file, place }) => [file, place]),
        [[".superteam.json", key]],
      );
    });
  }
}

test("S2: the person's own file counts as it was first read, and what has changed in it is said", async (t) => {
  const { settings, globalFile } = await given(t, { global: { validationCommand: "npm test" } });
  assert.equal(await settings.ownChange(), undefined);
  const tree = JSON.stringify({ model: "a/b" });
  await writeFile(globalFile, JSON.stringify({ validationCommand: "true" }));
  assert.equal((await settings.read()).validationCommand, "npm test");
  assert.equal((await settings.holding(() => tree).read()).validationCommand, "npm test");
  const changes = [{ path: "validationCommand", from: "npm test", to: "true" }];
  assert.deepEqual(await settings.ownChange(), { file: globalFile, changes });
  await writeFile(globalFile, "no json");
  assert.equal((await settings.read()).validationCommand, "npm test");
  assert.match((await settings.ownChange())?.problem ?? "", /config\.json/);
  await writeFile(globalFile, JSON.stringify({ validationCommand: "npm test", mode: undefined }, null, 2));
  assert.equal(await settings.ownChange(), undefined, "only written otherwise");
});
