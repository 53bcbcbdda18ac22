// The block of tasks as a planner writes it. It is parsed strictly. Only if YAML would refuse a title, a description, a criterion, a command or
// a path, or read something other than its text, that text is quoted, and the block parsed strictly again.

import { type Document, isMap, isScalar, isSeq, parseDocument, Scalar } from "yaml";

export type BlockValue =
  | { readonly value: unknown; readonly repairs: readonly string[] }
  | { readonly problems: readonly string[] };

export function readTaskYaml(text: string): BlockValue {
  const strict = parseDocument(text, { strict: true, uniqueKeys: true });
  if (troublesOf(strict).length === 0 && keepsItsTexts(strict, text)) return valueIn(strict, []);
  const quoted = new Quoter(text);
  const document = parseDocument(quoted.text, { strict: true, uniqueKeys: true });
  const troubles = troublesOf(document);
  if (troubles.length === 0) return valueIn(document, quoted.repairs);
  return { problems: troubles.map((message) => `the tasks block is not valid YAML: ${message}\n${advice}`) };
}

const advice = 'Put texts in double quotes, such as - "`limit(2)` returns: true".';

function troublesOf({ errors, warnings }: Document.Parsed): readonly string[] {
  return [...errors, ...warnings].map(({ message }) => message.trimEnd());
}

function valueIn(document: Document.Parsed, repairs: readonly string[]): BlockValue {
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), repairs };
  } catch (error) {
    return { problems: [`the tasks block cannot be read: ${error instanceof Error ? error.message : error}`] };
  }
}

const fieldNames = [
  ...["id", "title", "description", "files", "criteria", "commands"],
  ...["covers", "dependsOn", "complexity", "tdd"],
];
/** Behind a path or a command a hash begins a comment; anywhere else it belongs to the text. */
const texts: ReadonlySet<string> = new Set(["title", "description", "criteria"]);
const quotable: ReadonlySet<string> = new Set([...texts, "commands", "files"]);

const isList = (field: string): boolean => field !== "title" && field !== "description";

function fieldNamed(name: string): string | undefined {
  const spelled = (word: string): string => word.toLowerCase().replaceAll(/[\s_-]+/g, "");
  return fieldNames.find((known) => spelled(known) === spelled(name));
}

/** Whether every text of the block is read as it is written. */
function keepsItsTexts({ contents }: Document.Parsed, source: string): boolean {
  const list = isMap(contents) ? contents.get("tasks") : contents;
  if (!isSeq(list)) return true;
  return list.items.every((item) => {
    if (!isMap(item)) return true;
    return item.items.every(({ key, value }) => {
      const name = fieldNamed(String(key)) ?? "";
      return !quotable.has(name) || isKept(value, source, texts.has(name));
    });
  });
}

function isKept(node: unknown, source: string, isText: boolean): boolean {
  if (isSeq(node)) return node.items.every((item) => isKept(item, source, isText));
  if (node === null || (isScalar(node) && node.value === null && node.source === "")) return true;
  if (!isScalar(node) || typeof node.value !== "string" || node.anchor || node.tag) return false;
  const [, end = 0] = node.range ?? [];
  const rest = source.slice(end).split("\n", 1)[0] ?? "";
  return !isText || node.type !== Scalar.PLAIN || !/^\s+#/.test(rest);
}

interface Field {
  readonly name: string;
  readonly indent: number;
  /** Where the name begins, and where its value does. */
  readonly column: number;
  readonly from: number;
  readonly hasDash: boolean;
}

/** Goes through the lines and quotes the texts that need it. */
class Quoter {
  readonly repairs: string[] = [];
  readonly #lines: readonly string[];
  readonly #written: string[] = [];
  #taskIndent: number | undefined;
  #column = 0;
  #field = "";

