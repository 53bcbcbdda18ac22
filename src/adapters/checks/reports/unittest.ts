// What Python's unittest prints with -v: a line when a test begins, and at the end what failed. What tests print is in between.

import { count } from "../../../core/text/format.ts";
import type { TestCase } from "../../../core/validation/results.ts";
import { CutShort } from "./cut-short.ts";
import { refuseCut } from "./printed-reports.ts";

/** Throws where the tests that it names are not those that it counts: somebody else has printed in between. */
export function readUnittest(printed: string): readonly TestCase[] {
  refuseCut(printed);
  const [, ran, summary = ""] = [...printed.matchAll(/^Ran (\d+) tests? in .*\n\n(.*)/gm)].at(-1) ?? [];
  if (ran === undefined) throw new CutShort("it did not say how many tests ran");
  const begun = begunIn(printed);
  const failed = failedIn(printed);
  if (begun.length !== Number(ran)) throw new Error(`it ran ${count(Number(ran), "test")} and named ${begun.length}`);
  const counted = [...summary.matchAll(/[(\s](?<!expected )(?:failures|errors|unexpected successes)=(\d+)/g)];
  const failures = counted.reduce((sum, [, number]) => sum + Number(number), 0);
  if (failed.length !== failures) throw new Error(`it counted ${failures} failures and named ${failed.length}`);
  return [...casesOf(failed), ...begun.filter(({ path }) => !failed.some((one) => isSame(one.path, path)))];
}

/** `test_a (test_b.T.test_a) ...`; before Python 3.11 `test_a (test_b.T) ...` */
const nameIn = /^(\w+) \(([\w.<>]+)\)/;

function pathIn(text: string): readonly string[] {
  const [, name = "", where = ""] = nameIn.exec(text) ?? [];
  return [where.endsWith(`.${name}`) ? where.slice(0, -name.length - 1) : where, name];
}

/** What prepares a class or a module is named only where it fails, and is not counted. */
const around = /^(?:setUp|tearDown)(?:Class|Module)$/;

function begunIn(printed: string): readonly TestCase[] {
  const begins = [...printed.matchAll(new RegExp(nameIn, "gm"))].filter(([, name = ""]) => !around.test(name));
  return begins.map(({ index, 0: text }, at) => {
    const said = printed.slice(index, begins[at + 1]?.index ?? printed.length);
    const isSkipped = /\.\.\. skipped ['"]/.test(said.split("\n").slice(0, 2).join("\n"));
    return { file: "", path: pathIn(text), state: isSkipped ? "skipped" : "passed" };
  });
}

/** Each has a section of its own at the end; a test with several parts has one for each. */
function failedIn(printed: string): readonly TestCase[] {
  const sections = printed.split(/^={70}\n(?=(?:FAIL|ERROR|UNEXPECTED SUCCESS): )/m).slice(1);
  return sections.flatMap((section) =>
    section
      .split(/^UNEXPECTED SUCCESS: /m)
      .filter((text) => text !== "")
      .map((text) => ({
        file: "",
        path: pathIn(text.replace(/^(?:FAIL|ERROR): /, "")),
        state: "failed",
        output: text.split(/^-{70}\nRan \d+ tests? in /m)[0] ?? "",
      })),
  );
}

function casesOf(failed: readonly TestCase[]): readonly TestCase[] {
  return failed.filter(({ path }, at) => failed.findIndex((one) => isSame(one.path, path)) === at);
}

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join("\n") === other.join("\n");
