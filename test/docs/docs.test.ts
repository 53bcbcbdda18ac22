// The documents tell the truth: every shell example in the README and the guides is run as it stands, one after the other,
// in a repository with a scripted model: the README's with the real pi, the guides' with its quick stand-in. Before an example may stand what it should come to:
//   <!-- exit 2: why -->     its exit code, when it is not 0
//   <!-- not run: why -->    when it cannot be run here

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { suite, test } from "node:test";
import { type Demo, openDemo } from "../../src/demo/open.ts";
import { demoPlay } from "../../src/demo/scenario/play.ts";
import { exitCodes } from "../../src/hosts/exit-code.ts";
import { questionIds, roleNames } from "../../src/pipelines/pipelines.ts";
import { quickPiFile } from "../rig/agents/backends.ts";
import { bundled } from "../rig/bundled.ts";
import { isLongForm } from "../rig/property.ts";

const project = join(import.meta.dirname, "../..");
const guides = globSync("docs/guides/*.md", { cwd: project }).sort();
const textOf = (file: string): string => readFileSync(join(project, file), "utf8");

interface Example {
  readonly code: string;
  readonly exitCode: number;
}

/** The examples that are to be run, in order. One without a reason not to be is. */
function examplesIn(text: string): readonly Example[] {
  const blocks = text.matchAll(/(?:<!-- (exit (\d+)|not run): .+ -->\n)?```sh\n([\s\S]*?)```/g);
  return [...blocks]
    .filter(([, marker]) => marker !== "not run")
    .map(([, , exitCode = "0", code = ""]) => ({ code, exitCode: Number(exitCode) }));
}

/** A person's machine: a repository, a pi that knows one scripted model, and the command on the PATH. */
async function inSandbox(
  file: string,
  use: (run: (code: string) => Promise<{ exitCode: number; said: string }>) => Promise<void>,
) {
  const folder = await mkdtemp(join(tmpdir(), "superteam-docs-"));
  const demo = await openDemo(folder, demoPlay({ latencyMs: 0 }));
  const command = join(folder, "superteam");
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${bundled("src/hosts/cli/main.ts")}" "$@"\n`);
  await chmod(command, 0o755);
  await mkdir(join(folder, "superteam-config/superteam"), { recursive: true });
  // A spare would only cost time here, and so would a process for each test file of the demo's repository.
  const config = JSON.stringify({ execution: { warmSpares: false }, environment: ["NODE_OPTIONS"] });
  await writeFile(join(folder, "superteam-config/superteam/config.json"), config);
  try {
    const isolation = { NODE_OPTIONS: "--test-isolation=none" };
    const quick = file === "README.md" ? {} : { SUPERTEAM_PI: quickPiFile };
    const variables = { ...demo.environment, ...isolation, ...quick };
    await use((code) => shell(code, folder, { ...demo, environment: variables }));
  } finally {
    await demo.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function shell(code: string, folder: string, demo: Demo): Promise<{ exitCode: number; said: string }> {
  const PATH = [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const env = {
    ...process.env,
    ...demo.environment,
    PATH,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "superteam-config"),
  };
  const child = spawn("sh", ["-e", "-c", code], { cwd: demo.repository, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (said += bytes));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode: exitCode ?? -1, said }));
  });
}

/** Most of their examples are runs from beginning to end: npm run test:slow tries them. */
const wholeRuns: readonly string[] = ["docs/guides/costs.md", "docs/guides/headless.md"];

suite("the shell examples", { concurrency: 2 }, () => {
  const documents = ["README.md", ...guides].map((file) => ({ file, examples: examplesIn(textOf(file)) }));
  const isTried = (file: string): boolean => isLongForm || !wholeRuns.includes(file);
  test("are in most documents", () => {
    assert.ok(documents.filter(({ examples }) => examples.length > 0).length >= 4);
  });
  for (const { file, examples } of documents.filter((one) => one.examples.length > 0 && isTried(one.file))) {
    test(`of ${file} (${examples.length}) run as they stand`, async () => {
      await inSandbox(file, async (run) => {
        for (const { code, exitCode } of examples) {
          const end = await run(code);
          assert.equal(end.exitCode, exitCode, `${code}\n${end.said}`);
        }
      });
    });
  }
});

