// The property tests once more, in their long form: five times as many cases.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

process.env["SUPERTEAM_CASES"] = "5";

const wild = "test/e2e/pipeline/person-property.test.ts";
const project = join(import.meta.dirname, "../..");
for (const file of globSync(["src/**/*.test.ts", "test/simulation/repo/like-git.test.ts", wild], {
  cwd: project,
}).sort()) {
  const path = join(project, file);
  if (readFileSync(path, "utf8").includes("rig/property.ts")) await import(path);
}
