import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { cannotMount, fill, mountSmallDisk, unmount } from "../../../test/rig/cli/mounts.ts";
import { until } from "../../../test/rig/until.ts";
import { runShort, type ShortCommand } from "./short-commands.ts";

const environment = { PATH: process.env["PATH"] ?? "" };

const run = async (words: readonly string[], more: Partial<ShortCommand> = {}) => {
  const { code, out, said } = (await runShort({ words, environment, variables: {}, ...more })) ?? assert.fail();
  return { code, out: out.toString(), said: said.toString() };
};

test("a command gets its words, input and variables as they are, and gives what it wrote and its code", async () => {
  const odd = ["it's", "", '$HOME `id` \\ "', "two\nlines", "-n", "ä €"];
  assert.deepEqual((await run(["printf", "%s|", ...odd])).out, odd.map((word) => `${word}|`).join(""));
  const bytes = Buffer.from([0, 255, 10, 39, 0]);
  assert.deepEqual((await runShort({ words: ["cat"], environment, variables: {}, input: bytes }))?.out, bytes);
  const shell = ["sh", "-c", 'echo "$ODD"; echo trouble >&2; exit 3'];
  assert.deepEqual(await run(shell, { variables: { ODD: "a 'b'" } }), { code: 3, out: "a 'b'\n", said: "trouble\n" });
  assert.equal((await run(["sh", "-c", 'echo "$ODD"'])).out, "\n");
});

test("stdin is empty without input, and a missing program gives code 127", async () => {
  assert.deepEqual(await run(["cat"]), { code: 0, out: "", said: "" });
  assert.equal((await run(["no-such-program-anywhere"])).code, 127);
  await assert.rejects(run(["printf", "a\0b"]), /zero byte/);
  assert.equal((await run(["echo", "still there"])).out, "still there\n");
});

test("a command that may write so much and no more is ended there, and its code is kept", async () => {
  const forever = ["sh", "-c", "while echo 12345678; do :; done 2>/dev/null; exit 7"];
  assert.deepEqual((await run(forever, { limit: 20 })).out, "12345678\n12345678\n12");
  const failing = ["sh", "-c", "echo little; echo trouble >&2; exit 3"];
  assert.deepEqual(await run(failing, { limit: 20 }), { code: 3, out: "little\n", said: "trouble\n" });
  assert.equal((await run(["no-such-program-anywhere"], { limit: 20 })).code, 127);
});

test("each environment is its own, also when there are more of them than shells", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `number ${index}`);
  const outs = await Promise.all(
    names.map((NAME) => run(["sh", "-c", 'echo "$NAME"'], { environment: { ...environment, NAME } })),
  );
  assert.deepEqual(
    outs.map(({ out }) => out.trim()),
    names,
  );
});

test("where the input cannot be written, the command is left to the caller and never runs", async (t) => {
  const tmp = process.env["TMPDIR"];
  const folder = mkdtempSync(join(tmpdir(), "short-commands-"));
  t.after(() => {
    if (tmp === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = tmp;
    rmSync(folder, { recursive: true, force: true });
  });
  process.env["TMPDIR"] = folder;
  const apart = { ...environment, APART: "1" };
  assert.equal((await runShort({ words: ["true"], environment: apart, variables: {} }))?.code, 0);
  // The next file of its shell is in the way.
  const [shell = ""] = readdirSync(folder);
  mkdirSync(join(folder, shell, "2.in"));
  const words = ["touch", join(folder, "ran")];
  assert.equal(await runShort({ words, environment: apart, variables: {}, input: Buffer.from("x") }), undefined);
  assert.deepEqual(readdirSync(folder), [shell]);
});

test("many commands at a time all come to their end", async () => {
  const outs = await Promise.all(Array.from({ length: 40 }, (_, index) => run(["echo", String(index)])));
  assert.deepEqual(
    outs.map(({ out }) => Number(out)),
    Array.from({ length: 40 }, (_, index) => index),
  );
});

test("a shell that is killed fails its command and leaves nothing, and the next one has another", async (context) => {
  const folder = temporaryFolder(context);
  const own = { environment: { ...environment, OWN: "killed" } };
  await assert.rejects(run(["sh", "-c", "kill -9 $PPID"], own), /was killed by another program/);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal((await run(["echo", "again"])).out, "again\n");
});

test("a shell whose temporary folder was cleaned up is replaced before its next command", async (context) => {
  const folder = temporaryFolder(context);
  const own = { environment: { ...environment, OWN: "cleaned up" } };
  assert.equal((await run(["echo", "before"], own)).out, "before\n");
  const [made = ""] = readdirSync(folder);
  rmSync(join(folder, made), { recursive: true });
  assert.equal((await run(["cat"], { ...own, input: Buffer.from("after") })).out, "after");
});

const diskForTests = join(tmpdir(), "superteam-short-commands-disk");

test("what a full disk keeps a command from saying is a failure, and no answer", {
  skip: cannotMount(diskForTests) ?? false,
}, async (context) => {
  const folder = temporaryFolder(context);
  mountSmallDisk(folder, 1);
  try {
    await sayInto(folder);
  } finally {
    unmount(folder);
  }
});

async function sayInto(folder: string): Promise<void> {
  const own = { environment: { ...environment, OWN: "full" } };
  assert.equal((await run(["echo", "before"], own)).out, "before\n");
  for (const bytesLeft of [0, 4096]) {
    const free = fill(folder, bytesLeft);
    for (const more of [own, { ...own, limit: 100_000 }]) {
      await assert.rejects(run(["seq", "1", "5000"], more), /no space is left|ENOSPC|ENOENT/i);
      // A program that cannot write an answer ends as one whose answer is no.
      await assert.rejects(run(["sh", "-c", "exit 1"], more), /Free some space there or set TMPDIR to another folder/);
    }
    free();
  }
  assert.deepEqual(await run(["sh", "-c", "echo after; exit 1"], own), { code: 1, out: "after\n", said: "" });
}

test("without a temporary folder there is no shell", async (context) => {
  process.env["TMPDIR"] = join(temporaryFolder(context), "missing");
  const own = { ...environment, OWN: "no folder" };
  assert.equal(await runShort({ words: ["echo"], environment: own, variables: {} }), undefined);
});

/** Where shells that are opened from now on keep what commands write. */
function temporaryFolder(context: TestContext): string {
  const before = process.env["TMPDIR"];
  const folder = mkdtempSync(join(tmpdir(), "short-commands-"));
  process.env["TMPDIR"] = folder;
  context.after(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const program = `
import { runShort } from ${JSON.stringify(join(import.meta.dirname, "short-commands.ts"))};
const command = { words: ["echo", "hello"], environment: { PATH: process.env.PATH }, variables: {} };
console.log((await runShort(command)).out.toString());
if (process.argv.includes("stay")) setInterval(() => undefined, 1000);
`;

for (const [how, args] of [
  ["ends by itself", []],
  ["is killed", ["stay"]],
] as const) {
  test(`no shell and no file of it is left when superteam ${how}`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "short-commands-"));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, "--", ...args], {
      env: { ...environment, TMPDIR: folder },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    if (args.length > 0) child.kill("SIGKILL");
    await ended;
    await until(() => readdirSync(folder).length === 0);
  });
}
