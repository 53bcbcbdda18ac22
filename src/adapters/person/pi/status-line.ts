// The status of a run in pi's footer. In pi's terminal all statuses share one line, which pi cuts at the end. So the position of the run and
// the current step are laid out together, and the running time, which shows that something happens, is never cut.

import { oneLine } from "../../../core/text/format.ts";
import { truncate, widthOf } from "../../../core/text/width.ts";
import type { Person } from "../../../ports/person.ts";
import type { Surface } from "./dialog.ts";

export function statusLine({ ui, mode, columns }: Surface): Person["status"] {
  const slots = new Map<string, string>();
  const shown = new Map<string, string>();
  const set = (key: string, text: string | undefined): void => {
    if (shown.get(key) === text) return;
    if (text === undefined) shown.delete(key);
    else shown.set(key, text);
    ui.setStatus(key, text);
  };
  return (slot, text) => {
    const line = text === undefined ? undefined : oneLine(text);
    if (mode !== "tui") return set(slot, line);
    if (line === undefined) slots.delete(slot);
    else slots.set(slot, line);
    set("workflow", together(slots, columns()));
  };
}

/** Undefined when there is nothing to show. */
function together(slots: ReadonlyMap<string, string>, columns: number): string | undefined {
  const [stands, doing] = [slots.get("workflow"), slots.get("workflow-action")];
  if (stands === undefined || doing === undefined) return stands ?? doing;
  return `${stands} ${fitted(doing, columns - widthOf(stands) - 1)}`;
}

/** Cut before the time at its end. */
function fitted(doing: string, columns: number): string {
  if (widthOf(doing) <= columns) return doing;
  const [time = ""] = / (?:\d+[hm] )?\d+[hms]$/.exec(doing) ?? [];
  return `${truncate(doing.slice(0, doing.length - time.length), columns - widthOf(time))}${time}`;
}
