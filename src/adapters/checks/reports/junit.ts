// JUnit's XML, as many runners write it. Each has its own idea of what a suite is; the file and the names around a test are
// taken as they come, so that the same test has the same name in the next run.

import type { SaxesTagPlain } from "saxes";
import type { TestCase } from "../../../core/validation/results.ts";
import { readXml, type XmlListener } from "./xml.ts";

/** Throws what is wrong with the text. Tests are handed over as they are read: a report of very many is never held as a whole. */
export function* readJunit(xml: string): Iterable<TestCase> {
  const reader = new JunitReader();
  for (const _ of readXml(xml, reader)) yield* reader.taken();
  if (!reader.isReport) throw new Error("it has no <testsuites> or <testsuite>");
}

/** A suite with those around it. */
interface Suite {
  readonly path: readonly string[];
  readonly file: string;
}

class JunitReader implements XmlListener {
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
      // A test that is marked as to do may have a failure as well, and fails nothing; what goes wrong after a test that was skipped does.
      if (name === "error" || this.#open.state !== "skipped") this.#open.state = "failed";
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

  #suiteOf({ name: said = "", file = "" }: Readonly<Record<string, string>>): Suite {
    const around = this.#suites.at(-1);
    const name = said.replace(/^\.\//, "");
    const own = name === "" || name === "pytest" || name === file ? [] : [name];
    return { path: [...(around?.path ?? []), ...own], file: file === "" ? (around?.file ?? "") : file };
  }

  #begin({ name = "", classname = "", file }: Readonly<Record<string, string>>): void {
    const { path, file: around } = this.#suites.at(-1) ?? { path: [], file: "" };
    const own = isSaid(classname, path) ? [...path, name] : [...path, classname, name];
    this.#open = { file: file ?? around, path: own, state: "passed", output: "" };
  }
}

/** Whether the names around a test say its class already: as one of them, or as all of them, the innermost first. */
function isSaid(classname: string, path: readonly string[]): boolean {
  if (classname === "" || classname === path.at(-1)) return true;
  if (path.length === 0) return false;
  const name = classname.replace(/^\.\//, "");
  return path.includes(name) || path.toReversed().join(" > ") === name;
}