  constructor(source: string) {
    this.#lines = source.split(/\r\n|\r|\n/).map((line) => line.replace(/^\t+/, (tabs) => "  ".repeat(tabs.length)));
    for (let at = 0; at < this.#lines.length; ) at = this.#take(at);
  }

  get text(): string {
    return this.#written.join("\n");
  }

  /** Writes what begins in this line, and returns the line after it. */
  #take(at: number): number {
    const line = this.#lines[at] ?? "";
    const field = this.#fieldAt(line);
    if (field) {
      if (field.hasDash) [this.#taskIndent, this.#column] = [field.indent, field.column];
      this.#field = field.name;
    }
    const item = /^\s*(?:-\s+)+/.exec(line)?.[0].length;
    const from = field ? field.from : item;
    const hasText = from !== undefined && line.slice(from).trim() !== "";
    if (hasText && quotable.has(this.#field)) return this.#quote(at, from, !field);
    this.#written.push(line);
    return at + 1;
  }

  #fieldAt(line: string): Field | undefined {
    const [, indent = "", dash = "", , said = "", colon = ""] =
      /^(\s*)((?:-\s+)?)(["']?)([A-Za-z][\w-]*)\3(\s*:(?:\s+|$))/.exec(line) ?? [];
    const name = fieldNamed(said);
    if (name === undefined) return undefined;
    const column = indent.length + dash.length;
    const isTask = dash !== "" && (this.#taskIndent === undefined || indent.length <= this.#taskIndent);
    if (!isTask && (dash !== "" || column !== this.#column)) return undefined;
    const from = line.indexOf(colon, column) + colon.length;
    return { name, indent: indent.length, column, from, hasDash: isTask };
  }

  #quote(at: number, from: number, isItem: boolean): number {
    const first = this.#lines[at] ?? "";
    const end = this.#endOf(at, isItem);
    const rest = this.#lines.slice(at + 1, end);
    if (/^[|>][+\-\d]*\s*(#.*)?$/.test(first.slice(from))) return this.#blockText(at, end);
    const raw = [first.slice(from), ...rest].join("\n");
    // A file that is named with more about it, such as what happens to it.
    const isMapOfFile = isItem && this.#field === "files" && /^\s*path:\s/m.test(raw);
    const isShifted = rest.some((line) => line.trim() !== "" && indentOf(line) <= this.#column - (isItem ? 1 : 0));
    const quoted = isItem || !isList(this.#field) || !raw.startsWith("[") ? quotedText(raw) : quotedList(raw);
    const isFine = !isShifted && isReadAsIs(raw, texts.has(this.#field));
    if (isFine || isMapOfFile || quoted === undefined) this.#written.push(first, ...rest);
    else {
      this.#written.push(`${first.slice(0, from)}${quoted}`);
      this.#repaired(at);
    }
    return end;
  }

  /** Lines that a text over several lines lost to a wrong indentation are part of it again. */
  #blockText(at: number, end: number): number {
    const [head = "", ...lines] = this.#lines.slice(at, end);
    const depth = indentOf(lines.find((line) => line.trim() !== "") ?? "");
    const shifted = lines.map((line) =>
      line.trim() === "" ? line : line.padStart(line.length + depth - indentOf(line)),
    );
    if (shifted.some((line, index) => line !== lines[index])) this.#repaired(at);
    this.#written.push(head, ...shifted);
    return end;
  }

  /** Up to the next field, or the next item of a list. */
  #endOf(at: number, isItem: boolean): number {
    const own = indentOf(this.#lines[at] ?? "");
    const isNext = (line: string): boolean =>
      this.#fieldAt(line) !== undefined ||
      (/^\s*-(\s|$)/.test(line) && indentOf(line) <= (isItem ? own : this.#column));
    let end = at + 1;
    while (end < this.#lines.length && !isNext(this.#lines[end] ?? "")) end++;
    while (end > at + 1 && /^\s*(#.*)?$/.test(this.#lines[end - 1] ?? "")) end--;
    return end;
  }

  #repaired(at: number): void {
    this.repairs.push(`${this.#field}, line ${at + 1} of the block`);
  }
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

function isReadAsIs(raw: string, isText: boolean): boolean {
  const document = parseDocument(raw, { strict: true });
  if (troublesOf(document).length > 0) return false;
  const { contents } = document;
  if (isSeq(contents)) return contents.items.every((item) => isKept(item, raw, isText));
  return isKept(contents, raw, isText);
}

/** Where a quote at the beginning has no end, it is not known whether it belongs to the text. */
function quotedText(raw: string): string | undefined {
  if (/^["']/.test(raw) && !raw.includes(raw.charAt(0), 1)) return undefined;
  const lines = raw.split("\n").map((line) => line.trim());
  const text = lines.join("\n").trim();
  return JSON.stringify(insideQuotes(text) ?? text);
}

/**
 * The text between quotes that YAML could not read: it has a backslash that escapes nothing, or the same quotes inside. Those are
 * inside if the first one after the beginning stands before a letter, where no text ends: not in `"one" and "two"`.
 */
function insideQuotes(text: string): string | undefined {
  const [, quote = "", inner = ""] = /^(["'])([\s\S]*)\1$/.exec(text) ?? [];
  if (quote === "") return undefined;
  const plain = quote === '"' ? inner.replaceAll(/\\(["\\/])/g, "$1") : inner.replaceAll("''", "'");
  const next = quote === '"' ? /(?<!\\)"(.?)/s.exec(inner) : /'(?!')(.?)/s.exec(inner.replaceAll("''", ""));
  return next === null || /[\p{L}\p{N}]/u.test(next[1] ?? "") ? plain : undefined;
}

/** A list between brackets, item by item, unless it has brackets inside, or quotes and more than one item. */
function quotedList(raw: string): string | undefined {
  const [, single] = /^\[\s*([^"',[\]{}\s][^,[\]{}]*)\]\s*$/.exec(raw) ?? [];
  const [, inner] = /^\[([^"'[\]{}]*)\]\s*$/.exec(raw) ?? [];
  const items = single ? [single] : inner?.split(/,(?:\s+|$)/).filter((item) => item.trim() !== "");
  return items && `[${items.map((item) => JSON.stringify(item.trim())).join(", ")}]`;
}
