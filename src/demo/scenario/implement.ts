// The implementer's part: for each task a test that is run red, the code, the same test run green. A change that a
// reviewer looks for comes last, so that work which stopped half-way cannot pass.

import type { Turn } from "../model/play.ts";
import * as code from "./code.ts";
import { findingIds, sectionOf } from "./prompt.ts";
import {
  edits,
  failedTests,
  green,
  looks,
  ls,
  type Replacement,
  read,
  red,
  type Scene,
  type SceneMove,
  scene,
  tried,
  writes,
} from "./scene.ts";

const missingModule = /ERR_MODULE_NOT_FOUND|does not provide an export/;
const middlewareTests = "node --test test/client-ip.test.js test/rate-limit.test.js";

/** By the task's number; `whole` is the one task of a run without a plan, the least that does all the goal says. */
export const implementScenes: Readonly<Record<string, Scene>> = {
  "1": scene(
    [
      looks("I look at what is there.", ls("src"), read("src/index.js")),
      ...testFirst("token-bucket", { test: code.bucketTest, source: code.bucket }),
      exports("pipeline", ["pipeline", "token-bucket"]),
    ],
    () => "The token bucket is there with its three tests, and exported.",
  ),
  "2": scene(
    [
      looks("I look at the bucket and at the pipeline.", read("src/token-bucket.js"), read("src/pipeline.js")),
      ...testFirst("rate-limit", { test: code.middlewareTest, source: code.middleware }),
      exports("token-bucket", ["rate-limit", "token-bucket"]),
    ],
    () => "The middleware answers 429 with retry-after over the limit, and is exported.",
  ),
  "3": scene(
    [
      looks("I look at the durations and their tests.", read("src/duration.js"), read("test/duration.test.js")),
      writes("First the test.", "test/config.test.js", code.configTest),
      red("It has to fail now.", "node --test test/config.test.js", missingModule),
      writes("Now the configuration.", "src/config.js", code.config),
      exports("duration", ["config", "duration"]),
      red("Minutes are still missing.", "node --test", /is not a duration/),
      edits("Durations learn minutes.", "src/duration.js", [replace(code.unitsBefore, code.unitsAfter)]),
      green("Every test has to pass now.", "node --test"),
      edits("Finally, how it is used.", "README.md", [replace(code.readmeBefore, code.readmeAfter)]),
    ],
    () => "Limits are configured per duration, durations know minutes, and every test of the repository passes.",
  ),
  whole: scene(
    [
      looks(
        "I look at what is there.",
        ls("src"),
        read("src/index.js"),
        read("src/pipeline.js"),
        read("src/headers.js"),
      ),
      ...testFirst("token-bucket", { test: code.bucketTest, source: code.bucket }),
      writes("A test of the refusal.", "test/rate-limit.test.js", code.middlewareTest),
      writes("A test of who is asking.", "test/client-ip.test.js", code.clientIpTest),
      red("They have to fail now.", middlewareTests, missingModule),
      writes("Who is asking.", "src/client-ip.js", code.clientIp),
      writes("Now the middleware.", "src/rate-limit.js", code.middlewarePerClient),
      green("Both tests have to pass now.", middlewareTests),
      tried("And what the other tests say.", "node --test"),
      exports("duration", ["client-ip", "duration"]),
      exports("pipeline", ["pipeline", "rate-limit", "token-bucket"]),
    ],
    wholeReport,
  ),
};

/** Limits are numbers here: reading them from a configuration is more than the goal says. */
function wholeReport({ history }: Turn): string {
  const runs = history.flatMap(({ calls, results }) =>
    results.filter((_, index) => calls[index]?.args["command"] === "node --test"),
  );
  const failing = failedTests(runs.at(-1)?.text ?? "");
  const left = failing.length === 0 ? "Every test passes." : `Red before, and left so: ${failing.join(", ")}.`;
  return `Requests over the limit are answered with 429, each client IP with a token bucket of its own. ${left}`;
}

/** Fixes what the review of the middleware found, and owns up to what it cannot fix. */
export const fixScene: Scene = (turn) => {
  const found = sectionOf(turn.prompt, "What was found");
  if (!/IP address is never taken/.test(found)) return { text: `I do not know how to fix this:\n\n${found}` };
  const ids = findingIds(turn.prompt, "What was found").join(", ");
  return scene(
    fixClientIp,
    () => `${ids}: each client IP has a bucket of its own now, with a test that shows it.`,
  )(turn);
};

const fixClientIp: readonly SceneMove[] = [
  looks("I look at the code in question.", read("src/rate-limit.js"), read("src/headers.js")),
  writes("A test that shows it first.", "test/client-ip.test.js", code.clientIpTest),
  red("It has to fail now.", "node --test test/client-ip.test.js", missingModule),
  writes("Who is asking.", "src/client-ip.js", code.clientIp),
  edits("One bucket per client IP.", "src/rate-limit.js", [
    replace(code.bucketImport, `${code.clientImport}\n${code.bucketImport}`),
    replace(code.sharedKey, code.clientKey),
  ]),
  green("Both tests have to pass now.", middlewareTests),
  exports("duration", ["client-ip", "duration"]),
];

function testFirst(
  name: string,
  { test, source }: { readonly test: string; readonly source: string },
): readonly SceneMove[] {
  const command = `node --test test/${name}.test.js`;
  return [
    writes("First the test.", `test/${name}.test.js`, test),
    red("It has to fail now.", command, missingModule),
    writes("Now the code.", `src/${name}.js`, source),
    green("The same test has to pass now.", command),
  ];
}

/** Puts the lines for `names` in the place of the one for `name`. */
function exports(name: string, names: readonly string[]): SceneMove {
  const line = (module: string) => `export * from "./${module}.js";`;
  return edits("I export it.", "src/index.js", [replace(line(name), names.map(line).join("\n"))]);
}

function replace(oldText: string, newText: string): Replacement {
  return { oldText, newText };
}
