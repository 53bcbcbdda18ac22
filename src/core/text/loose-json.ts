// JSON as models write it. Whatever has one reading is read: comments, commas that are missing at a line's end or one too many,
// single quotes, bare keys and words, raw line breaks in strings, backslashes that escape nothing. What has two readings, or is
// cut off, is a problem with its place. A key that stands twice with different values is one: a reader that keeps one of them
// loses the other.

export type LooseJson =
  | { readonly ok: true; readonly value: unknown }
  /** `isCut`: the text ends too early, or says two things: something of it may be lost. */
  | { readonly ok: false; readonly problem: string; readonly isCut: boolean };

export function readJson(text: string): LooseJson {
  const reader = new Reader(text);
  try {
    const value = reader.value(0);
    reader.end();
    return { ok: true, value };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, problem: error.message, isCut: error.isCut };
    throw error;
  }
}

class Unreadable extends Error {
  readonly isCut: boolean;
  constructor(message: string, isCut: boolean) {
    super(message);
    this.isCut = isCut;
  }
}

/** Deeper than any answer; a text of a million brackets must not exhaust the stack. */
const deepest = 200;

const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const pythonWords: Readonly<Record<string, unknown>> = { True: true, False: false, None: null };
const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "/": "/",
  "\\": "\\",
  '"': '"',
};
/** How strings begin, and what ends them. */
const quotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", "\u201c": "\u201d" };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, "");
  }

  value(depth: number): unknown {
    if (depth > deepest) throw this.#problem("it is nested too deeply");
    this.#skip();
    const next = this.#text[this.#at];
    if (next === "{") return this.#object(depth);
    if (next === "[") return this.#list(depth);
    if (next !== undefined && quotes[next]) return this.#string();
    return this.#word();
  }

  /** Nothing may follow the value. */
  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw this.#problem("there is something after the end of the value");
  }

  #object(depth: number): unknown {
    const fields = new Map<string, unknown>();
    this.#each("}", () => {
      const key = this.#key();
      this.#skip();
      if (this.#text[this.#at] !== ":") throw this.#problem(`expected ":" after "${key}"`);
      this.#at += 1;
      const value = this.value(depth + 1);
      if (fields.has(key) && JSON.stringify(fields.get(key)) !== JSON.stringify(value))
        throw this.#lost(`"${key}" is given twice in one object, with different values`);
      fields.set(key, value);
    });
    return Object.fromEntries(fields);
  }

  #list(depth: number): unknown {
    const items: unknown[] = [];
    this.#each("]", () => items.push(this.value(depth + 1)));
    return items;
  }

  /** Items up to the closing bracket. Between two of them is a comma, or at least the end of a line. */
  #each(close: string, item: () => void): void {
    this.#at += 1;
    this.#skip();
    while (this.#text[this.#at] !== close) {
      if (this.#at >= this.#text.length) throw this.#lost(`it ends before a closing "${close}"`);
      item();
      const isNewLine = this.#skip();
      const isComma = this.#text[this.#at] === ",";
      if (isComma) this.#at += 1;
      else if (this.#at >= this.#text.length) throw this.#lost(`it ends before a closing "${close}"`);
      else if (!isNewLine && this.#text[this.#at] !== close)
        throw this.#problem(`expected "," or "${close}": is a quote inside a text not escaped?`);
      this.#skip();
    }
    this.#at += 1;
  }

  #key(): string {
    const next = this.#text[this.#at] ?? "";
    if (quotes[next]) return this.#string();
    return this.#match(/[A-Za-z_$][\w$-]*/y) ?? this.#fail("expected a key in double quotes");
  }

  #string(): string {
    const from = this.#at;
    const close = quotes[this.#text[from] ?? ""] ?? '"';
    let said = "";
    for (this.#at += 1; this.#at < this.#text.length; ) {
      const next = this.#text[this.#at] ?? "";
      if (next === close) {
        this.#at += 1;
        return said;
      }
      said += next === "\\" ? this.#escape(close) : next;
      this.#at += next === "\\" ? 0 : 1;
    }
    this.#at = from;
    throw this.#lost("the text that begins here never ends");
  }

  /** What escapes nothing is a backslash that stands for itself. */
  #escape(close: string): string {
    const unicode = this.#match(/\\u[0-9a-fA-F]{4}/y);
    if (unicode) return String.fromCharCode(Number.parseInt(unicode.slice(2), 16));
    const next = this.#text[this.#at + 1] ?? "";
    const known = next === close || next === "'" ? next : escapes[next];
    this.#at += known === undefined ? 1 : 2;
    return known ?? "\\";
  }

  #word(): unknown {
    const number = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.-])/y);
    if (number !== undefined) return Number(number);
    const word = this.#match(/[A-Za-z][\w-]*(?=\s*(?:[,}\]\n\r]|\/\/|$))/y);
    if (word === undefined) return this.#fail("expected a value");
    return Object.hasOwn(words, word) ? words[word] : Object.hasOwn(pythonWords, word) ? pythonWords[word] : word;
  }

  /** White space and comments. Returns whether a line ended in them. */
  #skip(): boolean {
    const said = this.#match(/(?:[\s\u00A0]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|#[^\n\r]*)+/y) ?? "";
    return /[\n\r]/.test(said);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #fail(what: string): never {
    throw this.#at >= this.#text.length ? this.#lost("it ends too early") : this.#problem(what);
  }

  #lost(what: string): Unreadable {
    return this.#problem(what, true);
  }

  #problem(what: string, isCut = false): Unreadable {
    const before = this.#text.slice(0, this.#at).split("\n");
    return new Unreadable(`${what} (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`, isCut);
  }
}
