import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { piModels } from "../../../src/adapters/agents/pi/models.ts";
import { writePiHome } from "../../../src/demo/model/pi.ts";
import { piEnv, realPi } from "../../rig/agents/backends.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "superteam-models-"));
});
after(() => rm(folder, { recursive: true, force: true }));

test("the models pi can use are listed as they are asked for", async () => {
  const home = join(folder, "configured");
  await writePiHome(home, "http://127.0.0.1:9", "anthropic");
  const listed = await piModels(await realPi(), piEnv(home), folder);
  assert.deepEqual(listed, { ok: true, models: ["scripted/scripted-model"] });
});

test("a pi without a login or a key has no models", async () => {
  const home = join(folder, "bare");
  await mkdir(home);
  assert.deepEqual(await piModels(await realPi(), piEnv(home), folder), { ok: true, models: [] });
});

test("a pi that takes too long to list its models is said to, with what to do", async () => {
  const slow = { ...(await realPi()), command: process.execPath, args: ["-e", "setTimeout(() => {}, 60_000)", "--"] };
  const listed = await piModels(slow, piEnv(folder), folder, 1000);
  const detail = "pi could not list its models: it took more than 1 seconds. Try again.";
  assert.deepEqual(listed, { ok: false, detail });
});
