// Which screen an output gets, and what every person with a screen reports on it.

import type { Person } from "../../../ports/person.ts";
import { canRedraw, type Output, styleOf } from "../output.ts";
import { noticeLines } from "../transcript.ts";
import { LiveScreen } from "./live-screen.ts";
import { logScreen } from "./log-screen.ts";
import type { Screen } from "./screen.ts";

/** Nothing is drawn over where `plain` is set or the output is no terminal. */
export function openScreen(out: Output, plain: boolean) {
  const style = styleOf(out);
  const screen: Screen = !plain && canRedraw(out, process.env["TERM"]) ? new LiveScreen(out) : logScreen(out);
  const reports: Pick<Person, "notify" | "status" | "widget"> = {
    notify: (message, level) => screen.print(noticeLines(message, level, style)),
    status: (slot, text) => screen.status(slot, text),
    ...(screen.widget === undefined ? {} : { widget: screen.widget.bind(screen) }),
  };
  return { screen, style, reports };
}
