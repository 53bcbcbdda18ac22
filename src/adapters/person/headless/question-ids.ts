// Which questions there are. An answers file may name others only by mistake.

/** `#` stands for a number, `*` for any text. */
export const knownQuestions: readonly string[] = [
  "triage.mode",
  "triage.breadth",
  "brainstorm.question.#",
  "brainstorm.question.#.discuss",
  "brainstorm.approach",
  "brainstorm.approach.other",
  "brainstorm.section.#",
  "brainstorm.section.#.feedback",
  "plan.review",
  "plan.review.guidance",
  "plan.approval",
  "plan.feedback",
  "plan.commit",
  "configure.*",
  "preflight.*",
  "execute.start",
  "execute.forecast",
  "execute.task.#.bigger",
  "execute.task.#.escalation",
  "execute.task.#.nothing",
  "execute.task.#.commit",
  "execute.task.#.head",
  "execute.checkpoint",
  "execute.adjust",
  "part.#.next",
  "budget.warn",
  "budget.near",
  "budget.limit",
  "budget.amount",
  "finalize.fix",
  "finalize.docs",
  "finalize.fix.commit",
  "finalize.fix.head",
  "finalize.docs.commit",
  "finalize.documents.commit",
  "run.restore",
  "run.diverged",
  "*.failed",
  "*.unparsable",
  "*.touched",
];

/** Whether some id fits both patterns. A key is an id in which `*` stands for any text. */
export function canMatch(key: string, pattern: string): boolean {
  return meet(tokens(key, "*"), tokens(pattern, "*#"));
}

type Token = { readonly is: "character"; readonly text: string } | { readonly is: "any" | "digit" | "digits" };

function tokens(pattern: string, wildcards: string): readonly Token[] {
  return [...pattern].flatMap((text): readonly Token[] => {
    if (!wildcards.includes(text)) return [{ is: "character", text }];
    return text === "*" ? [{ is: "any" }] : [{ is: "digit" }, { is: "digits" }];
  });
}

/** Whether two patterns have a text in common: row by row, as for the longest common subsequence. */
function meet(left: readonly Token[], right: readonly Token[]): boolean {
  // reach[j]: the left tokens so far and the first j right ones have a text in common.
  let reach = startRow(right);
  for (const token of left) {
    const next = [repeats(token) && reach[0] === true];
    for (let j = 1; j <= right.length; j++) {
      const other = right[j - 1];
      if (other === undefined) break;
      const together = reach[j - 1] === true && overlap(token, other);
      const more = repeats(token) && (reach[j] === true || (next[j - 1] === true && overlap(token, other)));
      const less = repeats(other) && (next[j - 1] === true || (reach[j] === true && overlap(token, other)));
      next.push(together || more || less);
    }
    reach = next;
  }
  return reach[right.length] === true;
}

function startRow(right: readonly Token[]): boolean[] {
  const row = [true];
  for (const token of right) row.push(repeats(token) && row.at(-1) === true);
  return row;
}

/** Stands for any number of characters, none included. */
function repeats(token: Token): boolean {
  return token.is === "any" || token.is === "digits";
}

function overlap(one: Token, other: Token): boolean {
  if (one.is === "any" || other.is === "any") return true;
  if (one.is === "character" && other.is === "character") return one.text === other.text;
  const character = one.is === "character" ? one : other;
  return character.is !== "character" || /\d/.test(character.text);
}
