// JSON from outside, which may not be JSON.

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** A key that stands twice in one object with different values: a parser keeps the last and loses the other. The text is JSON. */
export function keyGivenTwice(json: string): string | undefined {
  const tokens = json.match(/[{}[\]:,]|"(?:[^"\\]|\\.)*"|[^\s{}[\]:,"]+/g) ?? [];
  const open: OpenValue[] = [];
  for (const [at, token] of tokens.entries()) {
    const around = open.at(-1);
    if (token === ":" || token === ",") continue;
    if (token === "{" || token === "[")
      open.push({ from: at, values: new Map(), key: token === "{" ? null : undefined });
    else if (around?.key === null && token !== "}") around.key = JSON.parse(token);
    else {
      const from = token === "}" || token === "]" ? (open.pop()?.from ?? at) : at;
      const owner = open.at(-1);
      if (typeof owner?.key !== "string") continue;
      const known = owner.values.get(owner.key);
      const text = (range: TokenRange): string => tokens.slice(range[0], range[1] + 1).join("");
      if (known && text(known) !== text([from, at])) return owner.key;
      owner.values.set(owner.key, [from, at]);
      owner.key = null;
    }
  }
  return undefined;
}

type TokenRange = readonly [from: number, to: number];

/** An object or a list whose end has not come. In an object `key` waits for its value, or is null; a list has none. */
interface OpenValue {
  readonly from: number;
  readonly values: Map<string, TokenRange>;
  key: string | null | undefined;
}
