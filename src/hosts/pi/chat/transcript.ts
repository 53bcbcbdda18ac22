// Draws superteam's entries in pi's chat. pi sets every entry apart by an empty line; lines that follow one another are
// drawn by the first of them, so that they stand together.

import type { EntryRenderer } from "@earendil-works/pi-coding-agent";
import { emphasized } from "../../../core/text/emphasis.ts";
import { wrap } from "../../../core/text/width.ts";
import type { Said } from "../kept.ts";

/** Texts that stand together, by the entries they are from, in order. */
type Block = Map<string, string>;

/** By entry. pi draws an entry again when its colours change, and all of them when a session comes back. */
const blocks = new Map<string, Block>();

export const drawEntry: EntryRenderer<Said> = ({ id, parentId, data }, { expanded }, theme) => {
  if (data === undefined) return undefined;
  const { text, follows, isBrief } = data;
  const block = blocks.get(id) ?? (follows ? blocks.get(parentId ?? "") : undefined) ?? new Map<string, string>();
  blocks.set(id, block.set(id, text));
  const [first] = block.keys();
  if (first !== id) return undefined;
  return {
    render(columns) {
      const lines = [...block.values()].flatMap((one) => wrap(one, columns - 2));
      const bold = (words: string): string => theme.bold(words);
      return shown(lines, isBrief && !expanded).map((line) => ` ${theme.fg("muted", emphasized(line, bold))}`);
    },
    invalidate: () => undefined,
  };
};

function shown(lines: readonly string[], isBrief: boolean): readonly string[] {
  const room = Math.max(8, (process.stdout.rows ?? 24) - aroundIt);
  if (!isBrief || lines.length <= room) return lines;
  return [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more lines: ctrl+o shows them`];
}

/** Rows for the line before, pi's editor and its footer. */
const aroundIt = 12;
