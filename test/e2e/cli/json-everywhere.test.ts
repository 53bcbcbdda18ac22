// `--json` on every command: those that drive a run write its events, all others one object.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Command } from "commander";
import { commandsFor } from "../../../src/hosts/cli/parser.ts";
import { waitingRun } from "../../rig/cli/waiting.ts";

const program = commandsFor(undefined, () => undefined);

function all(commands: readonly Command[], before = ""): readonly (readonly [string, Command])[] {
  return commands.flatMap((command) => {
    const name = `${before}${command.name()}`;
    return [[name, command] as const, ...all(command.commands, `${name} `)];
  });
}

/** One object each, with at least these fields; in this order, on a run that waits. */
const objects: Readonly<Record<string, { readonly args?: readonly string[]; readonly fields: readonly string[] }>> = {
  status: { fields: ["active", "pendingInteraction"] },
  costs: { fields: ["runId", "total"] },
  runs: { fields: ["runs", "inLine"] },
  "runs prune": { args: ["--dry-run"], fields: ["runs", "bytes", "kept", "dryRun"] },
  report: { fields: ["runId", "report"] },
  init: { fields: ["path", "commands"] },
  doctor: { fields: ["ready", "findings"] },
  completion: { args: ["bash"], fields: ["shell", "script"] },
  stop: { fields: ["said"] },
  abort: { fields: ["said"] },
};

/** They write events, a line each: json.test.ts reads them. */
const streams = ["run", "resume", "answer", "demo", "log"];

test("U9: every command has --json", () => {
  // What help prints is no answer for a program.
  const commands = all(program.commands).filter(([name]) => name !== "help");
  const without = commands.filter(([, { options }]) => !options.some(({ long }) => long === "--json"));
  assert.deepEqual(
    without.map(([name]) => name),
    [],
  );
  const known = [...streams, ...Object.keys(objects)];
  assert.deepEqual(
    commands.map(([name]) => name).toSorted(),
    known.toSorted(),
    "and each is tried out below, or streams",
  );
});

const waiting = waitingRun();

test("U9: with --json a command that drives no run writes one object and nothing else", async () => {
  const cli = waiting("everywhere");
  rmSync(join(cli.root, ".superteam.json"));
  for (const [name, { args = [], fields }] of Object.entries(objects)) {
    const { stdout, stderr } = await cli.go(...name.split(" "), ...args, "--json");
    assert.match(stdout, /^\{.*\}\n$/, `${name}: ${stdout} ${stderr}`);
    const object: Record<string, unknown> = JSON.parse(stdout);
    const missing = fields.filter((field) => !(field in object));
    assert.deepEqual(missing, [], `${name}: ${stdout} ${stderr}`);
  }
});
