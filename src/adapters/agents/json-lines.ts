// Lines of JSON out of a stream of bytes. Records are split on LF alone (U+2028 may occur inside one), and whole lines
// are decoded, so that a character cut between two chunks stays whole. Memory is bounded by the longest line allowed.

export interface Lines {
  readonly records: readonly unknown[];
  /** The beginnings of lines that are no JSON, or were too long to look at. */
  readonly bad: readonly string[];
}

export function lineDecoder(longest = 64 * 1024 * 1024) {
  let pieces: Buffer[] = [];
  let size = 0;
  let skipping = false;

  const hold = (bytes: Buffer): readonly string[] => {
    if (bytes.length === 0 || skipping) return [];
    pieces.push(bytes);
    size += bytes.length;
    if (size <= longest) return [];
    const beginning = pieces[0]?.toString("utf8", 0, shown) ?? "";
    pieces = [];
    size = 0;
    skipping = true;
    return [`${beginning}... (longer than ${longest} bytes)`];
  };
  const release = (bytes: Buffer): string => {
    const whole = pieces.length === 0 ? bytes : Buffer.concat([...pieces, bytes]);
    pieces = [];
    size = 0;
    return whole.toString("utf8");
  };

  return {
    push(bytes: Buffer): Lines {
      let start = 0;
      if (skipping) {
        const end = bytes.indexOf(lineFeed);
        if (end < 0) return nothing;
        skipping = false;
        start = end + 1;
      }
      const last = bytes.lastIndexOf(lineFeed);
      if (last < start) return { records: [], bad: hold(bytes.subarray(start)) };
      const lines = parse(release(bytes.subarray(start, last)));
      const tooLong = hold(bytes.subarray(last + 1));
      return tooLong.length === 0 ? lines : { ...lines, bad: [...lines.bad, ...tooLong] };
    },
    /** What came after the last LF: a record that was cut short, unless it is whole by itself. */
    end: (): Lines => parse(release(Buffer.alloc(0))),
  };
}

const lineFeed = 0x0a;
const shown = 120;
const nothing: Lines = { records: [], bad: [] };

function parse(text: string): Lines {
  const records: unknown[] = [];
  const bad: string[] = [];
  for (const line of text.split("\n")) {
    // JSON.parse takes a CR at the end for white space; a line of white space is no record.
    if (line === "" || line === "\r") continue;
    try {
      records.push(JSON.parse(line));
    } catch {
      bad.push(line.slice(0, shown));
    }
  }
  return { records, bad };
}
