// Markdown's marks for a heading and for strong words, shown as what they mean where a screen can.

/** A line with its headings and strong words in bold instead of in marks. Where bold shows nothing, the marks stay. */
export function emphasized(line: string, bold: (text: string) => string): string {
  const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
  if (heading !== undefined) return replaced(line, unmarked(heading), bold);
  return line.replace(strong, (marked, words: string) => replaced(marked, words, bold));
}

/** Never inside of a word or of code, such as `2**8` or a glob. */
const strong = /(?<![\w*`])\*\*(?=[^\s*])([^*`]*[^\s*`])\*\*(?![\w*`])/g;

const unmarked = (text: string): string => text.replace(strong, "$1");

function replaced(marked: string, words: string, bold: (text: string) => string): string {
  const shown = bold(words);
  return shown === words ? marked : shown;
}
