// The scout's and the brainstormer's part: explore with tools, then ask, propose, design, revise.

import type { Turn } from "../model/play.ts";
import { answerWith, brokenAnswer } from "../model/texts.ts";
import { approaches, clientSectionRevised, design, designPage, proposal, questions } from "./brainstorm-texts.ts";
import { quotedIn, sectionOf, sectionToRevise } from "./prompt.ts";
import { counted, failedTests, looks, ls, read, type Scene, scene, tried } from "./scene.ts";

const fence = "superteam-brainstorm";

/** Reports what its tools showed; what they did not show is not in the report. */
export const scoutScene: Scene = scene(
  [
    looks("I look around.", ls("."), read("package.json")),
    looks("The sources.", ls("src"), read("src/pipeline.js")),
    tried("And the tests, as they run now.", "node --test"),
  ],
  (turn) => answerWith("superteam-json", proposal, report(turn)),
);

function report({ history }: Turn): string {
  const seen = (turn: number, call: number) => history[turn]?.results[call]?.text.trim() ?? "";
  const tests = seen(2, 0);
  const signature = /^export function .*\)/m.exec(seen(1, 1))?.[0] ?? "no exported function";
  return `What it is: ${/"description": "(.*)"/.exec(seen(0, 1))?.[1] ?? "unknown"} (${/"name": "(.*)"/.exec(seen(0, 1))?.[1] ?? "no name"}), plain JavaScript, ES modules, no dependencies.
At the top: ${seen(0, 0).split("\n").join(", ")}
In src/: ${seen(1, 0).split("\n").join(", ")}
src/pipeline.js: \`${signature}\`; middleware is \`(request, next) => response\`.
Conventions: one concept per module, re-exported from src/index.js; a test file per module in test/.
Commands: \`npm test\`, \`npm run check\`.
Tests now: ${counted("tests", tests) ?? "unknown"}, failing: ${failedTests(tests).join(", ") || "none"}.`;
}

/** What later steps rely on; a report without them was made with something left out. */
const scouted: readonly RegExp[] = [
  /tollgate/,
  /\bpackage\.json\b/,
  /\bheaders\.js\b/,
  /function pipeline\(/,
  /failing: .*reads minutes/,
];

function unscouted(prompt: string): string | undefined {
  const map = sectionOf(prompt, "The repository, as the scout reports it");
  return scouted.find((fact) => !fact.test(map))?.source;
}

/** The first answer lacks its last bracket. It is given whole once the prompt says what was wrong with it. */
export const questionsScene: Scene = ({ prompt }) => {
  const missing = unscouted(prompt);
  if (missing) return { text: `I cannot ask sensible questions: the scout's report says nothing like ${missing}.` };
  const complaint = sectionOf(prompt, "Your step, again: your last answer could not be used");
  return { text: /not JSON/.test(complaint) ? answerWith(fence, questions) : brokenAnswer(fence, questions) };
};

export const approachesScene: Scene = ({ prompt }) => {
  const answered = sectionOf(prompt, "What the person answered");
  if (answered === "") return { text: "I cannot propose anything: nobody has answered my questions." };
  return { text: answerWith(fence, approaches) };
};

export const designScene: Scene = (turn) => {
  const { prompt } = turn;
  if (sectionOf(prompt, "Your step: design on one page") !== "") return pageScene(turn);
  const chosen = sectionOf(prompt, "The chosen approach");
  if (chosen === "") return { text: "I cannot design anything: no approach was chosen." };
  return { text: answerWith(fence, design) };
};

/** Nobody has chosen an approach then: all there is to go by is what the scout saw. */
const pageScene: Scene = ({ prompt }) => {
  const missing = unscouted(prompt);
  if (missing) return { text: `I cannot design anything: the scout's report says nothing like ${missing}.` };
  return { text: answerWith(fence, designPage) };
};

/** Does what the person wants where the scenario knows it, and notes it where a person at the keyboard wants more. */
export const reviseScene: Scene = ({ prompt }) => {
  const section = sectionToRevise(prompt);
  const feedback = quotedIn(prompt, "What the person wants changed");
  if (section === null || feedback === "") return { text: "I was not told which section to revise, or how." };
  if (section.id === clientSectionRevised.id && /x-forwarded-for/i.test(feedback)) {
    return { text: answerWith(fence, { type: "section", section: clientSectionRevised }) };
  }
  const revised = { ...section, content: `${section.content}\n\nOn request: ${feedback}` };
  return { text: answerWith(fence, { type: "section", section: revised }) };
};
