// What a Makefile says: its targets with those they need, and the variables they use.

import type { Definition, FoundCommand } from "./found-command.ts";
import type { TreeFiles } from "./tree-files.ts";

/** A target may do anything: who asks for others first gets what is surer. */
export function makeCommands(files: TreeFiles): readonly FoundCommand[] {
  const { from, text } = makeFile(files, { folder: "", file: undefined });
  const target = ["test", "check"].find((name) => rulesOf(text, name).length > 0);
  return target === undefined ? [] : [{ key: "testCommand", command: `make ${target}`, from, definition: "" }];
}

/** What the targets do that a command line has make build, and what of its file decides how they are built. */
export function makeDefinition(lines: string, files: TreeFiles): Definition {
  const seen = new Set<string>();
  const parts: Definition[] = [];
  const open = [...callsIn(lines, "")];
  for (let call = open.shift(); call !== undefined; call = open.shift()) {
    const { folder } = call;
    const { from, text } = makeFile(files, call);
    const targets = call.targets.length > 0 ? call.targets : [firstTarget(text)];
    const rules = rulesFor(targets, text);
    const name = [from, ...targets].join(" ");
    if (rules.length === 0 || seen.has(name)) continue;
    seen.add(name);
    const notBuilt = targets.flatMap((target) => notBuiltText(files, text, `${folder}${target}`));
    const lines = [...rules, ...variablesIn(rules.join("\n"), text), ...decidingLines(text), ...notBuilt];
    parts.push({ from, definition: lines.join("\n") });
    open.push(...callsIn(rules.join("\n").replaceAll(/\$[({]MAKE[)}]/g, "make"), folder));
  }
  return { from: parts[0]?.from ?? "", definition: parts.map(({ definition }) => definition).join("\n") };
}

/** `make -C folder -f file targets` */
interface MakeCall {
  /** With a slash at its end, unless it is the root. */
  readonly folder: string;
  readonly file: string | undefined;
  readonly targets: readonly string[];
}

function callsIn(lines: string, folder: string): readonly MakeCall[] {
  const calls = [...lines.matchAll(/(?:^|[\s;&|(])[@+-]*make((?:[ \t]+[\w./=+-]+)*)/g)];
  return calls.map(([, words = ""]) => {
    const option = (names: string) => new RegExp(`\\s(?:${names})[\\s=]*([\\w./-]+)`).exec(words)?.[1];
    const moved = option("-C|--directory")?.replaceAll(/^\.\/|\/+$/g, "");
    const named = words.replaceAll(/\s(?:-C|--directory|-f|--file|--makefile)[\s=]*[\w./-]+/g, "").split(/\s+/);
    return {
      folder: moved === undefined || moved === "." ? folder : `${folder}${moved}/`,
      file: option("-f|--file|--makefile"),
      targets: named.filter((word) => word !== "" && !/^-|=/.test(word)),
    };
  });
}

const usualNames = ["GNUmakefile", "makefile", "Makefile"];

function makeFile(
  files: TreeFiles,
  { folder, file }: Pick<MakeCall, "folder" | "file">,
): { readonly from: string; readonly text: string } {
  const names = (file === undefined ? usualNames : [file]).map((name) => `${folder}${name}`);
  const from = names.find((name) => files.text(name) !== undefined) ?? "";
  return { from, text: (files.text(from) ?? "").replaceAll(/\\\n[ \t]*/g, " ") };
}

/** What make takes without a target. */
const firstTarget = (text: string): string => /^([\w/+-][\w./+-]*)[ \t]*:(?!=)/m.exec(text)?.[1] ?? "";

/** Lines that hold for every recipe, or for which rules there are: the shell, make's own options, other files, conditions. */
function decidingLines(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => (deciding.test(line) ? [line.trim()] : []));
}

const deciding =
  /^(?:(?:override\s+)?(?:SHELL|\.SHELLFLAGS|\w*MAKEFLAGS|MFLAGS|MAKEFILES)\s*[:?+!]*=|\.(?:IGNORE|ONESHELL|POSIX|DEFAULT|SECONDEXPANSION)\b|(?:un)?export\b|[-s]?include\b|(?:ifeq|ifneq|ifdef|ifndef|else|endif|define|endef|load)\b|\$)/;

/** make takes a target for built if there is a file of its name, unless the target is phony. */
function notBuiltText(files: TreeFiles, text: string, path: string): readonly string[] {
  const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
  const target = path.slice(path.lastIndexOf("/") + 1);
  const isPhony = [...text.matchAll(/^\.PHONY[ \t]*:(.*)$/gm)].some(([, names = ""]) =>
    names.trim().split(/\s+/).includes(target),
  );
  return isPhony || !files.names(folder).includes(target) ? [] : [`${path} is also a file, and not .PHONY`];
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
  return (
    targets
      ?.trim()
      .split(/\s+/)
      .some((name) => name === target || matches(name, target)) ?? false
  );
}

/** `%` and `te%` are rules for `test`. */
function matches(pattern: string, target: string): boolean {
  const [start = "", end, ...more] = pattern.split("%");
  if (end === undefined || more.length > 0) return false;
  return target.length > start.length + end.length && target.startsWith(start) && target.endsWith(end);
}

/** The lines that set variables of the recipes, and of each other. */
function variablesIn(rules: string, text: string): readonly string[] {
  const found: string[] = [];
  const names = (lines: string): readonly string[] =>
    [...lines.replaceAll("$$", "").matchAll(/\$(?:[({](?:call\s+)?([\w-]+)|(\w))/g)].map(
      ([, name, letter = ""]) => name ?? letter,
    );
  const open = [...names(rules)];
  const seen = new Set<string>();
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const sets = new RegExp(
      `^(?:(?:export|override)[ \\t]+)?(?:${name}[ \\t]*(?:::?|\\?|\\+|!)?=.*$|define[ \\t]+${name}\\b[^]*?^endef)`,
      "gm",
    );
    for (const [line] of text.matchAll(sets)) {
      found.push(line.trim());
      open.push(...names(line));
    }
  }
  return found;
}
