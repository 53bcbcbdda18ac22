// Reads JSON, with comments from `//` to the end of a line, and says where and why a text is not JSON. What the runtime reports has no place for most mistakes, so a
// text that does not parse is walked once more, token by token.

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly what: string };

export function readJson(written: string): JsonReading {
  const text = withoutComments(written);
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { at, what } = firstMistake(text) ?? { at: text.length, what: error.message };
    const before = text.slice(0, at).split("\n");
    return { ok: false, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, what };
  }
}

/** Blanks in the place of comments: everything else stays where it was. */
function withoutComments(text: string): string {
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*/g, (part) =>
    part.startsWith("//") ? " ".repeat(part.length) : part,
  );
}

/** What may come next, in words. Behind a whole value it depends on what the value is in: at the top, the file ends. */
type Expected = "a value" | "a value or ]" | Key | `${Key} or }` | "a colon" | typeof after;
type Key = 'a key in "double quotes"';
const after = "the end of the file";

const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

function firstMistake(text: string): { readonly at: number; readonly what: string } | undefined {
  const inside: string[] = [];
  let expected: Expected = "a value";
  token.lastIndex = 0;
  for (;;) {
    const from = token.lastIndex;
    const found = token.exec(text);
    const sign = found?.[1] ?? (found?.[2] === undefined ? "scalar" : "string");
    const next: Expected | undefined = found ? step(expected, sign, inside) : undefined;
    if (next !== undefined) {
      expected = next;
      continue;
    }
    const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
    if (at === text.length && expected === after && inside.length === 0) return undefined;
    return { at, what: complaint(text.slice(at), expected, inside.at(-1)) };
  }
}

const aValue = { string: after, scalar: after, "{": 'a key in "double quotes" or }', "[": "a value or ]" } as const;

/** What each sign leads to, where it is allowed. */
const steps: Readonly<Record<Exclude<Expected, typeof after>, Readonly<Record<string, Expected | "close">>>> = {
  "a value": aValue,
  "a value or ]": { ...aValue, "]": "close" },
  'a key in "double quotes"': { string: "a colon" },
  'a key in "double quotes" or }': { string: "a colon", "}": "close" },
  "a colon": { ":": "a value" },
};
const stepsAfter: Readonly<Record<string, Readonly<Record<string, Expected | "close">>>> = {
  "{": { ",": 'a key in "double quotes"', "}": "close" },
  "[": { ",": "a value", "]": "close" },
};

/** What is expected after this sign, or undefined when it is not allowed here. */
function step(expected: Expected, sign: string, inside: string[]): Expected | undefined {
  const next = expected === after ? stepsAfter[inside.at(-1) ?? ""]?.[sign] : steps[expected][sign];
  if (next !== undefined && (sign === "{" || sign === "[")) inside.push(sign);
  if (next !== "close") return next;
  inside.pop();
  return after;
}

function complaint(rest: string, expected: Expected, around: string | undefined): string {
  const wanted = expected === after && around !== undefined ? `a comma or ${around === "{" ? "}" : "]"}` : expected;
  if (rest === "") return `the file ends where ${wanted} is expected`;
  if (rest.startsWith("/*")) return "a comment begins with // and ends with its line";
  const trailing =
    (expected === 'a key in "double quotes"' && rest.startsWith("}")) ||
    (expected === "a value" && rest.startsWith("]"));
  if (trailing) return "there is an extra comma before this";
  if (rest.startsWith('"')) {
    return expected === after
      ? `${wanted} is expected before this text`
      : "this text has no end, or a character that needs a backslash";
  }
  return `${wanted} is expected, not ${JSON.stringify([...rest.slice(0, 2)][0])}`;
}
