// How a test command is made to say which tests pass: by a variable where its runner reads one, else by an option when the
// command is the runner itself. The project's files are never touched. What has no row in the table is judged by its exit code.

import { denoTasks } from "./definition.ts";
import { definitionOf } from "./package-commands.ts";
import { type None, type ReportFormat, type ReportSource, runners, type TestRunner } from "./runners/table.ts";
import { jsonIn, type TreeFiles, textsOf } from "./tree-files.ts";

export interface Reporting {
  /** The runner, for people. */
  readonly reporter: string;
  readonly format: ReportFormat;
  readonly source: ReportSource;
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  /** It runs some of the tests alone: those that were asked for, and maybe others. */
  readonly isPart: boolean;
  /** The script continues after the runner has failed, or runs something beside it: its exit code may be of that. */
  readonly hasOthers: boolean;
  readonly none: None | undefined;
  readonly halts: RegExp | undefined;
  readonly strays: TestRunner["strays"];
}

export interface ReportWanted {
  /** Where a report may be written. */
  readonly file: string;
  /** The tests that are of interest; the runner runs all where it cannot do otherwise. */
  readonly only?: readonly string[];
}

export function reportingFor(
  command: string,
  files: TreeFiles,
  { file, only = [] }: ReportWanted,
): Reporting | { readonly why: string } {
  const script = scriptBehind(command, files);
  const all = `${command}\n${script.definition}`;
  const row = runners.find(({ sign }) => sign.test(all));
  if (row === undefined) return { why: "no reporter is known for it" };
  const { reporter, format, source = "file", unless, unlessIn, environment, options } = row;
  if (unless?.test(all)) return { why: `it asks ${reporter} for a report of its own` };
  const [other] = unlessIn?.sign.exec(files.text(unlessIn.path) ?? "") ?? [];
  if (other !== undefined) return { why: `${other} runs it (${unlessIn?.path})` };
  const runs = [...(script.definition || command).matchAll(new RegExp(row.sign, "g"))];
  if (runs.length > 1 && source === "file") return { why: `it runs ${reporter} more than once` };
  const isRunner = runs.length === 1 && row.sign.test(lastCommand(script.line) ?? "");
  if (options && !isRunner) return { why: `its script is more than ${reporter} alone` };
  const some = isRunner && only.length > 0 ? row.only?.(only, files) : undefined;
  const added = [options?.(file), isRunner ? row.extra?.(script.line) : undefined, some]
    .filter((one) => one !== undefined)
    .join(" ");
  return {
    reporter,
    format,
    source,
    command: added === "" ? command : `${command}${script.separator}${added}`,
    environment: environment?.(file) ?? {},
    isPart: some !== undefined,
    hasOthers: (script.definition || command).split("\n").some(hasMore),
    none: row.none,
    halts: row.halts,
    strays: row.strays,
  };
}

interface Script {
  /** The line that is run in the end. */
  readonly line: string;
  /** All that it runs by name. */
  readonly definition: string;
  /** What stands before options for that line. */
  readonly separator: string;
}

/** The script that a package manager's command runs, or deno's task; any other command is its own. */
function scriptBehind(command: string, files: TreeFiles): Script {
  const task = /^deno\s+task\s+\S+$/.test(command.trim()) ? denoTasks(command, files).definition : "";
  if (task !== "") return { line: task, definition: task, separator: " " };
  const match = /^(npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)$/.exec(command.trim());
  const scripts = textsOf(jsonIn(files, "package.json")?.["scripts"]);
  const [, manager = "", name = ""] = match ?? [];
  const line = scripts[name];
  if (line === undefined) return { line: command, definition: "", separator: " " };
  return { line, definition: definitionOf(scripts, name), separator: manager === "npm" ? " -- " : " " };
}

/** What options at the end of a line are options of: the only command, or the last one, which runs once all others have passed. */
function lastCommand(line: string): string | undefined {
  if (hasMore(line) || /[<>]/.test(line)) return undefined;
  const last = line.split("&&").at(-1);
  const isWhole = [`"`, "'"].every((quote) => (last?.split(quote).length ?? 0) % 2 === 1);
  return isWhole ? last : undefined;
}

/** Whether a line has more to it than commands of which each runs once the one before it has passed. */
const hasMore = (line: string): boolean => moreThanOne.test(line.replaceAll(/\d?>&\d/g, "")) || sideBySide.test(line);
const moreThanOne = /[|;`]|(?<!&)&(?!&)|\$\(/;
const sideBySide = /\brun-p\b|\bconcurrently\b|\b(?:npm-run-all2?|run-s)\b.*\s--?(?:c|p|continue|parallel)/;
