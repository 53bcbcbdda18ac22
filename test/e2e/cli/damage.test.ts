// Files that were damaged between two lives of a run: what is told, what is kept aside, and that the run goes on where
// its journal is whole. All start from one run that waits at its first question.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { viewOf } from "../../../src/engine/views/fold/run-view.ts";
import type { Cli } from "../../rig/cli/cli.ts";
import { waitingRun } from "../../rig/cli/waiting.ts";

const waiting = waitingRun();

const journalOf = (cli: Cli): string => join(cli.run, "journal.jsonl");
const linesOf = (cli: Cli): readonly string[] => readFileSync(journalOf(cli), "utf8").trimEnd().split("\n");
const kept = (cli: Cli): readonly string[] => readdirSync(cli.run).filter((name) => name.includes(".corrupt-"));
const dispatched = (cli: Cli): number => cli.server.requests.length;

describe("a damaged journal", () => {
  test("a torn last line is moved aside, and the run goes on at its question", async () => {
    const cli = waiting("torn");
    const asked = dispatched(cli);
    const half = linesOf(cli).at(-1)?.slice(0, 40) ?? "";
    writeFileSync(journalOf(cli), half, { flag: "a" });
    const looked = await cli.go("status");
    assert.equal(looked.code, 0, looked.stderr);
    assert.match(looked.stdout, /^The journal is damaged: record \d+ is cut off\. This is the state before that/);
    assert.match(JSON.parse((await cli.go("status", "--json")).stdout).damage, /^record \d+ is cut off$/);
    assert.deepEqual(kept(cli), [], "looking repairs nothing: a live runner may be in the middle of a line");

    const exit = await cli.go("resume");
    assert.equal(exit.code, 2, exit.stderr);
    assert.match(
      exit.stderr,
      /The journal was damaged: record \d+ is cut off\. .* were moved to (journal\.jsonl\.corrupt-\S+)\./,
    );
    assert.match(exit.stderr, /superteam answer .* --id brainstorm\.question\.1/);
    const [aside = "", ...more] = kept(cli);
    assert.deepEqual(more, []);
    assert.equal(readFileSync(join(cli.run, aside), "utf8"), half, "no byte is lost");
    assert.equal(dispatched(cli), asked, "nothing is paid for twice");
  });

  test("with a broken chain in the middle the run goes on from the last whole record", async () => {
    const cli = waiting("chain");
    const asked = dispatched(cli);
    const lines = [...linesOf(cli)];
    const at = lines.findIndex((line) => line.includes('"type":"begin"') && line.includes("dispatch:questions"));
    const damaged = lines.map((line, index) => (index === at ? line.replace("brainstormer", "brainstormeR") : line));
    writeFileSync(journalOf(cli), `${damaged.join("\n")}\n`);

    const exit = await cli.go("resume");
    assert.equal(exit.code, 2, exit.stderr);
    assert.match(exit.stderr, new RegExp(`damaged: record ${at + 1} `));
    assert.match(exit.stderr, new RegExp(`The ${at} records before it are used`));
    const [aside = ""] = kept(cli);
    assert.equal(readFileSync(join(cli.run, aside), "utf8"), `${damaged.slice(at).join("\n")}\n`);
    assert.equal(dispatched(cli), asked + 1, "only what was lost is asked for again");
    assert.match(exit.stderr, /--id brainstorm\.question\.1/);
  });

  test("M2: what the lost records had cost stays in the sum, and is told in dollars", async () => {
    const cli = waiting("spent");
    const before = viewOf(await cli.entries()).spend.total.costUsd;
    const lines = [...linesOf(cli)];
    const at = lines.findIndex((line) => line.includes('"type":"begin"') && line.includes('"do":"dispatch"'));
    writeFileSync(journalOf(cli), `${lines.map((line, index) => (index === at ? `?${line}` : line)).join("\n")}\n`);
    const again = dispatched(cli);
    const exit = await cli.go("resume");
    assert.match(exit.stderr, new RegExp(`no longer has 2 agent calls that cost \\$${before.toFixed(2)}`));
    const paidAgain = dispatched(cli) - again;
    assert.ok(paidAgain > 0);
    const after = viewOf(await cli.entries()).spend.total.costUsd;
    assert.ok(after > before, `$${before} before the damage and ${paidAgain} calls more, $${after} now`);
    await cli.go("resume");
    const later = viewOf(await cli.entries()).spend.total.costUsd;
    assert.equal(later, after, "and it is counted once");
  });

  test("a journal that was cut at a record goes on from there without a word", async () => {
    const cli = waiting("cut");
    const asked = dispatched(cli);
    const whole = readFileSync(journalOf(cli));
    const at = whole.indexOf("\n", whole.indexOf("dispatch:questions#1")) + 1;
    truncateSync(journalOf(cli), at);
    const exit = await cli.go("resume");
    assert.equal(exit.code, 2, exit.stderr);
    assert.deepEqual(kept(cli), []);
    assert.equal(dispatched(cli), asked + 1);
    assert.match(exit.stderr, /--id brainstorm\.question\.1/);
  });

  test("a journal that lost its header is left alone, and told with what to do", async () => {
    const cli = waiting("headless");
    writeFileSync(journalOf(cli), "garbage\n");
    for (const command of [["resume"], ["status"], ["log"], ["answer", "one"]]) {
      const exit = await cli.go(...command);
      assert.equal(exit.code, 5, `${command}: ${exit.stderr}`);
      assert.match(
        exit.stderr,
        /cannot be read as a run: .* It was left as it is\. Restore a copy of it .* Or give the run up \(superteam abort\), then: superteam run/,
      );
      assert.doesNotMatch(exit.stderr, /\n\s+at /);
    }
    assert.equal(cli.file(".git/superteam/lock"), undefined);
    const ended = await cli.go("abort");
    assert.equal(ended.code, 0, "it does not hold the tree for ever");
    assert.match(ended.stderr, /cannot be read as a run[\s\S]*is ended/);
    assert.deepEqual([cli.active, cli.file(".superteam-workflow.json")], [undefined, undefined]);
    assert.equal(readFileSync(journalOf(cli), "utf8"), "garbage\n");
  });

  test("a journal that is gone is told", async () => {
    const cli = waiting("gone");
    rmSync(journalOf(cli));
    const exit = await cli.go("resume");
    assert.equal(exit.code, 5, exit.stderr);
    assert.match(exit.stderr, /The journal cannot be read: .*journal\.jsonl.*superteam abort/);
  });

  test("a journal of a newer version is refused and left alone", async () => {
    const cli = waiting("newer");
    const newer = readFileSync(journalOf(cli), "utf8").replace(/"v":\d+/g, '"v":99');
    writeFileSync(journalOf(cli), newer);
    for (const command of [["resume"], ["status"], ["abort"]]) {
      const exit = await cli.go(...command);
      assert.equal(exit.code, 5, `${command}: ${exit.stderr}`);
      assert.match(exit.stderr, /was written by a newer superteam .*It was left as it is\. Update superteam/);
    }
    assert.equal(readFileSync(journalOf(cli), "utf8"), newer);
    assert.deepEqual(kept(cli), []);
  });
});

