// What the person sees of tests that fail.

import { oneLine, shortSha } from "../../core/text/format.ts";
import type { Blame } from "../../core/validation/blame.ts";
import type { ShowDiff } from "../work/respond.ts";

export interface FailedTests {
  readonly command: string;
  readonly tests: readonly string[];
  readonly output: string;
  /** Earlier tasks that broke some of them, while their tests were pending. */
  readonly by: readonly Blame[];
}

export const lastOutput = ({ command, output }: Pick<FailedTests, "command" | "output">): string =>
  `Last output of \`${command}\`:\n${output.slice(-1000)}`;

/** The tests, who broke them where that was not the work itself, and what they say. */
export function regressionText({ command, tests, output, by }: FailedTests): string {
  const names = tests.slice(0, testsShown).map((test) => `  - ${test}`);
  const more = tests.length > testsShown ? [`  and ${tests.length - testsShown} more`] : [];
  return [
    `Passed before, and fail now (\`${command}\`, run twice):`,
    ...names,
    ...more,
    ...by.map((one) => `${culpritText(one)} broke: ${oneLine(one.tests.join(", "), 500)}`),
    `What they say:\n${output.slice(0, 1000)}`,
  ].join("\n");
}
const testsShown = 20;

/** What earlier tasks changed, if they broke it; else what the work did. */
export function guilty({ by }: FailedTests, diff: ShowDiff): ShowDiff {
  if (by.length === 0) return diff;
  return () => by.map((one) => `${culpritText(one)} changed:\n${one.diff}`).join("\n");
}

const culpritText = ({ task, title, commit }: Blame): string => `Task ${task}, "${title}" (${shortSha(commit)}),`;
