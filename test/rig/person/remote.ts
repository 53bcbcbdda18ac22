// A program that is the person's side of superteam, at a terminal or without one, so that it can run in a real terminal.
//   node remote.ts <socket> <options as JSON>

import { parseAnswers } from "../../../src/adapters/person/headless/answers.ts";
import { headlessPerson } from "../../../src/adapters/person/headless/headless.ts";
import { terminalPerson } from "../../../src/adapters/person/terminal/terminal.ts";
import type { RemoteOptions } from "./protocol.ts";
import { serve } from "./serve.ts";

const [path = "", optionsText = "{}"] = process.argv.slice(2);
// The test that starts this program wrote both sides of the protocol.
const options = JSON.parse(optionsText) as RemoteOptions;

serve(
  path,
  (say) =>
    options.person === "terminal"
      ? terminalPerson({ onInterrupt: () => say({ heard: "interrupt in dialog" }), plain: false })
      : headlessPerson({ answers: answersOf(options.answers), yes: false, out: process.stderr, served: new Map() }),
  () => process.exit(0),
);

function answersOf(answers: Readonly<Record<string, unknown>>) {
  const parsed = parseAnswers(JSON.stringify(answers), "answers.json");
  if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
  return parsed.answers;
}
