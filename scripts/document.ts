// npm run document: writes the parts of the documents that come from somewhere else: the configuration's keys from its
// schema, what the modes turn on from their table, the benchmark's numbers from its last results.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { PromptLine } from "../bench/prompts.ts";
import { ceremonies } from "../src/core/run/ceremony.ts";
import { Config, modes } from "../src/core/run/config.ts";
import { RunEvent } from "../src/core/run/event-schema.ts";

const project = join(import.meta.dirname, "..");

/** Each document with the part in it that is written here. */
export const written = [
  { file: "docs/guides/configuration.md", part: "keys", make: keyTable },
  { file: "docs/guides/costs.md", part: "modes", make: modeTable },
  { file: "docs/numbers.md", part: "numbers", make: numberTable },
  { file: "docs/numbers.md", part: "prompts", make: promptTable },
] as const;

/** The document as it should be. What stands around the part is left as it is. */
export function documented({ file, part, make }: (typeof written)[number]): string {
  const text = readFileSync(join(project, file), "utf8");
  const [begin, end] = [`<!-- ${part}: written by npm run document -->\n`, `<!-- ${part}: end -->`];
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < 0) throw new Error(`${file} has no place for its ${part}: ${begin}${end}`);
  return `${text.slice(0, before)}${begin}\n${make()}\n${text.slice(after)}`;
}

interface Part {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly items?: Part;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly additionalProperties?: Part | false;
  readonly propertyNames?: { readonly enum?: readonly string[] };
}

function keyTable(): string {
  // The part of JSON schema that this schema uses.
  const schema = z.toJSONSchema(Config, { io: "input" }) as Part;
  return table(["key", "value", "default", "meaning"], rowsOf(schema, []));
}

/** A column per mode, a row per thing a mode turns on. */
function modeTable(): string {
  const row = (what: string, cell: (ceremony: (typeof ceremonies)["full"]) => string) => [
    what,
    ...modes.map((mode) => cell(ceremonies[mode])),
  ];
  const yesNo = (yes: boolean): string => (yes ? "yes" : "no");
  const finals = { never: "no", "of-several": "of several tasks", always: "yes" } as const;
  const designs = { none: "no: the goal is the design", page: "one page", sections: "section by section" } as const;
  return table(
    ["", ...modes.map((mode) => `\`${mode}\``)],
    [
      row("in short", ({ meaning }) => meaning),
      row("questions", ({ questions }) => yesNo(questions)),
      row("approaches to choose from", ({ approaches }) => yesNo(approaches)),
      row("design", ({ design }) => designs[design]),
      row("plan", ({ planner }) => (planner ? "by the planner" : "one task, made by code")),
      row("plan review by agents", ({ planReview }) => yesNo(planReview)),
      row("reviewers of a task", ({ reviewers }) => reviewers.map((role) => role.replace("-reviewer", "")).join(", ")),
      row("rounds before you are asked", ({ rounds }) => String(rounds)),
      row("fixed from severity", ({ blockOn }) => `\`${blockOn}\``),
      row("final review", ({ finalReview }) => finals[finalReview]),
      row("documentation offered", ({ docs }) => yesNo(docs)),
      row("documents in `docs/plans/`", ({ documents }) => yesNo(documents)),
    ],
  );
}

function rowsOf(part: Part, path: readonly string[]): readonly (readonly string[])[] {
  const { properties, additionalProperties: named, description = "" } = part;
  if (properties) return Object.entries(properties).flatMap(([key, inner]) => rowsOf(inner, [...path, key]));
  if (named) return rowsOf({ description, ...named }, [...path, anyOf(part)]);
  return [[`\`${path.join(".")}\``, kindOf(part), defaultOf(part), description]];
}

/** What stands for the keys of a record: the roles are those of the pipelines. */
function anyOf({ propertyNames }: Part): string {
  const names = propertyNames?.enum ?? [];
  return names.length === 0 ? "<role>" : `<${names.join("|")}>`;
}

function kindOf({ type, enum: values, items }: Part): string {
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  const words: Readonly<Record<string, string>> = {
    string: "text",
    number: "number",
    integer: "whole number",
    boolean: "`true`, `false`",
  };
  return type === "array" ? `list of ${kindOf(items ?? {})}` : (words[type ?? ""] ?? "");
}

function defaultOf({ default: value }: Part): string {
  return value === undefined ? "unset" : `\`${JSON.stringify(value)}\``;
}

interface Results {
  readonly results: readonly {
    readonly name: string;
    readonly what: string;
    readonly ratio: number;
    readonly ok: boolean;
    readonly bar: number;
    readonly prompts?: readonly PromptLine[];
  }[];
}

const measured = (): Results => JSON.parse(readFileSync(join(project, "bench/results.json"), "utf8"));

function numberTable(): string {
  const { results } = measured();
  const rows = results.map(({ name, what, ratio, bar, ok }) => {
    return [`\`${name}\``, what, `${figure(what, ratio)}${ok ? "" : ", missed"}`, `≤ ${bar.toLocaleString("en-US")}`];
  });
  return table(["row", "what is divided by what", "measured", "bar"], rows);
}

/** A ratio or a share has two decimals, a count none. */
const figure = (what: string, value: number): string =>
  what.includes(" / ") || what.startsWith("share ") ? value.toFixed(2) : Math.round(value).toLocaleString("en-US");

function promptTable(): string {
  const lines = measured().results.flatMap(({ prompts = [] }) => prompts);
  const rows = lines.map(({ who, dispatches, system, prompt, shared }) => [
    who === "task" ? "one task, all three" : `\`${who}\``,
    `${dispatches}`,
    `${system}`,
    `${prompt}`,
    shared === null ? "" : `${shared} %`,
  ]);
  return table(["given to", "dispatches", "system text", "prompt", "same as the one before"], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // A bar within a cell would end it.
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const lines = [head, head.map(() => "---"), ...rows].map(line);
  return `${lines.join("\n")}\n`;
}

/** The events of `--json` as JSON Schema, for programs in other languages. */
export const eventSchemaFile = "docs/events.schema.json";

export function eventSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(RunEvent), null, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) {
  for (const one of written) writeFileSync(join(project, one.file), documented(one));
  writeFileSync(join(project, eventSchemaFile), eventSchema());
}
