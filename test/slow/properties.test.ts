// The property tests once more, in their long form: five times as many cases; and all of what takes turns elsewhere: with pi in both
// dialects, and with pi where its quick stand-in took a turn.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

process.env["SUPERTEAM_CASES"] = "5";

const repo = ["test/simulation/repo/like-git.test.ts", "test/adapters/repo/last-capture.test.ts"];
const wild = "test/e2e/pipeline/person-property.test.ts";
const withPi = ["test/demo/*.test.ts", "test/adapters/agents/{pi-failures,contract}.test.ts"];
const project = join(import.meta.dirname, "../..");
for (const file of globSync(["src/**/*.test.ts", ...repo, wild, ...withPi], { cwd: project }).sort()) {
  const path = join(project, file);
  if (/rig\/(?:property|dialects|turns)\.ts"/.test(readFileSync(path, "utf8"))) await import(path);
}

const { propertyContract } = await import("../contracts/repo/property.ts");
const { makeGitRepo } = await import("../adapters/repo/hands.ts");
propertyContract(makeGitRepo);
