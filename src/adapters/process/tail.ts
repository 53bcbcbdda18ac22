// The end of a stream of bytes, bounded: what is older is dropped as more comes in.

export type Tail = ReturnType<typeof tailOf>;

export function tailOf(limit: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let dropped = 0;
  return {
    add(bytes: Buffer): void {
      chunks.push(bytes);
      size += bytes.length;
      for (let first = chunks[0]; first !== undefined && size - first.length >= limit; first = chunks[0]) {
        chunks.shift();
        size -= first.length;
        dropped += first.length;
      }
    },
    /** The kept end as text; says so in its first line when something was dropped. */
    text(): string {
      const all = Buffer.concat(chunks);
      const start = characterStart(all, Math.max(0, all.length - limit));
      const cut = dropped + start;
      const kept = all.toString("utf8", start);
      return cut === 0 ? kept : `[... ${cut} bytes left out]\n${kept}`;
    },
  };
}

/** The first position from `start` on that is not in the middle of a UTF-8 character. */
function characterStart(bytes: Buffer, start: number): number {
  let position = start;
  while (position < bytes.length && position < start + 4 && ((bytes[position] ?? 0) & 0xc0) === 0x80) position++;
  return position;
}
