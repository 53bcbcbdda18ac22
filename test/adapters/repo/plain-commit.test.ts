// Where nobody else has a say in a commit, superteam makes it itself: it is the one that `git commit` would have made.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { dated } from "../../../src/adapters/repo/git/commit/commit-object.ts";
import { tidied } from "../../../src/adapters/repo/git/commit/plain-commit.ts";
import { committed, order } from "../../contracts/repo/order.ts";
import fc, { times } from "../../rig/property.ts";
import { logGit, makeRig, type Rig } from "./rig.ts";

const message = "Add the thing  \n\n\n\nWhy: naïve 🎉\t\n\n# not a comment\n\n\n";

async function commitIn(rig: Rig): Promise<void> {
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  committed(await repo.commit(order(anchor, { message })));
}

/** Without the times. */
const shownIn = async (rig: Rig): Promise<string> =>
  `${await rig.git("cat-file", "commit", "HEAD")}${await rig.git("reflog", "-1", "--format=%gs")}`.replaceAll(
    /> \d+/g,
    ">",
  );

test("no `git commit` is started", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1" });
  const log = await logGit(t);
  await commitIn(rig);
  const verbs = (await log())
    .split("\n")
    .flatMap((line) => / (commit|commit-tree|update-ref -m) /.exec(line)?.[1] ?? []);
  assert.deepEqual(verbs, ["update-ref -m"]);
});

test("the commit is the same, with the same words in the reflog", async (t) => {
  const [plain, asked] = [await makeRig(t, { "a.txt": "1" }), await makeRig(t, { "a.txt": "1" })];
  await asked.hook("post-commit", "true");
  for (const rig of [plain, asked]) {
    await rig.git("config", "core.logAllRefUpdates", "true");
    await commitIn(rig);
  }
  assert.equal(await shownIn(plain), await shownIn(asked));
  assert.match(await shownIn(plain), /\ncommit: Add the thing\n$/);
  assert.equal(await plain.git("status", "--porcelain"), "");
});

test("a commit that cannot be put on its branch leaves HEAD, index and files as they were", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1", "b.txt": "1" });
  await rig.write("b.txt", "theirs");
  await rig.git("add", "b.txt");
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  const before = [await rig.git("rev-parse", "HEAD"), await rig.git("status", "--porcelain")];
  await rm(join(rig.root, ".git/logs/HEAD"), { force: true });
  await rig.write(".git/logs/HEAD/in-the-way", "");
  const outcome = await repo.commit(order(anchor));
  assert.equal(outcome.status, "refused");
  assert.deepEqual([await rig.git("rev-parse", "HEAD"), await rig.git("status", "--porcelain")], before);
});

test("a message that is no text is what git makes of it", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1" });
  const log = await logGit(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  committed(await repo.commit(order(anchor, { message: "Add \udce9" })));
  assert.match(await log(), / commit-tree /);
  assert.match(await rig.git("cat-file", "commit", "HEAD"), /\n\nAdd \u00e9\n/);
});

test("whoever the person says they are by then has made the commit", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1" });
  const repo = await rig.open();
  for (const name of ["One", "Another"]) {
    await rig.git("config", "user.name", name);
    const anchor = await repo.snapshot("s");
    await rig.write("a.txt", name);
    committed(await repo.commit(order(anchor)));
    assert.match(await rig.git("log", "-1", "--format=%an %cn"), new RegExp(`^${name} ${name}$`, "m"));
  }
});

const zones = ["UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Chatham", "America/New_York"];
test("the time is the one that git would write", { skip: !existsSync("/usr/share/zoneinfo/UTC") }, (t) => {
  const before = process.env["TZ"];
  t.after(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });
  const who = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.com" };
  for (const zone of zones) {
    process.env["TZ"] = zone;
    for (const at of ["2026-01-15T12:00:00Z", "2026-07-15T12:00:00Z"].map((text) => new Date(text))) {
      const env = { ...process.env, ...who, GIT_AUTHOR_DATE: at.toString() };
      const said = execFileSync("git", ["var", "GIT_AUTHOR_IDENT"], { env, encoding: "utf8" });
      assert.equal(said, `a <a@example.com> ${dated(at)}\n`);
    }
  }
});

test("a message is tidied up as git tidies it up", async () => {
  const parts = fc.constantFrom("a", " ", "\t", "\n", "\n\n", "\r\n", "\f", "# b", "c\u00e9");
  await fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (some) => {
      const text = Buffer.from(some.join(""));
      assert.equal(
        tidied(text.toString("latin1")),
        execFileSync("git", ["stripspace"], { input: text, encoding: "latin1" }),
      );
    }),
    { numRuns: times(40) },
  );
});

for (const [who, settle] of Object.entries({
  "a hook in git's folder": (rig: Rig) => rig.hook("pre-commit", "touch asked"),
  "a hook elsewhere": async (rig: Rig) => {
    await rig.write(".git/others/pre-commit", "#!/bin/sh\ntouch asked\n");
    await chmod(join(rig.root, ".git/others/pre-commit"), 0o755);
    await rig.git("config", "core.hooksPath", ".git/others");
  },
  "a program that signs": async (rig: Rig) => {
    await rig.write(".git/sign", "#!/bin/sh\ntouch asked\nexit 1\n");
    await chmod(join(rig.root, ".git/sign"), 0o755);
    await rig.git("config", "gpg.program", ".git/sign");
    await rig.git("config", "commit.gpgSign", "yes");
  },
}))
  test(`${who} is asked`, async (t) => {
    const rig = await makeRig(t, { "a.txt": "1", ".gitignore": "asked\n" });
    await settle(rig);
    const repo = await rig.open();
    const anchor = await repo.snapshot("s");
    await rig.write("a.txt", "2");
    await repo.commit(order(anchor));
    assert.equal(await rig.exists("asked"), true);
  });

test("another encoding of commits is kept to", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1" });
  await rig.git("config", "i18n.commitEncoding", "ISO-8859-1");
  await commitIn(rig);
  assert.match(await rig.git("cat-file", "commit", "HEAD"), /^encoding ISO-8859-1$/m);
});

test("signing that is turned off is no reason to ask git", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1" });
  await rig.git("config", "commit.gpgSign", "false");
  await commitIn(rig);
  assert.match(await shownIn(rig), /commit: Add the thing/);
});
