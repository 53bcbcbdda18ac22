// The mutants of a source file: one small change each, by its syntax tree. TypeScript 7 is a native program; its package has a
// client that hands out the tree. That client is called unstable, so only this file, operators.ts and compile.ts use it.

import { resolve } from "node:path";
import type { Node, SourceFile } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";
import { type Change, changesAt, isWithoutBehaviour } from "./operators.ts";

/** Where the text is replaced is in UTF-16 units. */
export interface Mutant extends Change {
  /** Relative to the root of the project. */
  readonly file: string;
  readonly line: number;
  /** What was changed, for people. */
  readonly change: string;
}

export function mutantsOf(files: readonly string[]): readonly Mutant[] {
  const api = new API({ cwd: process.cwd() });
  try {
    const paths = files.map((file) => resolve(file));
    const snapshot = api.updateSnapshot({ openFiles: paths });
    return files.flatMap((file, index) => {
      const path = paths[index] ?? file;
      const source = snapshot.getDefaultProjectForFile(path)?.program.getSourceFile(path);
      if (source === undefined) throw new Error(`${file} cannot be parsed: TypeScript did not find it.`);
      return inFile(file, source);
    });
  } finally {
    api.close();
  }
}

function inFile(file: string, source: SourceFile): readonly Mutant[] {
  const found: Mutant[] = [];
  const visit = (node: Node): void => {
    if (isWithoutBehaviour(node)) return;
    for (const change of changesAt(node, source)) {
      const line = source.text.slice(0, change.start).split("\n").length;
      const words = describe(source.text.slice(change.start, change.end), change.replacement);
      found.push({ ...change, file, line, change: words });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function describe(before: string, after: string): string {
  const short = (text: string): string => {
    const line = text.replaceAll(/\s+/g, " ");
    return line.length > 70 ? `${line.slice(0, 69)}…` : line;
  };
  return after === "" || after === ";" ? `${short(before)}  removed` : `${short(before)}  ->  ${short(after)}`;
}
