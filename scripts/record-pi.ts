// npm run record: takes five screens of a run in pi's terminal (tmux) and draws them to docs/pi-*.svg. Nothing in them is
// typed by hand.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { columns, rows, type Screens, takeScreens } from "../test/rig/pi-host/screens.ts";
// @ts-expect-error: a script without types
import { toSvg } from "./record-svg.mjs";

const titles: Readonly<Record<keyof Screens, string>> = {
  question: "pi asks the first question of a run in a dialog of its own",
  task: "An implementer works on the first of three tasks: what it does, how far the run is, and what it has cost",
  review: "A reviewer reads what was built for the second task",
  resumed: "A run that Escape stopped is resumed: it says where it stood, and continues there",
  end: "The end of the run, and the beginning of its report",
};

for (const [name, text] of Object.entries(await takeScreens())) {
  const title = titles[name as keyof Screens];
  const svg: string = toSvg([{ text, ms: 1000 }], { columns, rows, still: 0, title });
  writeFileSync(join(import.meta.dirname, `../docs/pi-${name}.svg`), svg);
  console.log(`docs/pi-${name}.svg: ${Math.round(svg.length / 1024)} KB`);
}