test("W3: a pointer to the active run that holds junk is told, and left as it is", async () => {
  const cli = waiting("pointer");
  const pointer = join(cli.root, ".git/superteam/active");
  const id = readFileSync(pointer, "utf8");
  writeFileSync(pointer, "\u0000junk");
  for (const command of [["status"], ["resume"], ["abort"], ["run", "Another letter"]]) {
    const exit = await cli.go(...command);
    assert.equal(exit.code, 5, `${command}: ${exit.stdout}${exit.stderr}`);
    assert.match(exit.stderr, /superteam\/active should name the active run .* but holds .*junk/);
  }
  assert.equal(readFileSync(pointer, "utf8"), "\u0000junk");
  writeFileSync(pointer, id);
  assert.equal((await cli.go("status")).code, 0);
});

describe("a damaged snapshot", () => {
  const snapshot = (cli: Cli): string => join(cli.root, ".superteam-workflow.json");

  test("one that was deleted is made anew from the journal", async () => {
    const cli = waiting("no-snapshot");
    const was = JSON.parse(readFileSync(snapshot(cli), "utf8"));
    rmSync(snapshot(cli));
    const exit = await cli.go("resume");
    assert.equal(exit.code, 2, exit.stderr);
    const is = JSON.parse(readFileSync(snapshot(cli), "utf8"));
    assert.deepEqual([is.runId, is.phase, is.pendingInteraction], [was.runId, was.phase, was.pendingInteraction]);
  });

  test("one that makes no sense is kept aside, told, and made anew", async () => {
    const cli = waiting("bad-snapshot");
    writeFileSync(snapshot(cli), '{"phase": "brain');
    const exit = await cli.go("resume");
    assert.equal(exit.code, 2, exit.stderr);
    assert.match(exit.stderr, /\.superteam-workflow\.json was damaged: it was moved to .*corrupt-/);
    const aside = readdirSync(cli.root).filter((name) => name.startsWith(".superteam-workflow.json.corrupt-"));
    assert.equal(aside.length, 1);
    assert.equal(readFileSync(join(cli.root, aside[0] ?? ""), "utf8"), '{"phase": "brain');
    assert.equal(JSON.parse(readFileSync(snapshot(cli), "utf8")).phase, "brainstorm");
    assert.equal(cli.git("status", "--porcelain", "--", ".superteam*"), "", "what is kept aside makes no tree dirty");
    assert.ok(statSync(snapshot(cli)).size > 0);
  });
});
