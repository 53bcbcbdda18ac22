// Messages name commands of the command line; inside pi the same things are done by /workflow.

import { ownCommand } from "./kept.ts";

const commands: readonly (readonly [RegExp, string])[] = [
  [/superteam answer (\S+) --id \S+/g, "/workflow answer $1"],
  [/superteam run "<what to build>"/g, "/workflow <what to build>"],
  [/superteam run\b(?! --)/g, "/workflow <what to build>"],
  [/superteam (?:run|resume)(?= --)/g, "/workflow"],
  [/superteam resume\b/g, "/workflow"],
  [/run pi and type \/login/g, "type /login"],
  [/superteam (status|answer|log|costs|runs|report|stop|abort)\b(?! --)/g, "/workflow $1"],
];

/** What only looks has no options here: with them it stays a command for a terminal. */
export function inPi(text: string): string {
  const worded = commands.reduce((words, [command, here]) => words.replace(command, here), text);
  // Not in a path, such as src/workflow.ts.
  return worded.replace(/(?<![\w.~/-])\/workflow\b(?![\w./:-]*[\w/])/g, () => `/${ownCommand()}`);
}
