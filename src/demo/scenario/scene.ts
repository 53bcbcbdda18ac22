// A scene is one agent's part: tool calls in order, each with the result that the model expects. The real results decide how it continues: if
// one is not as expected, the agent says so and gives no answer.

import type { ModelToolCall, Reaction, ToolResult, Turn } from "../model/play.ts";

export type Scene = (turn: Turn) => Reaction;

/** Tool calls of one assistant turn. `expects` gives what is wrong with the results, or null. */
export interface SceneMove {
  readonly say: string;
  readonly calls: readonly ModelToolCall[];
  readonly expects: (results: readonly ToolResult[]) => string | null;
}

/** Plays the moves, one per assistant turn, then closes with a text that may use everything that was seen. */
export function scene(moves: readonly SceneMove[], close: (turn: Turn) => string): Scene {
  return (turn) => {
    const last = moves[turn.turn - 1];
    const problem = last ? problemWith(last, turn.results) : null;
    if (problem !== null) return { text: `I stopped, because ${problem}` };
    const move = moves[turn.turn];
    return move ? { text: move.say, tools: move.calls } : { text: close(turn) };
  };
}

function problemWith(move: SceneMove, results: readonly ToolResult[]): string | null {
  if (results.length !== move.calls.length) return `${move.calls.length} calls gave ${results.length} results.`;
  return move.expects(results);
}

/** Looks around; a file that cannot be read is for the scene to judge. */
export function looks(say: string, ...calls: readonly ModelToolCall[]): SceneMove {
  const missing = (results: readonly ToolResult[]) => calls.find((call, index) => results[index]?.name !== call.name);
  return {
    say,
    calls,
    expects: (results) => {
      const call = missing(results);
      return call ? `${call.name} was not run.` : null;
    },
  };
}

export function writes(say: string, path: string, content: string): SceneMove {
  return {
    say,
    calls: [{ name: "write", args: { path, content } }],
    expects: ([result]) =>
      unless(done(result, "Successfully wrote", path), `${path} was not written: ${shown(result)}`),
  };
}

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

export function edits(say: string, path: string, replacements: readonly Replacement[]): SceneMove {
  return {
    say,
    calls: [{ name: "edit", args: { path, edits: replacements } }],
    expects: ([result]) =>
      unless(done(result, "Successfully replaced", path), `${path} was not changed: ${shown(result)}`),
  };
}

/** A test run whose result is not known beforehand. */
export function tried(say: string, command: string): SceneMove {
  return {
    say,
    calls: [bash(command)],
    expects: ([result]) =>
      unless(counted("tests", result?.text ?? "") !== null, `${command} ran no tests: ${shown(result)}`),
  };
}

/** A test run that has to fail, and for the right reason. */
export function red(say: string, command: string, because: RegExp): SceneMove {
  return {
    say,
    calls: [bash(command)],
    expects: ([result]) =>
      unless(
        result?.failed === true && because.test(result.text),
        `${command} was not red as expected: ${shown(result)}`,
      ),
  };
}

/** A test run that has to pass, and to have run something. */
export function green(say: string, command: string): SceneMove {
  return {
    say,
    calls: [bash(command)],
    expects: ([result]) => unless(passed(result), `${command} was not green: ${shown(result)}`),
  };
}

export const read = (path: string): ModelToolCall => ({ name: "read", args: { path } });
export const ls = (path: string): ModelToolCall => ({ name: "ls", args: { path } });
const bash = (command: string): ModelToolCall => ({ name: "bash", args: { command } });

/** What `node --test` says at its end, in either of its formats. */
export function counted(what: "tests" | "pass" | "fail", output: string): number | null {
  const match = new RegExp(`^(?:#|ℹ) ${what} (\\d+)$`, "m").exec(output);
  return match ? Number(match[1]) : null;
}

/** The names of the tests that `node --test` says failed, each once. */
export function failedTests(output: string): readonly string[] {
  const lines = output.matchAll(/^\s*(?:not ok \d+ - |✖ )(.+?)(?: \([\d.]+ms\))?$/gm);
  const names = [...lines].map(([, name = ""]) => name).filter((name) => name !== "failing tests:");
  return [...new Set(names)];
}

function passed(result: ToolResult | undefined): boolean {
  return result?.failed === false && counted("fail", result.text) === 0 && (counted("pass", result.text) ?? 0) > 0;
}

function done(result: ToolResult | undefined, words: string, path: string): boolean {
  return result?.failed === false && result.text.includes(words) && result.text.includes(path);
}

function unless(holds: boolean, problem: string): string | null {
  return holds ? null : problem;
}

function shown(result: ToolResult | undefined): string {
  return result ? result.text.trim().slice(-600) : "there was no result";
}
