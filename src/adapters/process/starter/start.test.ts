// Processes that are started by the small process instead of by this one.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../test/rig/until.ts";
import { launch, type Running } from "../launch.ts";
import { birthOf, processTable } from "../table.ts";
import { restStarter } from "./start.ts";

const skip = process.platform === "linux" ? false : "elsewhere every process is started without it";
let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "superteam-start-"));
});
after(() => rm(folder, { recursive: true, force: true }));

// One after the other: they share the starter, and one of them ends it.
suite("a process that starts many", { skip, timeout: 120_000 }, () => {
  beforeEach(async () => {
    for (let parent: number | undefined = process.pid; parent === undefined || parent === process.pid; ) {
      const running = await sh("cat");
      parent = await parentOf(running);
      await running.end();
    }
  });

  test("gives each its input, output, surroundings and folder, and learns how it ended", async () => {
    const running = await sh('pwd; env; cat; echo "$0" >&2; exit 3', { OWN: "ä 'x'" });
    running.stdin.end("a prompt");
    const [out, said, exit] = await Promise.all([text(running.stdout), text(running.stderr), running.exit]);
    assert.deepEqual([said, exit], ["sh\n", { how: "exited", code: 3 }]);
    const lines = out.split("\n");
    assert.equal(lines[0], folder);
    assert.equal(lines.at(-1), "a prompt");
    const names = lines.slice(1, -1).map((line) => line.split("=")[0]);
    assert.deepEqual(
      names.sort().filter((name) => name !== "_" && name !== "PWD" && name !== "SHLVL" && name !== "OLDPWD"),
      ["OWN", "PATH", "SUPERTEAM_TAG"],
    );
    assert.ok(lines.includes("OWN=ä 'x'"));
    assert.deepEqual(await running.end(), []);
  });

  test("keeps what a quick one said, and knows its birth", async () => {
    const running = await sh("echo quick");
    await running.exit;
    assert.equal(await text(running.stdout), "quick\n");
    assert.notEqual(running.mark.birth, "");
    await running.end();
  });

  test("learns of a signal, ends what a process left, and is told of a command that does not exist", async () => {
    const running = await sh("setsid sleep 300 > /dev/null 2>&1 & echo $!; kill -9 $$");
    const left = Number((await text(running.stdout)).trim());
    assert.deepEqual(await running.exit, { how: "killed", signal: "SIGKILL" });
    assert.deepEqual(await running.end(), []);
    assert.equal(await birthOf(left), "");
    const missing = await launch({ command: join(folder, "none"), args: [], cwd: folder, env: {} });
    assert.match(missing.ok ? "" : missing.detail, /ENOENT/);
  });

  test("keeps what quick ones say when the starter rests at once after them", async () => {
    const quick = Array.from({ length: 4 }, () => sh("echo quick"));
    // They have ended before superteam looks at anything that they or the starter sent.
    await new Promise(setImmediate);
    execFileSync("sleep", ["0.2"]);
    const resting = setInterval(restStarter);
    const said = await Promise.all(quick.map(async (running) => text((await running).stdout)));
    clearInterval(resting);
    assert.deepEqual(said, Array(4).fill("quick\n"));
    for (const running of quick) await (await running).end();
  });

  test("keeps no connection when it rests, not even those for a next process", async () => {
    const sockets = (): number =>
      readdirSync("/proc/self/fd").filter((name) => linkOf(`/proc/self/fd/${name}`).startsWith("socket:")).length;
    const rested = async (): Promise<void> => {
      let parent: number | undefined;
      while (parent === undefined || parent === process.pid) {
        const running = await sh("cat");
        parent = await parentOf(running);
        await running.end();
        for (const end of [running.stdin, running.stdout, running.stderr]) end.destroy();
      }
      const starter = parent;
      await until(async () => {
        restStarter();
        return (await birthOf(starter)) === "";
      });
    };
    await rested();
    // Some may still be closing.
    const once = sockets();
    for (let times = 0; times < 4; times++) await rested();
    await until(() => sockets() <= once);
  });

  test("E8: counts what runs as killed when its starter is, ends it, and starts the next ones in another way", async () => {
    const running = await sh("exec sleep 300");
    const starter = (await parentOf(running)) ?? assert.fail();
    process.kill(starter, "SIGKILL");
    assert.deepEqual(await running.exit, { how: "killed", signal: "SIGKILL" });
    assert.notEqual(await birthOf(running.mark.pid), "");
    assert.deepEqual(await running.end(), []);
    assert.equal(await birthOf(running.mark.pid), "");
    const next = await sh("echo next");
    assert.equal(await text(next.stdout), "next\n");
    await next.end();
  });

  test("starts the first ones itself, and leaves neither starter nor folder, killed or at its end", async () => {
    const [module, own] = [fileURLToPath(new URL("../launch.ts", import.meta.url)), join(folder, "own")];
    const program = `
      const { launch } = await import(${JSON.stringify(module)});
      const { mkdirSync, readFileSync } = await import("node:fs");
      mkdirSync(process.env.TMPDIR, { recursive: true });
      for (let [parent, count] = [undefined, 0]; parent === undefined || parent === process.pid; count++) {
        const { running } = await launch({ command: "/bin/cat", args: [], cwd: "/", env: {} });
        parent = Number(readFileSync("/proc/" + running.mark.pid + "/stat", "latin1").split(" ")[3]);
        running.stdin.end();
        await running.end();
        if (parent !== process.pid) process.stdout.write(count + " " + parent);
      }
      if (process.argv[1] === "wait") setInterval(() => undefined, 1000);`;
    for (const how of ["wait", "leave"]) {
      const args = ["--input-type=module", "-e", program, how];
      const child = spawn(process.execPath, args, {
        env: { ...process.env, TMPDIR: own },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const said = String(await new Promise<Buffer>((resolve) => child.stdout.once("data", resolve)));
      const [first = 0, starter = 0] = said.split(" ").map(Number);
      assert.ok(first >= 8 && starter > 0, said);
      if (how === "wait") child.kill("SIGKILL");
      await until(async () => (await birthOf(starter)) === "" && (await birthOf(child.pid ?? 0)) === "");
      await until(async () => !existsSync(own) || (await readdir(own)).length === 0);
    }
  });
});

async function sh(script: string, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const order = { command: "/bin/sh", args: ["-c", script, "sh"], cwd: folder };
  const launched = await launch({ ...order, env: { PATH: process.env["PATH"] ?? "", ...env } });
  assert.ok(launched.ok);
  return launched.running;
}

/** Empty where it is closed by now. */
function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return "";
  }
}

async function parentOf({ mark }: Running): Promise<number | undefined> {
  return (await processTable()).find(({ pid }) => pid === mark.pid)?.parent;
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
