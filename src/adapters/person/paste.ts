// Text that is pasted, told apart from keys that are pressed: a line break in it answers nothing. A field of one line shows
// each break as a mark and gives it back as a break.

export const lineMark = "⏎";

/** Asks the terminal to bracket what is pasted, and to stop it. */
export const [pastesBracketed, pastesPlain] = ["\x1b[?2004h", "\x1b[?2004l"];

const ctrlC = "\x03";
const [begin, end] = ["\x1b[200~", "\x1b[201~"];
/** Lines with something in them that arrive together: no hand types that fast. For terminals that do not bracket. */
const severalLines = /[^\0-\x1f\x7f](?:\r\n?|\n)+[^\0-\x1f\x7f]/;

/** Sorts what a terminal sends into keys and pasted texts. A paste may come in several pieces. */
export function pasteReader(to: { readonly keys: (keys: string) => void; readonly paste: (text: string) => void }) {
  let begun: string | undefined;
  const plain = (keys: string): void => {
    if (keys === "") return;
    if (severalLines.test(keys) && !keys.includes("\x1b")) to.paste(tidy(keys));
    else to.keys(keys);
  };
  return function hear(chunk: string): void {
    // A key alone is no part of a paste whose end was lost: nobody must be locked out.
    if (chunk === ctrlC) begun = undefined;
    const opening = begun === undefined ? chunk.indexOf(begin) : 0;
    if (opening < 0) {
      plain(chunk);
      return;
    }
    if (begun === undefined) plain(chunk.slice(0, opening));
    const text = begun === undefined ? chunk.slice(opening + begin.length) : begun + chunk;
    const closing = text.indexOf(end);
    begun = closing < 0 ? text : undefined;
    if (closing < 0) return;
    to.paste(tidy(text.slice(0, closing)));
    hear(text.slice(closing + end.length));
  };
}

/** Whether a terminal says that this was pasted. */
export function isPaste(keys: string): boolean {
  return keys.startsWith(begin);
}

export function markLines(text: string): string {
  return text.replaceAll("\n", lineMark);
}

export function unmarkLines(text: string): string {
  return text.replaceAll(lineMark, "\n");
}

/** Line breaks as LF, tabs as spaces, no other control character; the break at its end belongs to no line. */
function tidy(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ");
  return lines.replace(/[\0-\x09\x0b-\x1f\x7f]/g, "").replace(/\n+$/, "");
}
