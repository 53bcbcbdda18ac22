// What a command line finally runs, as far as files of the repository define it: scripts of package.json, make's targets, deno's tasks.
// A change in one of these is a change of the command.

import type { Definition } from "./found-command.ts";
import { makeDefinition } from "./make-file.ts";
import { packageDefinition } from "./package-commands.ts";
import { jsonIn, type TreeFiles, textsOf } from "./tree-files.ts";

export function definitionFor(command: string, files: TreeFiles): Definition {
  const scripts = packageDefinition(command, files);
  const tasks = denoTasks(command, files);
  // Each may run the other.
  const targets = makeDefinition(`${command}\n${scripts.definition}`, files);
  const parts = [scripts, tasks, targets, packageDefinition(targets.definition, files)];
  const defining = parts.filter(({ definition }) => definition !== "");
  return { from: defining[0]?.from ?? "", definition: [...new Set(defining.map((one) => one.definition))].join("\n") };
}

export function denoTasks(command: string, files: TreeFiles): Definition {
  const name = /\bdeno\s+task\s+([\w:.-]+)/.exec(command)?.[1] ?? "";
  const from = ["deno.json", "deno.jsonc"].find((path) => files.text(path) !== undefined) ?? "";
  return { from, definition: textsOf(jsonIn(files, from)?.["tasks"])[name] ?? "" };
}
