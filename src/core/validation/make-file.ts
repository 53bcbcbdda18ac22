// What a Makefile says: its targets with those they need, and the variables they use.

import type { Definition, FoundCommand } from "./found-command.ts";
import type { TreeFiles } from "./tree-files.ts";

/** A target may do anything: who asks for others first gets what is surer. */
export function makeCommands(files: TreeFiles): readonly FoundCommand[] {
  const { from, text } = makeFile(files);
  const target = ["test", "check"].find((name) => rulesOf(text, name).length > 0);
  return target === undefined ? [] : [{ key: "testCommand", command: `make ${target}`, from, definition: "" }];
}

/** What the targets do that a command line has make build. */
export function makeDefinition(lines: string, files: TreeFiles): Definition {
  const { from, text } = makeFile(files);
  const wanted = [...lines.matchAll(/(?:^|[\s;&|(])make((?:[ \t]+[\w./=+-]+)*)/g)].flatMap(([, words = ""]) =>
    targetsIn(words, text),
  );
  const rules = rulesFor(wanted, text);
  return { from, definition: [...rules, ...variablesIn(rules.join("\n"), text)].join("\n") };
}

function makeFile(files: TreeFiles): { readonly from: string; readonly text: string } {
  const from = ["GNUmakefile", "makefile", "Makefile"].find((name) => files.text(name) !== undefined) ?? "";
  return { from, text: (files.text(from) ?? "").replaceAll(/\\\n[ \t]*/g, " ") };
}

/** Without its options; without a target, make takes the first of the file. */
function targetsIn(words: string, text: string): readonly string[] {
  const named = words.split(/\s+/).filter((word) => word !== "" && !/^-|=/.test(word));
  return named.length > 0 ? named : [/^([\w/+-][\w./+-]*)[ \t]*:(?!=)/m.exec(text)?.[1] ?? ""];
}

function rulesFor(targets: readonly string[], text: string): readonly string[] {
  const lines: string[] = [];
  const seen = new Set<string>();
  const add = (target: string): void => {
    if (seen.has(target)) return;
    seen.add(target);
    for (const rule of rulesOf(text, target)) {
      lines.push(...rule);
      const needed = /:(.*)/.exec(rule[0] ?? "")?.[1] ?? "";
      for (const other of needed.split(/[\s:|;]+/)) add(other);
    }
  };
  for (const target of targets) add(target);
  return lines;
}

/** The line of each rule for the target, and those below it that belong to it. */
function rulesOf(text: string, target: string): readonly (readonly string[])[] {
  if (target === "") return [];
  const lines = text.split("\n");
  return lines.flatMap((line, first) => {
    if (!isRuleFor(line, target)) return [];
    const rest = lines.slice(first + 1);
    const end = rest.findIndex((other) => !/^\t|^\s*(?:#|$)/.test(other));
    const recipe = rest.slice(0, end < 0 ? rest.length : end).filter((other) => other.startsWith("\t"));
    return [[line, ...recipe].map((one) => one.trim())];
  });
}

function isRuleFor(line: string, target: string): boolean {
  const [, targets] = /^([^\t#:=][^#:=]*):(?!=)/.exec(line) ?? [];
  return targets?.trim().split(/\s+/).includes(target) ?? false;
}

/** The lines that set variables of the recipes, and of each other. */
function variablesIn(rules: string, text: string): readonly string[] {
  const found: string[] = [];
  const names = (lines: string): readonly string[] =>
    [...lines.matchAll(/\$[({](\w+)[)}]/g)].map(([, name = ""]) => name);
  const open = [...names(rules)];
  const seen = new Set<string>();
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const sets = new RegExp(`^(?:(?:export|override)[ \\t]+)?${name}[ \\t]*(?:::?|\\?|\\+|!)?=.*$`, "gm");
    for (const [line] of text.matchAll(sets)) {
      found.push(line.trim());
      open.push(...names(line));
    }
  }
  return found;
}
