// What the guide to pi says is so: its pictures, its commands, and the messages it explains.

import assert from "node:assert/strict";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { workflowVerbs } from "../../src/hosts/pi/commands/verbs.ts";
import { openCli, project } from "../rig/cli/cli.ts";
import { openPi } from "../rig/pi-host/session.ts";

const guide = readFileSync(join(project, "docs/guides/pi.md"), "utf8");
const readme = readFileSync(join(project, "README.md"), "utf8");
const sectionOf = (heading: string): string =>
  new RegExp(`\n## ${heading}\n([\\s\\S]*?)(?:\n## |$)`).exec(guide)?.[1] ?? "";

test("the guide shows every screen there is of pi, with words for those who cannot see it", () => {
  const shown = [...guide.matchAll(/!\[([^\]]{40,})\]\(\.\.\/(pi-[a-z]+\.svg)\)/g)].map(([, , file]) => file);
  assert.deepEqual(shown.toSorted(), globSync("pi-*.svg", { cwd: join(project, "docs") }).toSorted());
});

test("the guide names exactly the commands that /workflow completes, and the README names them all", () => {
  const verbs = workflowVerbs.toSorted();
  const named = [...sectionOf("Commands").matchAll(/^\| `\/workflow (\w+)/gm)].map(([, verb = ""]) => verb);
  assert.deepEqual(named.toSorted(), verbs);
  const [, section = ""] = /\n## Inside pi\n([\s\S]*?)\n## /.exec(readme) ?? [];
  for (const verb of verbs) assert.match(section, new RegExp(`\`(?:/workflow )?${verb}\\b`), verb);
});

test("the plan that the guide shows can be loaded, and its tasks are those it tells of", async (context) => {
  const [, plan = ""] = /\n`{4}markdown\n([\s\S]*?)\n`{4}\n/.exec(sectionOf("Tasks of your own plan")) ?? [];
  const cli = await openCli(context);
  writeFileSync(join(cli.root, "plan.md"), plan);
  const pi = openPi(context, cli);
  await pi.type("/sdd load plan.md");
  await pi.told(/^Plan plan\.md: 0 of 2 tasks done.*\n {2}○ 1\. Token bucket\n {2}○ 2\. Middleware — builds on 1\n/);
  const named = [...sectionOf("Tasks of your own plan").matchAll(/^\| `\/sdd (\w+)/gm)].map(([, verb]) => verb);
  assert.deepEqual([...new Set(named)], ["load", "run", "status"]);
});

test("what the guide says that pi says, is said", () => {
  const code = globSync("src/{hosts,runs,adapters,engine}/**/*.ts", { cwd: project })
    .map((file) => readFileSync(join(project, file), "utf8"))
    .join("\n")
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code is looked at as text
    .replaceAll("${backend.name}", "pi");
  const messages = [...sectionOf("When something goes wrong").matchAll(/^\| (?!pi says|---)(.+?) \|/gm)];
  assert.ok(messages.length >= 8);
  for (const [, message = ""] of messages) {
    const fixed = message.split(/\/workflow|\d+|…/).map((words) => words.trim());
    for (const words of fixed) assert.ok(code.includes(words), words);
  }
});
