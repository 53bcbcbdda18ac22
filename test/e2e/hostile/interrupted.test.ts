// An agent that changes git's own folder, or the index, and is stopped or killed together with superteam: nobody is there to compare
// anything at its end.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, globSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";
import { until } from "../../rig/until.ts";
import { assertDone } from "./rig.ts";

test("E3: a hook, settings and a branch of an agent that was killed are gone when the run continues, and named", {
  timeout: 240_000,
}, async (context) => {
  const deeds = [
    "printf '#!/bin/sh\\nexit 1\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
    "git config core.hooksPath elsewhere; git branch made; git tag -d v1; echo done > planted.txt",
  ].join("; ");
  let isFirst = true;
  const play = smallPlay((step, turn) => {
    if (step !== "execute/task-1/implement" || !isFirst) return {};
    if (turn === 0) return { tools: [{ name: "bash", args: { command: deeds } }] };
    return { text: "The letter is written. ".repeat(1000), fault: { kind: "hang", after: "half" } };
  });
  const cli = await openCli(context, { play });
  cli.git("tag", "v1");
  const state = () => [
    cli.git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags"),
    cli.file(".git/config"),
    cli.file(".git/hooks/pre-commit"),
    cli.file("planted.txt"),
  ];
  const before = state();
  const child = cli.start(["run", goal, "--mode", "hotfix"]);
  const gone = once(child, "close");
  await until(() => cli.file("planted.txt") !== undefined);
  child.kill("SIGKILL");
  await gone;
  isFirst = false;
  // Its time is that of the last byte.
  const noted = () => globSync(".git/superteam/runs/*/dispatches/*implementer/gone", { cwd: cli.root });
  await until(() => noted().some((file) => cli.file(file)?.endsWith("\n")));
  // The person's own, after the watchdog has ended the agent.
  const mine = join(cli.root, ".git/hooks/post-commit");
  const goneAt = Math.max(...noted().map((file) => statSync(join(cli.root, file)).mtimeMs));
  await until(() => {
    writeFileSync(mine, "#!/bin/sh\n", { mode: 0o755 });
    // What has the same millisecond as the agent's end counts as the agent's.
    return Math.floor(statSync(mine).mtimeMs) > goneAt;
  });
  const exit = await cli.go("resume");
  assertDone(cli, exit);
  assert.deepEqual(state(), before);
  assert.equal(cli.file(".git/hooks/post-commit"), "#!/bin/sh\n", "the person's own stays");
  assert.match(exit.stderr, /The implementer changed branches, tags or stashes: .*tags\/v1.*They were restored/s);
  assert.match(exit.stderr, /The implementer changed git's own files: config, hooks\/pre-commit\. They were restored/);
});

for (const signal of ["SIGKILL", "SIGINT"] as const)
  test(`E3: what the person had only staged is staged again after an agent that staged everything and was ended by ${signal}`, {
    timeout: 240_000,
  }, async (context) => {
    let isFirst = true;
    const play = smallPlay((step, turn) => {
      if (step !== "execute/task-1/implement" || !isFirst) return {};
      if (turn === 0) return { tools: [{ name: "bash", args: { command: "git add -A; touch ../staged" } }] };
      return { text: "The letter is written. ".repeat(1000), fault: { kind: "hang", after: "half" } };
    });
    const cli = await openCli(context, { play });
    const { "plan.approval": _, ...others } = allAnswers;
    const answers = cli.beside("answers.json", others);
    await cli.go("run", goal, "--answers", answers);
    // While the question waits.
    writeFileSync(join(cli.root, "mine.txt"), "only staged\n");
    cli.git("add", "mine.txt");
    writeFileSync(join(cli.root, "mine.txt"), "later\n");
    const child = cli.start(["answer", "approve", "--id", "plan.approval", "--answers", answers]);
    const gone = once(child, "close");
    await until(() => existsSync(join(cli.folder, "staged")));
    child.kill(signal);
    await gone;
    isFirst = false;
    const exit = await cli.go("resume", "--answers", answers);
    assert.equal(exit.code, 0, exit.stderr);
    assert.equal(cli.git("show", ":mine.txt"), "only staged");
    assert.equal(cli.file("mine.txt"), "later\n");
    assert.equal(cli.git("ls-files", "notes.txt"), "");
    assert.match(
      exit.stderr,
      /The implementer changed what was staged: .*mine\.txt, notes\.txt\. It is staged as before\./,
    );
    const [ref = ""] = /refs\/superteam\/\S+-given-up/.exec(exit.stderr) ?? [];
    assert.equal(
      cli.git("show", `${ref}:notes.txt`),
      cli.file("notes.txt")?.trim(),
      "what the agent had staged is kept",
    );
  });