test("every fenced shell example is seen, marked or not", () => {
  for (const file of ["README.md", ...guides]) {
    const text = textOf(file);
    const fences = text.match(/^```sh$/gm)?.length ?? 0;
    const unrun = text.match(/<!-- not run: .+ -->\n```sh\n/g)?.length ?? 0;
    assert.equal(examplesIn(text).length + unrun, fences, file);
    assert.equal(
      text.match(/<!-- (not run|exit)/g)?.length ?? 0,
      text.match(/<!-- (not run|exit \d+): .+ -->\n```sh\n/g)?.length ?? 0,
      file,
    );
  }
});

test("the guides name every role there is", () => {
  const [, listed = ""] = /A `<role>` is one of ([\s\S]*?)\. /.exec(textOf("docs/guides/configuration.md")) ?? [];
  const named = [...listed.matchAll(/`([a-z-]+)`/g)].map(([, role]) => role);
  assert.deepEqual(named.sort(), [...roleNames].sort());
  const [, roles = ""] = /## The roles\n([\s\S]*?)\n\n[A-Z]/.exec(textOf("docs/guides/agents.md")) ?? [];
  const inTable = [...roles.matchAll(/^\| ([a-z-]+) \|/gm)].map(([, role]) => role);
  assert.deepEqual(inTable.filter((role) => role !== "role").sort(), [...roleNames].sort());
});

test("the options that documents name are there", () => {
  const code = ["src/hosts/cli/parser.ts", "src/hosts/run-options.ts"].map(textOf).join("\n");
  const known = [...code.matchAll(/"(?:-\w, )?(--[a-z-]+)/g)].map(([, name]) => name);
  for (const file of ["README.md", ...guides]) {
    const commands = textOf(file).match(/`(?:superteam |\/workflow |--)[^`]*`|^(?:superteam|npm run demo) .*$/gm) ?? [];
    const named = commands.flatMap((command) => command.match(/--[a-z][a-z-]*/g) ?? []);
    for (const name of named) assert.ok(known.includes(name), `${file}: ${name}`);
  }
});

test("what documents quote of a second start is what is said", () => {
  const guide = textOf("docs/guides/resuming.md").replace(/\s+/g, " ");
  const refusal = textOf("src/runs/host.ts");
  for (const words of ["A run is already in progress in this tree", "Nothing was started."]) {
    assert.ok(guide.includes(words) && refusal.includes(words), words);
  }
  const lock = textOf("src/adapters/store/lock.ts");
  for (const words of ["Another runner is at work in this tree: process ", "Wait for it, or: superteam stop"]) {
    assert.ok(guide.includes(words) && lock.includes(words), words);
  }
});

test("the guide lists exactly the questions that answers may be given to", () => {
  const [, section = ""] = /## Question ids\n([\s\S]*?)\n## /.exec(textOf("docs/guides/headless.md")) ?? [];
  const inTable = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, id]) => id);
  const [, later = ""] = /nothing asks it yet: ([\s\S]*?)\.\n/.exec(section) ?? [];
  const toCome = [...later.matchAll(/`([^`]+)`/g)].map(([, id]) => id);
  assert.deepEqual([...inTable, ...toCome].sort(), [...questionIds].sort());
});

test("the guide lists exactly the exit codes there are", () => {
  const codes = [...textOf("docs/guides/headless.md").matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  assert.deepEqual(codes, Object.values(exitCodes));
});

test("the README fits on one page: what it is, how to try and use it, why to trust it; the numbers are elsewhere", () => {
  const readme = textOf("README.md");
  assert.ok(readme.split("\n").length <= 150, "at most 150 lines");
  const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  assert.deepEqual(headings, ["Try it", "Use it", "Inside pi", "Why trust it", "Learn more", "Licence"]);
  assert.doesNotMatch(readme, /^\|/m, "a table");
});

test("links between documents lead somewhere", () => {
  for (const file of ["README.md", ...guides]) {
    for (const [, target = ""] of textOf(file).matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      assert.ok(globSync(join(project, dirname(file), target)).length > 0, `${file}: ${target}`);
    }
  }
});

test("the changelog is there, is shipped, and begins with what is not released yet", () => {
  assert.match(textOf("CHANGELOG.md"), /^# Changelog\n[\s\S]*?\n## Unreleased\n+\S/);
  assert.match(textOf("package.json"), /"CHANGELOG\.md"/);
});

test("the README shows the recording, which is a film of the demo from the first command to the last commit", () => {
  assert.match(textOf("README.md"), /!\[[^\]]+\]\(docs\/demo\.svg\)/);
  const film = textOf("docs/demo.svg");
  for (const seen of ["npm run demo", " of 3", "Spec review", "Fix attempt 1/3", "Task 3/3", "The commits:"]) {
    assert.ok(film.includes(seen), seen);
  }
});
