// The reviewers' part: read the files of the task, then judge what was read. A verdict is computed from the code the
// tools showed: what a task needs and the code lacks is a finding, and what it has is none.

import type { z } from "zod";
import type { Finding, Resolution, Review } from "../../core/review/review.ts";
import type { Turn } from "../model/play.ts";
import { answerWith } from "../model/texts.ts";
import { clientKey, sharedKey } from "./code.ts";
import { tasks } from "./plan-text.ts";
import { findingIds } from "./prompt.ts";
import { looks, read, type Scene, scene } from "./scene.ts";

export type Found = z.input<typeof Finding>;

/** Something the code of a task has to show; `finding` is what is said when it does not. */
export interface Need {
  /** The file without which this need does not arise. */
  readonly given?: string;
  readonly file: string;
  readonly shows: RegExp;
  readonly finding: (text: string) => Found;
}

/** Reads every file of the task and compares it with what the task asks for. */
export function specReview(task: string): Scene {
  return review(filesOf(task), specNeeds[task] ?? [], does);
}

/** Reads the sources and tests of the task for how they are written. */
export function qualityReview(task: string): Scene {
  const files = filesOf(task).filter((file) => file.endsWith(".js") && file !== "src/index.js");
  return review(files, files.flatMap(qualityNeeds), does);
}

/** What a reviewer says in a sentence: of code that is as it should be, and of code that is not. */
export interface Words {
  readonly passed: string;
  readonly failed: string;
}

const does: Words = {
  passed: "The code does what the task asks for.",
  failed: "The code does not do what the task asks for.",
};

export function review(files: readonly string[], needs: readonly Need[], words: Words): Scene {
  return scene([looks("I read the files of this task.", ...files.map(read))], (turn) => {
    const texts = textsOf(turn);
    const arising = needs.filter(({ given }) => given === undefined || texts.has(given));
    const findings = arising.flatMap((need) => judged(need, texts.get(need.file) ?? ""));
    const resolutions = findingIds(turn.prompt, "Your open findings").map((id) => resolved(id, texts));
    const passed = findings.length === 0 && resolutions.every(({ state }) => state === "resolved");
    const summary = passed ? words.passed : words.failed;
    const answer: z.input<typeof Review> = { passed, findings, resolutions, summary };
    return answerWith("superteam-json", answer, "I have read the files of this task.");
  });
}

/** What was read, by path; a file that could not be read is not in it. */
export function textsOf({ history }: Turn): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { calls, results } of history) {
    for (const [index, call] of calls.entries()) {
      const result = results[index];
      if (call.name === "read" && result?.failed === false) texts.set(String(call.args["path"]), result.text);
    }
  }
  return texts;
}

export function judged(need: Need, text: string): readonly Found[] {
  return need.shows.test(text) ? [] : [need.finding(text)];
}

/** The one finding this scenario knows how to leave open is the shared bucket: resolved when clients are told apart. */
export function resolved(id: string, texts: ReadonlyMap<string, string>): z.input<typeof Resolution> {
  const text = texts.get("src/rate-limit.js") ?? "";
  const mended = text.includes(clientKey) && texts.has("src/client-ip.js");
  return mended
    ? { id, state: "resolved", quote: clientKey.trim() }
    : { id, state: "still-open", quote: text.includes(sharedKey) ? sharedKey.trim() : "export function rateLimit" };
}

/** The whole without a plan is what the first two tasks come to. */
export function filesOf(task: string): readonly string[] {
  const wanted = task === "whole" ? ["1", "2"] : [task];
  return [...new Set(tasks.filter(({ id }) => wanted.includes(String(id))).flatMap(({ files }) => files))];
}

const taskNeeds = {
  "1": [
    needed("src/token-bucket.js", /tokens < 1\) return \{ allowed: false/, "C1", "The bucket never refuses a request."),
    needed("src/token-bucket.js", /Math\.min\(capacity/, "C2", "The bucket can fill above its capacity."),
    needed("src/token-bucket.js", /retryAfterMs/, "C3", "An empty bucket does not say how long to wait."),
    needed("test/token-bucket.test.js", /never above the capacity/, "C2", "No test shows how tokens come back."),
    exported("token-bucket"),
  ],
  "2": [
    needed("src/rate-limit.js", /status: 429/, "C1", "No request is ever refused."),
    { file: "src/rate-limit.js", shows: /clientIp\(request\)/, finding: sharedBucket },
    needed("test/rate-limit.test.js", /429 and retry-after/, "C1", "No test shows the refusal."),
    exported("rate-limit"),
    { ...exported("client-ip"), given: "src/client-ip.js" },
  ],
  "3": [
    needed("src/config.js", /limit \/ \(duration\(per\) \/ 1000\)/, "C1", "A limit does not become a refill rate."),
    needed("src/duration.js", /m: 60000/, "C1", "Durations do not know minutes."),
    needed("test/config.test.js", /limits each client and recovers/, "C2", "Nothing is tested from end to end."),
    exported("config"),
    needed("README.md", /## Rate limiting/, "C4", "README.md does not say how to use it."),
  ],
} as const satisfies Readonly<Record<string, readonly Need[]>>;

export const specNeeds: Readonly<Record<string, readonly Need[]>> = {
  ...taskNeeds,
  whole: [...taskNeeds["1"], ...taskNeeds["2"]].map(underOneCriterion),
};

/** The goal is the only criterion of a task without a plan. */
function underOneCriterion(need: Need): Need {
  const finding = (text: string): Found => {
    const found = need.finding(text);
    return found.anchor && "file" in found.anchor ? found : { ...found, anchor: { requirement: "C1" } };
  };
  return { ...need, finding };
}

/** The finding this demo is about. Its anchor is a quote from the code when the code is as the first draft wrote it. */
function sharedBucket(text: string): Found {
  const anchor = text.includes(sharedKey)
    ? { file: "src/rate-limit.js", quote: sharedKey.trim() }
    : { requirement: "C2" };
  return {
    rule: "missing",
    severity: "high",
    anchor,
    what: "All clients share one bucket: the IP address is never taken from the request.",
    fix: "Extract the client's IP (first address of x-forwarded-for, else the peer) and keep a bucket for each.",
  };
}

function needed(file: string, shows: RegExp, criterion: string, what: string): Need {
  const finding: Found = { rule: "missing", severity: "high", anchor: { requirement: criterion }, what };
  return { file, shows, finding: () => finding };
}

function exported(module: string): Need {
  const what = `src/index.js does not export ${module}.js.`;
  return needed("src/index.js", new RegExp(`export \\* from "\\./${module}\\.js"`), "C1", what);
}

function qualityNeeds(file: string): readonly Need[] {
  const say = (what: string) => (): Found => ({
    rule: "untested",
    severity: "medium",
    anchor: { requirement: "C1" },
    what,
  });
  if (file.endsWith(".test.js")) {
    return [{ given: file, file, shows: /assert\.[\s\S]*assert\./, finding: say(`${file} asserts next to nothing.`) }];
  }
  return [{ given: file, file, shows: /^\/\/ \S/, finding: say(`${file} does not say what it is for.`) }];
}
