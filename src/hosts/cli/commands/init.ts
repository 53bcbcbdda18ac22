// superteam init: writes a commented .superteam.json with the commands that were found.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { treeFiles } from "../../../adapters/checks/tree-files.ts";
import { findCommands } from "../../../core/validation/find-commands.ts";
import { type CommandKey, commandKeys, type FoundCommand, foundText } from "../../../core/validation/found-command.ts";
import { Problem } from "../../../runs/problem.ts";
import { treeAt } from "../../wiring/tree-at.ts";
import { answerWith } from "../say.ts";

const name = ".superteam.json";

/** A file that is there is the person's. */
export async function init(folder: string, json = false): Promise<void> {
  const { root } = await treeAt(folder);
  const found = findCommands(treeFiles(root));
  try {
    await writeFile(join(root, name), firstConfig(found), { flag: "wx" });
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause;
    throw new Problem(
      `${join(root, name)} exists already and was not changed. superteam doctor shows what takes effect.`,
      "wrong-usage",
    );
  }
  const path = join(root, name);
  const commands = found.map(({ key, command, from }) => ({ key, command, from }));
  const hasTests = found.some(({ key }) => key === "testCommand");
  answerWith(json, { path, commands }, [
    `Wrote ${path}.`,
    ...found.map((command) => `  ${command.key}: ${foundText(command)}`),
    ...(hasTests
      ? []
      : ["  No test command was found, so no tests will run. Set testCommand in this file, or add tests first."]),
    "Review it and commit it. The next run asks whether you trust it.",
  ]);
}

const meanings: Readonly<Record<CommandKey, string>> = {
  validationCommand: "A quick check, such as types or lint, after each change and before any review.",
  testCommand: "The test suite, after each change and before any review.",
};

/** Written as a comment: an empty command would stay off, also once the repository has one. */
const examples: Readonly<Record<CommandKey, string>> = { validationCommand: "npm run check", testCommand: "npm test" };

export function firstConfig(found: readonly FoundCommand[]): string {
  const ofKey = (key: CommandKey) => found.find((command) => command.key === key);
  // What is only a comment stands first, with its comma: its slashes can go, and nothing else has to change.
  const keys = commandKeys.toSorted(
    (one, other) => Number(ofKey(one) !== undefined) - Number(ofKey(other) !== undefined),
  );
  const entries = keys.flatMap((key, index) => {
    const own = ofKey(key);
    const comma = index < keys.length - 1 ? "," : "";
    const from = own ? `Found in ${own.from}.` : "None found, for example:";
    const entry = `"${key}": ${JSON.stringify(own?.command ?? examples[key])}${comma}`;
    return [`  // ${meanings[key]} ${from}`, `  ${own ? "" : "// "}${entry}`];
  });
  return [
    "{",
    "  // superteam's settings for this repository. They take effect once you trust them.",
    '  // An empty command ("") turns its check off; without the key superteam looks for one.',
    ...entries,
    "}",
    "",
  ].join("\n");
}
