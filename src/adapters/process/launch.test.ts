import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { pidIn, until } from "../../../test/rig/until.ts";
import { allowedEnvironment } from "./environment.ts";
import { goneAt, untaggedFile } from "./gone.ts";
import { launch, type Running } from "./launch.ts";
import { straysIn } from "./strays.ts";
import { birthOf, isTableCheap, nameOf, processTable } from "./table.ts";
import { endTree, treeIsAlive } from "./tree.ts";

const skip = isTableCheap ? false : "there is no /proc";
let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "superteam-process-"));
});
after(() => rm(folder, { recursive: true, force: true }));

test("a process that has ended left its output, its exit code and the note that it is gone", async () => {
  const running = await sh('printf "%s" "said:$HOME"; exit 3');
  running.claim(folder);
  const output = await text(running);
  assert.deepEqual(await running.exit, { how: "exited", code: 3 });
  assert.equal(await goneAt(folder), null);
  assert.deepEqual(await running.end(), []);
  assert.equal(output, "said:");
  assert.ok(Math.abs(((await goneAt(folder)) ?? 0) - Date.now()) < 60_000);
});

test("what a quick process said is kept until somebody listens", async () => {
  const running = await sh("echo quick");
  await running.exit;
  await pause(50);
  assert.equal(await text(running), "quick\n");
  await running.end();
});

test("a command that does not exist is told, not thrown", async () => {
  const launched = await launch({ command: join(folder, "none"), args: [], cwd: folder, env: {} });
  assert.equal(launched.ok, false);
});

test("a process that ignores SIGTERM is killed, with its children and what they left in other sessions", async () => {
  const [child, stray, bare] = ["child", "stray", "bare"].map((name) => join(folder, name));
  const script = `
    trap '' TERM
    sh -c 'echo $$ > ${child}; trap "" TERM; while :; do sleep 1; done' &
    setsid sh -c 'echo $$ > ${stray}; trap "" TERM; exec sleep 300' &
    setsid env -i sh -c 'echo $$ > ${bare}; exec sleep 300' &
    while :; do sleep 1; done`;
  const running = await sh(script);
  const pids = await Promise.all([child, stray, bare].map((file) => pidIn(String(file))));
  assert.deepEqual(await endTree(running.mark, { graceMs: 300, giveUpMs: 10_000 }), []);
  assert.deepEqual(await Promise.all(pids.map(birthOf)), ["", "", ""]);
  assert.deepEqual(await running.exit, { how: "killed", signal: "SIGKILL" });
});

test("a process that has ended is not confused with a later one of the same pid", async () => {
  const bystander = await sh("exec sleep 300");
  const mark = { ...bystander.mark, birth: "1", tag: "00000000-0000-0000-0000-000000000000" };
  assert.equal(await treeIsAlive(mark), false);
  assert.deepEqual(await endTree(mark), []);
  assert.equal(await treeIsAlive(bystander.mark), true);
  await bystander.end();
  assert.equal(await treeIsAlive(bystander.mark), false);
});

test("a mark without a birth is not taken for another process of that pid", async () => {
  const bystander = await sh("exec sleep 300");
  const other = { ...bystander.mark, birth: "", tag: "00000000-0000-0000-0000-000000000000" };
  assert.equal(await treeIsAlive(other), false);
  assert.equal(await treeIsAlive({ ...bystander.mark, birth: "" }), true);
  await bystander.end();
});

test("nothing survives a boot", async () => {
  const bystander = await sh("exec sleep 300");
  const before = bystander.mark.birth.replace(/@.*/, "@another-boot");
  assert.equal(await treeIsAlive({ ...bystander.mark, birth: before }), false);
  await bystander.end();
});

test("a process that has ended before it was looked at has a birth all the same", async () => {
  const running = await sh("exit 0");
  await running.exit;
  assert.notEqual(running.mark.birth, "");
  await running.end();
});

test("a superteam inside an agent adds its tag to the outer one", async () => {
  const program = `
    const { launch } = await import(${JSON.stringify(fileURLToPath(new URL("./launch.ts", import.meta.url)))});
    const order = { command: "/bin/sh", args: ["-c", "echo $SUPERTEAM_TAG"], cwd: "/", env: {} };
    const { running } = await launch(order);
    running.stdout.pipe(process.stdout);
    await running.exit;
    await running.end();`;
  const running = await sh('exec "$0" --input-type=module -e "$1"', process.execPath, program);
  assert.match(await text(running), new RegExp(`(?:^|:)${running.mark.tag}:[0-9a-f-]{36}\n$`));
  await running.end();
});

