// JUnit's XML, as many runners write it. Each has its own idea of what a suite is; the file and the names around a test are
// taken as they come, so that the same test has the same name in the next run.

import { SaxesParser, type SaxesTagPlain } from "saxes";
import type { TestCase } from "../../../core/validation/results.ts";

/** Throws what is wrong with the text. */
export function readJunit(xml: string): readonly TestCase[] {
  const reader = new JunitReader();
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw new Error(`it is no XML: ${error.message.split("\n")[0]}`);
  });
  parser.on("opentag", (tag) => reader.open(tag));
  parser.on("closetag", ({ name }) => reader.close(name));
  parser.on("text", (text) => reader.text(text));
  parser.on("cdata", (text) => reader.text(text));
  parser.on("comment", (text) => reader.comment(text));
  parser.write(asXml(xml)).close();
  if (!reader.isReport) throw new Error("it has no <testsuites> or <testsuite>");
  return [...reader.cases, ...reader.unnamed()];
}

/** Tests print what XML cannot hold: colours, control characters, as they are or as references. */
function asXml(text: string): string {
  const asReference = (whole: string, hex: string | undefined, decimal: string | undefined): string =>
    isForbidden(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ? "" : whole;
  return text
    .replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, (sign) => (isForbidden(sign.codePointAt(0) ?? 0) ? "" : sign))
    .replaceAll(/&#(?:x([0-9a-f]+)|([0-9]+));/gi, asReference);
}

const isForbidden = (code: number): boolean =>
  (code < 0x20 && ![0x9, 0xa, 0xd].includes(code)) || code === 0xfffe || code === 0xffff || code > 0x10ffff;

interface Suite {
  readonly name: string;
  readonly file: string;
}

class JunitReader {
  readonly cases: TestCase[] = [];
  isReport = false;
  readonly #suites: Suite[] = [];
  #open: { file: string; path: readonly string[]; state: TestCase["state"]; output: string } | null = null;
  #isHeard = false;
  #counted = 0;

  open({ name, attributes }: SaxesTagPlain): void {
    if (name === "testsuites" || name === "testsuite") this.isReport = true;
    if (name === "testsuite") this.#suites.push({ name: attributes["name"] ?? "", file: attributes["file"] ?? "" });
    if (name === "testcase") this.#begin(attributes);
    if (this.#open === null) return;
    if (name === "skipped") this.#open.state = "skipped";
    if (name === "failure" || name === "error") {
      // Node has both for a test that is marked as to do, which fails nothing.
      if (this.#open.state !== "skipped") this.#open.state = "failed";
      this.#open.output += attributes["message"] === undefined ? "" : `${attributes["message"]}\n`;
      this.#isHeard = true;
    }
  }

  close(name: string): void {
    if (name === "testsuite") this.#suites.pop();
    if (name === "failure" || name === "error") this.#isHeard = false;
    if (name !== "testcase" || this.#open === null) return;
    this.cases.push(this.#open);
    this.#open = null;
  }

  text(text: string): void {
    if (this.#isHeard && this.#open) this.#open.output += text;
  }

  /** Node ends its report with its counts: `<!-- fail 2 -->`. */
  comment(text: string): void {
    this.#counted += Number(/^ (?:fail|cancelled) (\d+) $/.exec(text)?.[1] ?? 0);
  }

  /** Node names no test that fails after its subtests have passed, but counts it. */
  unnamed(): readonly TestCase[] {
    const more = this.#counted - this.cases.filter(({ state }) => state === "failed").length;
    if (more <= 0) return [];
    const output = "A test fails by itself, not by one of its subtests. The report does not say which: run the tests.";
    return [{ file: "", path: [`tests with subtests: ${more}`], state: "failed", output }];
  }

  #begin({ name = "", classname = "", file }: Readonly<Record<string, string>>): void {
    const suites = this.#suites.map((suite) => suite.name).filter((suite) => suite !== "" && suite !== "pytest");
    // Node writes "test" for a test that is in no suite.
    const isKnown = classname === "" || classname === "test" || classname === suites.at(-1);
    const around = isKnown ? suites : [...suites, classname];
    const place = file ?? this.#suites.findLast((suite) => suite.file !== "")?.file ?? "";
    this.#open = { file: place, path: [...around, name], state: "passed", output: "" };
  }
}
