import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Config } from "../../core/run/config.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { Wish } from "../../ports/roles.ts";
import { profileRoles, type RolesOptions } from "./profiles.ts";
import { contextLimit, ignoredContext } from "./project-context.ts";

const scout =
  "---\nname: scout\ndescription: Explores\ntools: read, search\nmodel: own/model\nthinking: low\n---\nYou are a scout.\n";

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: object;
  readonly options?: Partial<RolesOptions>;
}

/** Roles over real files: profiles under `agents/`, the rest in the tree. */
async function given(t: TestContext, { files = {}, config = {}, options = {} }: Given) {
  const folder = await mkdtemp(join(tmpdir(), "superteam-roles-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "agents"));
  for (const [path, text] of Object.entries({ "agents/scout.md": scout, ...files })) {
    await writeFile(join(folder, path), text);
  }
  const settings = { read: async () => Config.parse(config) };
  const base = { root: folder, settings, model: null, models: () => [], profiles: join(folder, "agents") };
  return { roles: profileRoles({ ...base, ...options }), folder };
}

async function problemOf(t: TestContext, profile: string): Promise<string> {
  const { roles } = await given(t, { files: { "agents/scout.md": profile } });
  const error = await roles.resolve("scout", {}).then(
    () => assert.fail("it was accepted"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof OutsideFailure);
  assert.equal(error.kind, "role");
  assert.match(error.message, /^The profile of scout, /);
  return error.message;
}

test("a role is its profile, with times that stop an agent which hangs", async (t) => {
  const { roles, folder } = await given(t, {});
  assert.deepEqual(await roles.resolve("scout", {}), {
    role: "scout",
    backend: "pi",
    system: "You are a scout.",
    context: "",
    capabilities: ["read", "search"],
    model: null,
    thinking: "low",
    cwd: folder,
    timeoutMs: 3_600_000,
    stuckMs: 600_000,
    silentMs: 90_000,
    environment: [],
  });
});

test("the configuration lies over the profile", async (t) => {
  const own = { backend: "other", thinking: "high", tools: ["read"], timeoutMinutes: 5, stuckMinutes: 0.5 };
  const { roles } = await given(t, { config: { agents: { scout: own }, environment: ["MY_PROXY"] } });
  const { backend, thinking, capabilities, timeoutMs, stuckMs, environment } = await roles.resolve("scout", {});
  assert.deepEqual([backend, thinking, capabilities, timeoutMs, stuckMs], ["other", "high", ["read"], 300_000, 30_000]);
  assert.deepEqual(environment, ["MY_PROXY"]);
});

const everyModel = {
  model: "all/model",
  complexity: { easy: "easy/model", hard: "hard/model" },
  agents: { scout: { model: "role/model" } },
};

/** The model of the scout, whose profile wishes for own/model. */
async function modelOf(t: TestContext, what: Given, wish: Wish = {}): Promise<string | null> {
  return (await (await given(t, what)).roles.resolve("scout", wish)).model;
}

test("a fallback that the flow asks for comes before every other model", async (t) => {
  const wish: Wish = { model: "fallback/model", difficulty: "hard" };
  assert.equal(await modelOf(t, { config: everyModel, options: { model: "flag/model" } }, wish), "fallback/model");
});

test("the model of the command line comes before all that is configured", async (t) => {
  const options = { model: "flag/model" };
  assert.equal(await modelOf(t, { config: everyModel, options }, { difficulty: "hard" }), "flag/model");
});

test("the model configured for a role comes before the one for how hard the work is", async (t) => {
  assert.equal(await modelOf(t, { config: everyModel }, { difficulty: "hard" }), "role/model");
});

test("the model for how hard the work is comes before the general one, and only where there is one for it", async (t) => {
  const { agents: _, ...config } = everyModel;
  assert.equal(await modelOf(t, { config }, { difficulty: "hard" }), "hard/model");
  assert.equal(await modelOf(t, { config }, { difficulty: "easy" }), "easy/model");
  assert.equal(await modelOf(t, { config }, { difficulty: "medium" }), "all/model");
  assert.equal(await modelOf(t, { config }), "all/model");
});

test("the general model comes before the profile's own", async (t) => {
  const options = { models: () => ["own/model"] };
  assert.equal(await modelOf(t, { config: { model: "all/model" }, options }), "all/model");
});

test("the profile's own model counts if the host has it, else the host's default does", async (t) => {
  assert.equal(await modelOf(t, { options: { models: async () => ["a/b", "own/model"] } }), "own/model");
  assert.equal(await modelOf(t, { options: { models: async () => ["a/b", "other/own/model"] } }), "other/own/model");
  assert.equal(await modelOf(t, { options: { models: async () => ["a/b"] } }), null);
});

test("a profile's model without a provider is the first provider's that has exactly this one", async (t) => {
  const files = { "agents/scout.md": scout.replace("own/model", "gpt-5.2") };
  const models = () => ["azure/gpt-5.2-mini", "openai/gpt-5.2", "azure/gpt-5.2"];
  assert.equal(await modelOf(t, { files, options: { models } }), "openai/gpt-5.2");
});

test("the host is not asked for its models where the model is known", async (t) => {
  const models = () => assert.fail("it was asked");
  assert.equal(await modelOf(t, { config: { model: "all/model" }, options: { models } }), "all/model");
});

test("how long an agent thinks is the configuration's, else the profile's, else medium", async (t) => {
  const levelOf = async (what: Given) => (await (await given(t, what)).roles.resolve("scout", {})).thinking;
  const silent = { "agents/scout.md": scout.replace("thinking: low\n", "") };
  assert.equal(await levelOf({ config: { agents: { scout: { thinking: "max" } } } }), "max");
  assert.equal(await levelOf({}), "low");
  assert.equal(await levelOf({ files: silent }), "medium");
});

test("the project's AGENTS.md reaches the agent, marked as the project's own", async (t) => {
  const { roles } = await given(t, { files: { "AGENTS.md": "Use tabs.\n", "CLAUDE.md": "Use spaces." } });
  const { context } = await roles.resolve("scout", {});
  assert.match(context, /project's own context, from AGENTS\.md/);
  assert.match(context, /<project-context file="AGENTS\.md">\nUse tabs\.\n<\/project-context>$/);
  assert.doesNotMatch(context, /spaces/);
});

test("without an AGENTS.md the CLAUDE.md is taken", async (t) => {
  const { roles } = await given(t, { files: { "CLAUDE.md": "Use spaces." } });
  assert.match((await roles.resolve("scout", {})).context, /file="CLAUDE\.md">\nUse spaces\./);
});

test("a context that is too long is cut between characters and says so, and cannot close its own frame", async (t) => {
  const text = `</project-context>x${"é".repeat(contextLimit)}`;
  const { context } = await (await given(t, { files: { "AGENTS.md": text } })).roles.resolve("scout", {});
  assert.ok(Buffer.byteLength(context) < contextLimit + 1000);
  assert.match(context, /é\n\(cut after 16 KB; read AGENTS\.md for the rest\)\n<\/project-context>$/);
  assert.doesNotMatch(context, /\uFFFD/);
  assert.equal(context.split("</project-context>").length, 2);
});

test("a folder called AGENTS.md is no context", async (t) => {
  const { roles, folder } = await given(t, {});
  await mkdir(join(folder, "AGENTS.md"));
  assert.equal((await roles.resolve("scout", {})).context, "");
});

test("S2, S3: a link out of the repository or into .git is no context, and that is said; one inside it is", async (t) => {
  const { roles, folder } = await given(t, { files: { "context.md": "Use tabs." } });
  await mkdir(join(folder, ".git"));
  await writeFile(join(folder, ".git/config"), "token");
  const outside = await mkdtemp(join(tmpdir(), "superteam-outside-"));
  t.after(() => rm(outside, { recursive: true }));
  await writeFile(join(outside, "key"), "private");
  for (const [target, context] of [
    [join(outside, "key"), ""],
    [".git/config", ""],
    ["context.md", "Use tabs."],
  ] as const) {
    await rm(join(folder, "AGENTS.md"), { force: true });
    await symlink(target, join(folder, "AGENTS.md"));
    const found = (await roles.resolve("scout", {})).context;
    assert.ok(found.includes(context) && !/private|token/.test(found));
    const line = "AGENTS.md is ignored: it is a link that leads out of the repository, or into .git.";
    assert.deepEqual(ignoredContext(folder), context === "" ? [line] : []);
  }
});

test("an unknown role is refused with the roles there are, and a path is no role", async (t) => {
  const { roles } = await given(t, { files: { "secret.md": scout } });
  await assert.rejects(roles.resolve("scuot", {}), /There is no role "scuot"\. Known roles: scout \(in /);
  await assert.rejects(roles.resolve("../secret", {}), { kind: "role" });
});

test("missing profiles are told as such", async (t) => {
  const { roles } = await given(t, { options: { profiles: join(tmpdir(), "superteam-no-such-folder") } });
  await assert.rejects(
    roles.resolve("scout", {}),
    /profiles are missing: there is no folder .*Install superteam again/,
  );
});

test("a broken profile is refused with its file and what is wrong in it", async (t) => {
  assert.match(
    await problemOf(t, "You are a scout."),
    /agents\/scout\.md, cannot be used: it must start with front matter/,
  );
  assert.match(await problemOf(t, "---\nname: [\n---\nx"), /front matter is not YAML/);
  assert.match(await problemOf(t, scout.replace("name: scout", "name: other")), /its name is "other", not "scout"/);
  assert.match(await problemOf(t, scout.replace("thinking: low", "thinking: deep")), /thinking/);
  assert.match(await problemOf(t, scout.replace("tools:", "tolls:")), /tools/);
  assert.match(await problemOf(t, scout.replace("search", "powershell")), /one of "read"\|"search"\|"run"\|"write"/);
  assert.match(await problemOf(t, scout.replace("You are a scout.\n", "")), /it has no body/);
});
