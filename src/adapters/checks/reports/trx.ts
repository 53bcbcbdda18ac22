// TRX, the XML of .NET's test platform, which `dotnet test --logger trx` writes: a file for each project and framework. Read by the
// documented format and the logger's own source; nobody has recorded one here yet (scripts/record-test-reports.ts does).

import type { SaxesTagPlain } from "saxes";
import type { TestCase, TestState } from "../../../core/validation/results.ts";
import { readXml, type XmlListener } from "./xml.ts";

/** The definitions of the tests follow their results, so that the results are held until the end. */
export function* readTrx(xml: string): Iterable<TestCase> {
  const reader = new TrxReader();
  for (const _ of readXml(xml, reader));
  if (!reader.isReport) throw new Error("it has no <TestRun>");
  yield* reader.cases();
}

interface Result {
  readonly id: string;
  readonly name: string;
  readonly state: TestState;
  output: string;
  /** The rows of a data-driven test, or the tests of an ordered one. */
  readonly inner: Result[];
}

interface Definition {
  /** The file of the assembly. */
  readonly assembly: string;
  readonly className: string;
}

/** What stands for a run that failed otherwise than by its tests. */
const whole = "the test run as a whole";
const mostOutput = 4_000;

class TrxReader implements XmlListener {
  isReport = false;
  readonly #results: Result[] = [];
  readonly #open: Result[] = [];
  readonly #definitions = new Map<string, Definition>();
  #test = "";
  #heard: string | null = null;
  #isError = false;
  /** What the run itself says went wrong. */
  readonly #errors: string[] = [];
  #outcome = "";

  open({ name, attributes }: SaxesTagPlain): void {
    const said = (key: string): string => String(attributes[key] ?? "");
    if (name === "TestRun") this.isReport = true;
    if (isResult(name))
      this.#open.push({
        id: said("testId"),
        name: said("testName"),
        state: stateOf(said("outcome")),
        output: "",
        inner: [],
      });
    if (name === "UnitTest") this.#test = said("id");
    if (name === "TestMethod")
      this.#definitions.set(this.#test, {
        assembly: said("codeBase").split(/[\\/]/).at(-1) ?? "",
        // Some adapters add the name of the assembly.
        className: said("className").split(",")[0] ?? "",
      });
    if (name === "ResultSummary") this.#outcome = said("outcome");
    if (name === "RunInfo") this.#isError = said("outcome") === "Error";
    if (isText(name)) this.#heard = "";
  }

  close(name: string): void {
    if (isText(name)) this.#take(name, this.#heard ?? "");
    if (!isResult(name)) return;
    const result = this.#open.pop();
    if (result !== undefined) (this.#open.at(-1)?.inner ?? this.#results).push(result);
  }

  text(text: string): void {
    if (this.#heard !== null && this.#heard.length < mostOutput) this.#heard += text;
  }

  #take(name: string, text: string): void {
    this.#heard = null;
    const result = this.#open.at(-1);
    if (name === "Text") {
      // So xUnit says which tests have failed.
      if (this.#isError && !text.includes("[FAIL]")) this.#errors.push(text);
    } else if (result !== undefined) result.output += `${text}\n`;
  }

  *cases(): Iterable<TestCase> {
    const named = this.#results.flatMap(ownResults);
    for (const { id, name, state, output } of named) {
      const { assembly = "", className = "" } = this.#definitions.get(id) ?? {};
      const own = name.startsWith(`${className}.`) ? name.slice(className.length + 1) : name;
      yield { file: assembly, path: className === "" ? [name] : [className, own], state, output };
    }
    const isRed = badOutcomes.has(this.#outcome) && !named.some(({ state }) => state === "failed");
    if (this.#errors.length === 0 && !isRed) return;
    const output = this.#errors.join("\n") || `Its outcome is ${this.#outcome}.`;
    const [first] = this.#definitions.values();
    yield { file: first?.assembly ?? "", path: [whole], state: "failed", output };
  }
}

const isResult = (name: string): boolean => name === "UnitTestResult" || name === "TestResultAggregation";
const isText = (name: string): boolean => name === "Message" || name === "StackTrace" || name === "Text";

/** A test with others in it is named only where it fails and they do not. */
function ownResults(result: Result): readonly Result[] {
  const inner = result.inner.flatMap(ownResults);
  if (inner.length === 0) return [result];
  return result.state !== "failed" || inner.some(({ state }) => state === "failed") ? inner : [result, ...inner];
}

const badOutcomes: ReadonlySet<string> = new Set(["Failed", "Error", "Timeout", "Aborted", "Disconnected"]);
const goodOutcomes: ReadonlySet<string> = new Set(["Passed", "Completed", "Warning", "PassedButRunAborted"]);
/** Without an outcome nothing says that it passed. */
function stateOf(outcome: string): TestState {
  if (goodOutcomes.has(outcome)) return "passed";
  return outcome === "" || badOutcomes.has(outcome) ? "failed" : "skipped";
}