test("what an ended process left behind is found by its tag alone", async () => {
  const file = join(folder, "left");
  const running = await sh(`setsid sh -c 'echo $$ > ${file}; exec sleep 300' & exit 0`);
  const pid = await pidIn(file);
  await running.exit;
  assert.equal(await treeIsAlive(running.mark), true);
  assert.deepEqual(await running.end(), []);
  assert.equal(await birthOf(pid), "");
});

test("one that is between two programs has no tag to read, and is found", { skip }, async () => {
  const [program, file] = [join(folder, "again"), join(folder, "again.pid")];
  await writeFile(program, '#!/bin/sh\nexec "$0"\n', { mode: 0o755 });
  const running = await sh(`setsid ${program} & echo $! > ${file}; exit 0`);
  const pid = await pidIn(file);
  await running.exit;
  for (let look = 0; look < 200; look++) assert.equal(await treeIsAlive(running.mark), true);
  assert.deepEqual(await running.end(), []);
  assert.equal(await birthOf(pid), "");
});

test("W5: a daemon that left its session, environment and parent behind is found and ended", async () => {
  const file = join(folder, "daemon");
  // Its parent lives as long as an ordinary command does, and is gone before the agent is.
  const daemon = `sh -c 'echo $$ > ${file}; exec sleep 300' & sleep 1`;
  const running = await sh(`env -i setsid sh -c "${daemon.replaceAll("$$", "\\$\\$")}"; exit 0`);
  const pid = await pidIn(file);
  await running.exit;
  assert.notEqual(await birthOf(pid), "");
  assert.deepEqual(await running.end(), []);
  assert.equal(await birthOf(pid), "");
});

test("W5: a daemon of a process that was started ahead is noted when a dispatch takes the process", {
  skip,
}, async () => {
  const own = await mkdtemp(join(folder, "ahead-"));
  const file = join(own, "daemon");
  const daemon = `sh -c 'echo $$ > ${file}; exec sleep 300' & sleep 1`;
  const running = await sh(`env -i setsid sh -c "${daemon.replaceAll("$$", "\\$\\$")}"; exec sleep 300`);
  const pid = await pidIn(file);
  const parentOf = async () => (await processTable()).find((row) => row.pid === pid)?.parent;
  const first = await parentOf();
  await until(async () => (await parentOf()) !== first);
  running.claim(own);
  assert.deepEqual(await running.end(), []);
  assert.match(await readFile(untaggedFile(own), "utf8"), new RegExp(`^${pid} `, "m"));
});

test("W5: a daemon whose parent was gone before anybody looked is named, and not ended: it may be the person's", async (t) => {
  const { running, pid } = await strayed();
  t.after(() => process.kill(pid, "SIGKILL"));
  await until(() => nameOf(pid) === "sleep");
  assert.deepEqual(await running.strays(), [{ pid, name: "sleep" }]);
  const rows = await processTable();
  assert.deepEqual(straysIn(rows, running.mark, "/elsewhere"), [], "it is not in the folder of such an agent");
  const later = { ...running.mark, birth: `${Number.parseInt(await birthOf(pid), 10) + 1}@` };
  assert.deepEqual(straysIn(rows, later, folder), [], "an agent that started later has nothing to do with it");
});

/** One that is seen before its parent is gone is ended, as it should be: then another one is tried. */
async function strayed() {
  for (let number = 1; ; number++) {
    const file = join(folder, `stray-${number}`);
    const script = `echo $$ > ${file}; exec sleep 300`;
    const running = await sh(`env -i setsid sh -c '${script}' > /dev/null 2>&1 & exit 0`);
    const pid = await pidIn(file);
    await running.exit;
    assert.deepEqual(await running.end(), []);
    if ((await birthOf(pid)) !== "") return { running, pid };
    assert.ok(number < 20, "each was seen in time");
  }
}

test("a child sees what a shell needs and what is named, and nothing else", () => {
  const source = {
    PATH: "/bin",
    LC_TIME: "C",
    XDG_DATA_HOME: "/x",
    MY_PROXY: "p",
    AWS_SECRET: "s",
    npm_lifecycle: "x",
  };
  assert.deepEqual(allowedEnvironment(source, ["MY_PROXY"]), {
    PATH: "/bin",
    LC_TIME: "C",
    XDG_DATA_HOME: "/x",
    MY_PROXY: "p",
  });
});

async function sh(script: string, ...args: readonly string[]): Promise<Running> {
  const launched = await launch({
    command: "/bin/sh",
    args: ["-c", script, ...args],
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
  });
  assert.ok(launched.ok);
  return launched.running;
}

async function text(running: Running): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of running.stdout) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
