// Profiles that a repository contains, as real files in a real tree.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Config } from "../../core/run/config.ts";
import { roleNames } from "../../pipelines/pipelines.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import { profileRoles } from "./profiles.ts";
import { profileLimit, projectProfiles, projectProfilesFolder } from "./project-profiles.ts";

/** A tree with these files in the folder for profiles. */
async function tree(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "superteam-profiles-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, projectProfilesFolder), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, projectProfilesFolder, name), text);
  return root;
}

/** The package's scout under what the tree says of it. */
async function scoutOf(t: TestContext, text: string, config: object = {}) {
  const root = await tree(t, { "scout.md": text });
  const settings = { read: async () => Config.parse(config) };
  const { profiles: overrides } = await projectProfiles(root, roleNames);
  const models = () => ["a/own"];
  const roles = profileRoles({ root, settings, model: null, models, overrides: () => overrides });
  const plain = profileRoles({ root, settings, model: null, models });
  return { scout: await roles.resolve("scout", {}), plain: await plain.resolve("scout", {}) };
}

test("each field of a repository's profile counts instead of the package's, and the others stay", async (t) => {
  const { scout, plain } = await scoutOf(t, "---\nthinking: high\n---\n");
  assert.deepEqual(scout, { ...plain, thinking: "high" });
  const { scout: tools } = await scoutOf(t, "---\ntools: [read]\nmodel: own\n---\n");
  assert.deepEqual(tools, { ...plain, cwd: tools.cwd, capabilities: ["read"], model: "a/own" });
});

test("a body counts instead of the body, with front matter or without", async (t) => {
  const { scout, plain } = await scoutOf(t, "You are our scout.\n");
  assert.deepEqual(scout, { ...plain, system: "You are our scout." });
  const both = await scoutOf(t, "---\nname: scout\ndescription: ours\n---\nYou are ours.");
  assert.equal(both.scout.system, "You are ours.");
});

test("the configuration lies over a repository's profile", async (t) => {
  const config = { agents: { scout: { thinking: "max", tools: ["search"] } } };
  const { scout } = await scoutOf(t, "---\nthinking: high\ntools: read\n---\n", config);
  assert.deepEqual([scout.thinking, scout.capabilities], ["max", ["search"]]);
});

test("without the folder there is nothing, and other roles stay as they are", async (t) => {
  const root = await tree(t, { "scout.md": "Ours." });
  const settings = { read: async () => Config.parse({}) };
  const { profiles: overrides } = await projectProfiles(root, roleNames);
  const roles = profileRoles({ root, settings, model: null, models: () => [], overrides: () => overrides });
  assert.match((await roles.resolve("planner", {})).system, /^You are a planner/);
  await rm(join(root, ".agents"), { recursive: true });
  assert.deepEqual(await projectProfiles(root, roleNames), { profiles: [], ignored: [] });
});

test("a file for a role that does not exist is reported with the roles there are, and other files are let be", async (t) => {
  const root = await tree(t, { "scuot.md": "Ours.", "planner.md": "Ours.", "notes.txt": "Mine." });
  const { profiles, ignored } = await projectProfiles(root, roleNames);
  assert.deepEqual(
    profiles.map(({ role, path }) => [role, path]),
    [["planner", ".agents/superteam/planner.md"]],
  );
  assert.equal(ignored.length, 1);
  assert.match(ignored[0] ?? "", /superteam\/scuot\.md is ignored: there is no role "scuot"\. Roles: scout, /);
});

test("a link is no profile, wherever it leads, and neither is a folder or a very long file", async (t) => {
  const root = await tree(t, { "planner.md": "x".repeat(profileLimit + 1) });
  const secret = join(root, "secret");
  await writeFile(secret, "a key of the person's");
  await symlink(secret, join(root, projectProfilesFolder, "scout.md"));
  await mkdir(join(root, projectProfilesFolder, "architect.md"));
  const { profiles, ignored } = await projectProfiles(root, roleNames);
  assert.deepEqual(profiles, []);
  assert.deepEqual(
    ignored.map((line) => line.split("is ignored: ")[1]),
    ["it is not a plain file.", "it is longer than 32 KB.", "it is not a plain file."],
  );
});

test("a folder that leads out of the tree is not looked into", async (t) => {
  const elsewhere = await tree(t, { "scout.md": "Theirs." });
  const root = await tree(t, {});
  await rm(join(root, projectProfilesFolder), { recursive: true });
  await symlink(join(elsewhere, projectProfilesFolder), join(root, projectProfilesFolder));
  assert.deepEqual(await projectProfiles(root, roleNames), { profiles: [], ignored: [] });
});

test("a broken profile of the repository is refused with its file, what is wrong and what to do", async (t) => {
  for (const [text, words] of [
    ["---\ntolls: read\n---\n", /tolls/],
    ["---\nthinking: deep\n---\n", /thinking/],
    ["---\nname: planner\n---\n", /its name is "planner", not "scout"/],
    ["---\nname: [\n---\n", /not YAML/],
  ] as const) {
    const root = await tree(t, { "scout.md": text });
    await assert.rejects(projectProfiles(root, roleNames), (error: unknown) => {
      assert.ok(error instanceof OutsideFailure);
      assert.equal(error.kind, "role");
      assert.match(error.message, words);
      assert.match(
        error.message,
        /^The profile of scout, \.agents\/superteam\/scout\.md, cannot be used: [\s\S]*Correct or remove it/,
      );
      return true;
    });
  }
});
