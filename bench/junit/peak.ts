// Reads a JUnit report in a process of its own, and prints the peak of its memory, in MB. Called as: peak.ts <file> <how> [times]
// `how`: `results` for results by name, as they are read in a run; `parser` for the XML parser alone.

import { readFileSync } from "node:fs";
import { SaxesParser } from "saxes";
import { readReport } from "../../src/adapters/checks/reports/read-report.ts";

const [file = "", how = "", times = "1"] = process.argv.slice(2);
const kept: unknown[] = [];
for (let time = 0; time < Number(times); time++) {
  const text = readFileSync(file).toString("utf8");
  if (how === "parser") new SaxesParser().write(text).close();
  else kept.push(readReport([text], { reporter: "x", format: "junit", root: "/", redact: (said) => said }));
}
console.log(process.resourceUsage().maxRSS / 1024);
