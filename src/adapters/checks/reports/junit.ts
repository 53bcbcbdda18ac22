// JUnit's XML, as many runners write it. Each has its own idea of what a suite is; the file and the names around a test are
// taken as they come, so that the same test has the same name in the next run.

import { SaxesParser, type SaxesTagPlain } from "saxes";
import type { TestCase } from "../../../core/validation/results.ts";
import { CutShort } from "./cut-short.ts";

/** Throws what is wrong with the text. Tests are handed over as they are read: a report of very many is never held as a whole. */
export function* readJunit(xml: string): Iterable<TestCase> {
  const reader = new JunitReader();
  const parser = new SaxesParser();
  let isAtEnd = false;
  parser.on("error", (error) => {
    const what = `it is not XML: ${error.message.split("\n")[0]}`;
    throw isAtEnd ? new CutShort(what) : new Error(what);
  });
  parser.on("opentag", (tag) => reader.open(tag));
  parser.on("closetag", ({ name }) => reader.close(name));
  parser.on("text", (text) => reader.text(text));
  parser.on("cdata", (text) => reader.text(text));
  const clean = asXml(xml);
  for (let at = 0; at < clean.length; at += atOnce) {
    parser.write(clean.slice(at, at + atOnce));
    yield* reader.taken();
  }
  isAtEnd = true;
  parser.close();
  if (!reader.isReport) throw new Error("it has no <testsuites> or <testsuite>");
}

const atOnce = 64 * 1024;

/** Tests print what XML cannot hold: colours, control characters, as they are or as references. */
function asXml(text: string): string {
  if (!forbidden.test(text)) return text;
  const asReference = (whole: string, hex: string | undefined, decimal: string | undefined): string =>
    isForbidden(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ? "" : whole;
  return text
    .replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, (sign) => (isForbidden(sign.codePointAt(0) ?? 0) ? "" : sign))
    .replaceAll(/&#(?:x([0-9a-f]+)|([0-9]+));/gi, asReference);
}

/** A sign of what has to go, in one quick look: most reports are fine as they are, and some are large. */
const forbidden = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]|&#/u;

const isForbidden = (code: number): boolean =>
  (code < 0x20 && ![0x9, 0xa, 0xd].includes(code)) || code === 0xfffe || code === 0xffff || code > 0x10ffff;

/** A suite with those around it. */
interface Suite {
  readonly path: readonly string[];
  readonly file: string;
}

class JunitReader {
  #cases: TestCase[] = [];
  isReport = false;
  readonly #suites: Suite[] = [];
  #open: { file: string; path: readonly string[]; state: TestCase["state"]; output: string } | null = null;
  #isHeard = false;

  open({ name, attributes }: SaxesTagPlain): void {
    if (name === "testsuites" || name === "testsuite") this.isReport = true;
    if (name === "testsuite") this.#suites.push(this.#suiteOf(attributes));
    if (name === "testcase") this.#begin(attributes);
    if (this.#open === null) return;
    if (name === "skipped") this.#open.state = "skipped";
    if (name === "failure" || name === "error") {
      // A test that is marked as to do may have both, and fails nothing.
      if (this.#open.state !== "skipped") this.#open.state = "failed";
      this.#open.output += attributes["message"] === undefined ? "" : `${attributes["message"]}\n`;
      this.#isHeard = true;
    }
  }

  close(name: string): void {
    if (name === "testsuite") this.#suites.pop();
    if (name === "failure" || name === "error") this.#isHeard = false;
    if (name !== "testcase" || this.#open === null) return;
    this.#cases.push(this.#open);
    this.#open = null;
  }

  /** What was read since the last time. */
  taken(): readonly TestCase[] {
    const cases = this.#cases;
    this.#cases = [];
    return cases;
  }

  text(text: string): void {
    if (this.#isHeard && this.#open) this.#open.output += text;
  }

  #suiteOf({ name = "", file = "" }: Readonly<Record<string, string>>): Suite {
    const around = this.#suites.at(-1);
    const own = name === "" || name === "pytest" ? [] : [name];
    return { path: [...(around?.path ?? []), ...own], file: file === "" ? (around?.file ?? "") : file };
  }

  #begin({ name = "", classname = "", file }: Readonly<Record<string, string>>): void {
    const { path, file: around } = this.#suites.at(-1) ?? { path: [], file: "" };
    const isKnown = classname === "" || classname === path.at(-1);
    const own = isKnown ? [...path, name] : [...path, classname, name];
    this.#open = { file: file ?? around, path: own, state: "passed", output: "" };
  }
}
