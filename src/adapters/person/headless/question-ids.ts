// Patterns of question ids: `#` stands for a number, `*` for any text.

/** Whether some id fits both. In a key only `*` has a meaning of its own. */
export function canMatch(key: string, pattern: string): boolean {
  return meet(key, pattern.replaceAll("#", digit + digits), new Set());
}

/** One digit, and any number of them: together what `#` stands for. No id holds such characters. */
const [digit, digits] = ["\u0001", "\u0002"];

/** Whether two patterns have a text in common. `failed` holds the ends that have none, by their lengths. */
function meet(left: string, right: string, failed: Set<string>): boolean {
  if (left === "" && right === "") return true;
  const ends = `${left.length} ${right.length}`;
  if (failed.has(ends)) return false;
  failed.add(ends);
  const [one = "", other = ""] = [left[0], right[0]];
  if (repeats(one) && meet(left.slice(1), right, failed)) return true;
  if (repeats(other) && meet(left, right.slice(1), failed)) return true;
  if ((repeats(one) && repeats(other)) || !overlap(one, other)) return false;
  return meet(repeats(one) ? left : left.slice(1), repeats(other) ? right : right.slice(1), failed);
}

/** Stands for any number of characters, none included. */
const repeats = (token: string): boolean => token === "*" || token === digits;

function overlap(one: string, other: string): boolean {
  if (one === "" || other === "") return false;
  if (one === "*" || other === "*" || one === other) return true;
  return isNumber(one) ? isNumber(other) || /\d/.test(other) : isNumber(other) && /\d/.test(one);
}

const isNumber = (token: string): boolean => token === digit || token === digits;
