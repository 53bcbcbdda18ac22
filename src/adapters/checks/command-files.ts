// What a command runs from, on disk: the files that its definition names, and the installed programs with what identifies them.

import { hash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { definitionFor } from "../../core/validation/definition.ts";
import { type CommandFiles, namesIn, programsIn } from "../../core/validation/scripts/script-files.ts";
import { firstBytes } from "../files/small-file.ts";
import { readable, treeFiles } from "./tree-files.ts";

export function commandFiles(root: string, command: string): CommandFiles {
  const text = `${command}\n${definitionFor(command, treeFiles(root)).definition}`;
  const programs = programsIn(text).flatMap((path) => {
    const identity = readable(() => identityOf(join(root, path)));
    return identity === undefined ? [] : [[path, identity] as const];
  });
  return { command, names: namesIn(text), programs: Object.fromEntries(programs) };
}

/** Of what a link leads to. A copy is the same. A large one, such as an interpreter, is told by its size and its beginning. */
function identityOf(path: string): string {
  const { size } = statSync(path);
  return `${size} ${hash("sha256", firstBytes(path, mostRead)).slice(0, 32)}`;
}

const mostRead = 4 * 1024 * 1024;
