// superteam's own lines in pi's chat. There the notices of pi replace one another, so that of all that a run tells only the
// last would be seen; entries of the session stay, come back with it, and are no part of what its model is given.

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export const entryType = "superteam";

/** What an entry keeps. */
export interface Said {
  readonly text: string;
  /** Whether it stands right below the line before, if that is the entry before. */
  readonly follows: boolean;
  /** Whether its beginning is enough, unless the person wants to see all. */
  readonly isBrief: boolean;
}

export interface Chat {
  say(text: string, isBrief: boolean): void;
  /** Something else was shown: what is said next stands by itself. */
  interrupt(): void;
}

const place = Symbol.for("superteam.chat");
const kept = globalThis as { [place]?: Chat | undefined };

/** The chat of the session there is now. Whoever came with an earlier session writes here too. */
export function chat(): Chat | undefined {
  return kept[place];
}

export function keepChat(pi: Pick<ExtensionAPI, "appendEntry">): void {
  let isOpen = false;
  kept[place] = {
    say(text, isBrief) {
      const isLine = !text.includes("\n");
      pi.appendEntry<Said>(entryType, { text, follows: isOpen && isLine, isBrief: isBrief && !isLine });
      isOpen = isLine;
    },
    interrupt() {
      isOpen = false;
    },
  };
}
