// Reports that are one JSON text: jest's, which vitest writes as well, mocha's and rspec's.

import { z } from "zod";
import type { TestCase, TestState } from "../../../core/validation/results.ts";

const JestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()).default([]),
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** A file that fails while none of its tests does cannot be loaded, or a hook failed: it is a test that fails. */
export function readJest(text: string): readonly TestCase[] {
  const { testResults } = JestReport.parse(JSON.parse(text));
  return testResults.flatMap(({ name: file, status, message, assertionResults }): readonly TestCase[] => {
    const cases = assertionResults.map(({ ancestorTitles, title, status: said, failureMessages }) => ({
      file,
      path: [...ancestorTitles, title],
      state: stateOf(said),
      output: (failureMessages ?? []).join("\n"),
    }));
    if (status !== "failed" || cases.some(({ state }) => state === "failed")) return cases;
    const what = cases.length === 0 ? "does not load" : "fails outside its tests";
    return [...cases, { file, path: [what], state: "failed", output: message }];
  });
}

function stateOf(said: string): TestState {
  if (said === "passed") return "passed";
  return said === "failed" ? "failed" : "skipped";
}

const MochaTest = z.object({
  fullTitle: z.string(),
  file: z.string().nullish(),
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }).default({}),
});
const MochaReport = z.object({
  passes: z.array(MochaTest),
  pending: z.array(MochaTest),
  failures: z.array(MochaTest),
});

/** By how they went, since several may share a name. A hook that fails is among the failures. */
export function readMocha(text: string): readonly TestCase[] {
  const { passes, pending, failures } = MochaReport.parse(JSON.parse(text));
  const asCase =
    (state: TestState) =>
    ({ file, fullTitle, err }: z.infer<typeof MochaTest>): TestCase => {
      return { file: file ?? "", path: [fullTitle], state, output: err.stack ?? err.message ?? "" };
    };
  return [...failures.map(asCase("failed")), ...passes.map(asCase("passed")), ...pending.map(asCase("skipped"))];
}

const RspecReport = z.object({
  examples: z.array(
    z.object({
      full_description: z.string(),
      file_path: z.string(),
      status: z.string(),
      exception: z.object({ message: z.string() }).nullish(),
    }),
  ),
  summary: z.object({ errors_outside_of_examples_count: z.number().default(0) }).optional(),
  messages: z.array(z.string()).default([]),
});

export function readRspec(text: string): readonly TestCase[] {
  const { examples, summary, messages } = RspecReport.parse(JSON.parse(text));
  const outside = summary?.errors_outside_of_examples_count ?? 0;
  const unloaded = { file: "", path: ["does not load"], state: "failed", output: messages.join("\n") } as const;
  return [
    ...examples.map(({ file_path, full_description, status, exception }) => ({
      file: file_path.replace(/^\.\//, ""),
      path: [full_description],
      state: stateOf(status),
      output: exception?.message ?? "",
    })),
    ...Array.from({ length: outside }, () => unloaded),
  ];
}
