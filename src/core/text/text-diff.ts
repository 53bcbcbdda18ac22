// What changed between two versions of a text, line by line, in the form of a unified diff. For documents, which are no
// part of the tree and so in no diff of git's.

/** Above this many comparisons the lines in question are shown as replaced, all of them. */
const effortLimit = 4_000_000;

/** Empty when nothing changed. `context` lines are shown around each change. */
export function textDiff(before: string, after: string, context = 3): string {
  const lines = compare(split(before), split(after));
  if (lines.every((line) => line.sign === " ")) return "";
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some((line) => line.sign !== " "),
  );
  return lines
    .flatMap((line, index) => {
      if (near[index]) return [`${line.sign}${line.text}`];
      return near[index - 1] || index === 0 ? ["@@"] : [];
    })
    .join("\n");
}

interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [
    ...signed(" ", before.slice(0, start)),
    ...between(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...signed(" ", before.slice(before.length - end)),
  ];
}

/** The lines both have in common, as many as can be, and around them what went and what came. */
function between(before: readonly string[], after: readonly string[]): readonly Line[] {
  if (before.length * after.length > effortLimit) return [...signed("-", before), ...signed("+", after)];
  const common = commonTails(before, after);
  const lines: Line[] = [];
  let [left, right] = [0, 0];
  while (left < before.length && right < after.length) {
    if (before[left] === after[right]) {
      lines.push({ sign: " ", text: before[left] ?? "" });
      left++;
      right++;
    } else if ((common[left + 1]?.[right] ?? 0) >= (common[left]?.[right + 1] ?? 0)) {
      lines.push({ sign: "-", text: before[left++] ?? "" });
    } else {
      lines.push({ sign: "+", text: after[right++] ?? "" });
    }
  }
  return [...lines, ...signed("-", before.slice(left)), ...signed("+", after.slice(right))];
}

/** At [i][j]: how many lines the texts from line i and from line j on have in common, in order. */
function commonTails(before: readonly string[], after: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    const [row, next] = [rows[i], rows[i + 1]];
    if (!row || !next) continue;
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] = before[i] === after[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return rows;
}

function signed(sign: Line["sign"], texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ sign, text }));
}

const split = (text: string): readonly string[] => text.replace(/\r\n?/g, "\n").split("\n");
