// Texts a model answers with: well-formed blocks, and the damaged ones that real models send too.

/** An answer with one fenced block, after a line of prose. */
export function answerWith(fence: string, value: unknown, prose = "Here is my answer."): string {
  return `${prose}\n\n\`\`\`${fence}\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;
}

/** The same answer with its last bracket missing: not JSON. */
export function brokenAnswer(fence: string, value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return `Here is my answer.\n\n\`\`\`${fence}\n${json.slice(0, -1)}\n\`\`\`\n`;
}

/** An answer in words alone. */
export function answerWithoutBlock(): string {
  return "I have looked at everything and it is fine, so there is nothing more to say.";
}

/** Line and paragraph separators: line breaks to some readers, plain characters to JSON. */
export const separators = "before\u2028between\u2029after";

/** Characters of two, three and four bytes. */
export const multiByte = "naïve 水位 🪣 Größe";

/** A text of at least so many bytes that is not the same line again and again. */
export function longText(bytes: number): string {
  const lines: string[] = [];
  for (let size = 0, line = 0; size < bytes; line++) {
    const text = `line ${line}: ${(line * 2654435761) % 4294967296} tokens in the bucket\n`;
    lines.push(text);
    size += text.length;
  }
  return lines.join("");
}

export const eightMegabytes = 8 * 1024 * 1024;
