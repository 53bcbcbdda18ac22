// Which screen an output gets, and what every person with a screen reports on it.

import type { Person } from "../../../ports/person.ts";
import { canRedraw, type Output, type OutputStyle, styleOf } from "../output.ts";
import { noticeLines } from "../transcript.ts";
import { LiveScreen } from "./live-screen.ts";
import { logScreen } from "./log-screen.ts";
import type { Screen } from "./screen.ts";

export interface OpenScreen {
  readonly screen: Screen;
  readonly style: OutputStyle;
  readonly reports: Pick<Person, "notify" | "status" | "widget">;
}

/** Nothing is drawn over where `plain` is set or the output is no terminal. */
export function openScreen(out: Output, plain: boolean): OpenScreen {
  const style = styleOf(out);
  const screen = !plain && canRedraw(out, process.env["TERM"]) ? new LiveScreen(out) : logScreen(out);
  const reports: OpenScreen["reports"] = {
    notify: (message, level) => screen.print(noticeLines(message, level, style)),
    status: (slot, text) => screen.status(slot, text),
    widget: (id, lines) => screen.widget(id, lines),
  };
  return { screen, style, reports };
}
