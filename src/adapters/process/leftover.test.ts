import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, realpath, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { pidIn, until } from "../../../test/rig/until.ts";
import type { ProcessMark } from "../../ports/agents.ts";
import { goneAt, goneFile, untaggedFile } from "./gone.ts";
import { endLeftover } from "./leftover.ts";
import { birthOf, isTableCheap, nameOf } from "./table.ts";

const skip = isTableCheap ? false : "there is no /proc";
const launcher = fileURLToPath(new URL("./launch.ts", import.meta.url));

/** A superteam that launches this script in a folder of its own, and is killed at a word. */
async function killedHost(t: TestContext, script: string) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "superteam-leftover-")));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const order = { command: "/bin/sh", args: ["-c", script], cwd: folder, env: { PATH: process.env["PATH"] ?? "" } };
  const code = `
    const { launch } = await import(${JSON.stringify(launcher)});
    const { running } = await launch(${JSON.stringify(order)});
    running.claim(${JSON.stringify(folder)});
    process.getBuiltinModule("fs").writeFileSync(${JSON.stringify(join(folder, "mark"))}, JSON.stringify(running.mark));
    setInterval(() => undefined, 1000);`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "ignore" });
  t.after(() => host.kill("SIGKILL"));
  const textOf = (name: string): Promise<string> => readFile(join(folder, name), "utf8").catch(() => "");
  const kill = async (): Promise<ProcessMark> => {
    await until(async () => (await textOf("mark")).endsWith("}"));
    host.kill("SIGKILL");
    await until(async () => (await goneAt(folder)) !== null);
    return JSON.parse(await textOf("mark")) as ProcessMark;
  };
  return { folder, kill, textOf };
}

test("W5: a daemon that was seen with its parent is ended when superteam was killed meanwhile", { skip }, async (t) => {
  const daemon = "sh -c 'echo \\$\\$ > daemon; exec sleep 300' & sleep 1";
  const { folder, kill, textOf } = await killedHost(t, `env -i setsid sh -c "${daemon}"; exec sleep 300`);
  const pid = await pidIn(join(folder, "daemon"));
  t.after(async () => (await birthOf(pid)) !== "" && process.kill(pid, "SIGKILL"));
  await until(async () => (await textOf("untagged")).includes(`${pid} `));
  const mark = await kill();
  assert.notEqual(await birthOf(pid), "", "the watchdog does not know of it");
  assert.deepEqual(await endLeftover(mark, { folder, cwd: folder }), { wasAlive: true, strays: [] });
  assert.equal(await birthOf(pid), "");
});

test("W5: one that nobody saw is named, unless it started when the agent was gone", { skip }, async (t) => {
  const { folder, kill } = await killedHost(t, "exec sleep 300");
  const mark = await kill();
  const file = join(folder, "stray");
  spawn("/bin/sh", ["-c", `env -i setsid sh -c 'echo $$ > ${file}; exec sleep 300' & exit 0`], {
    cwd: folder,
    stdio: "ignore",
  });
  const pid = await pidIn(file);
  t.after(() => process.kill(pid, "SIGKILL"));
  await until(() => nameOf(pid) === "sleep");
  const gone = async (secondsAgo: number) => {
    const time = Date.now() / 1000 - secondsAgo;
    await utimes(goneFile(folder), time, time);
    return await endLeftover(mark, { folder, cwd: folder });
  };
  assert.deepEqual(await gone(60), { wasAlive: false, strays: [] });
  const { wasAlive, strays } = await gone(-1);
  assert.equal(wasAlive, false);
  assert.match(strays.join("\n"), new RegExp(`^Process ${pid} \\(sleep\\) .*kill ${pid}$`));
  assert.deepEqual((await endLeftover(mark, { folder, cwd: "/elsewhere" })).strays, []);
  assert.notEqual(await birthOf(pid), "", "it may be the person's");
});

test("W5: another process that has a noted number by now is not ended", { skip }, async (t) => {
  const { folder, kill } = await killedHost(t, "exec sleep 300");
  const mark = await kill();
  const other = spawn("sleep", ["300"], { stdio: "ignore" });
  t.after(() => other.kill("SIGKILL"));
  const pid = other.pid ?? 0;
  const birth = await birthOf(pid);
  await writeFile(untaggedFile(folder), `${pid} ${Number.parseInt(birth, 10) - 1}@${birth.split("@")[1]}\n${pid}\n`);
  assert.deepEqual(await endLeftover(mark, { folder, cwd: folder }), { wasAlive: false, strays: [] });
  assert.equal(await birthOf(pid), birth);
});
