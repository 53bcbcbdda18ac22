// Markdown's marks for a heading, for strong words and for code, shown as what they mean where a screen can.

/**
 * A line with its heading, strong words and code in bold instead of in marks. Where bold shows nothing, the marks stay. A command that is
 * copied together with its backticks would run what it prints.
 */
export function emphasized(line: string, bold: (text: string) => string): string {
  const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
  if (heading !== undefined) return replaced(line, unmarked(heading), bold);
  return line.replace(marks, (marked, words?: string, code?: string) => replaced(marked, words ?? code ?? "", bold));
}

/** Strong words, never inside of a word or of code, such as `2**8` or a glob; and code between single backticks. */
const marks = /(?<![\w*`])\*\*(?=[^\s*])([^*`]*[^\s*`])\*\*(?![\w*`])|(?<!`)`([^`\s](?:[^`]*[^`\s])?)`(?!`)/g;

const unmarked = (text: string): string => text.replace(marks, "$1$2");

function replaced(marked: string, words: string, bold: (text: string) => string): string {
  const shown = bold(words);
  return shown === words ? marked : shown;
}
