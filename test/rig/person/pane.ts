// A real terminal for a program under test: a tmux server of its own with one pane. Keys go in as a person presses
// them; what comes out is the screen as a person sees it.

import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as passes } from "node:timers/promises";
import { promisify } from "node:util";
import { patienceMs } from "../until.ts";

const run = promisify(execFile);
/** A look is a process of its own: the longer it takes, the less often it is looked. */
const [shortestMs, longestMs] = [20, 150];

/** Why there is no screen to look at; undefined when there is one. */
export function noScreen(): string | undefined {
  return spawnSync("tmux", ["-V"]).status === 0 ? undefined : "tmux is not installed: there is no screen to look at";
}

/** What it takes to use a program without judging its looks. */
export interface Hands {
  /** Waits until this is to be seen. */
  until(wanted: string): Promise<string>;
  /** Presses keys by their tmux names, such as Down, Enter, Escape, C-c. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface Pane extends Hands {
  /** The lines of the screen, without trailing blanks. */
  screen(): Promise<string>;
  /** The screen with its colours and styles as escape sequences. */
  colours(): Promise<string>;
  /** Scrolled-off lines and the screen. */
  history(): Promise<string>;
  /** Waits until the screen is as wanted, and gives it. */
  until(wanted: string | RegExp | ((screen: string) => boolean)): Promise<string>;
  /** Waits until this question takes keys: its text alone may be on the screen before, and a key pressed then is lost. */
  asked(question: string): Promise<string>;
  /** Pastes a text, bracketed if the program has asked for that. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** The terminal's modes, as stty prints them. */
  modes(): Promise<string>;
  cursorIsVisible(): Promise<boolean>;
}

export async function openPane(options: {
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}): Promise<Pane> {
  const server = `superteam-test-${randomUUID()}`;
  const tmux = async (...args: string[]): Promise<string> =>
    (await run("tmux", ["-u", "-L", server, "-f", "/dev/null", ...args], { env: environmentOf(options.environment) }))
      .stdout;
  const size = ["-x", String(options.columns), "-y", String(options.rows)];
  await tmux("new-session", "-d", ...size, options.command);
  const screen = async (): Promise<string> => (await tmux("capture-pane", "-p")).trimEnd();
  const ask = async (what: string): Promise<string> => (await tmux("display-message", "-p", what)).trim();
  return {
    screen,
    colours: () => tmux("capture-pane", "-p", "-e"),
    history: () => tmux("capture-pane", "-p", "-S", "-"),
    until: (wanted) => until(screen, seenAs(wanted)),
    asked: (question) => until(screen, (seen) => /Esc to pause/.test(seen.split(question).slice(1).at(-1) ?? "")),
    press: async (...keys) => void (await tmux("send-keys", ...keys)),
    type: async (text) => void (await tmux("send-keys", "-l", text)),
    paste: async (text) => {
      await tmux("set-buffer", text);
      await tmux("paste-buffer", "-p", "-r");
    },
    resize: async (columns, rows) => void (await tmux("resize-window", "-x", String(columns), "-y", String(rows))),
    modes: async () => (await run("stty", ["-a", "-F", await ask("#{pane_tty}")])).stdout,
    cursorIsVisible: async () => (await ask("#{cursor_flag}")) === "1",
    close: async () => void (await tmux("kill-server")),
  };
}

function seenAs(wanted: string | RegExp | ((screen: string) => boolean)): (screen: string) => boolean {
  if (typeof wanted === "function") return wanted;
  return (screen) => (typeof wanted === "string" ? screen.includes(wanted) : wanted.test(screen));
}

async function until(screen: () => Promise<string>, wanted: (screen: string) => boolean): Promise<string> {
  const deadline = Date.now() + patienceMs;
  for (let pauseMs = shortestMs; ; pauseMs = Math.min(pauseMs * 1.3, longestMs)) {
    const seen = await screen();
    if (wanted(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`The screen did not become what was waited for. It shows:\n${seen}`);
    await passes(pauseMs);
  }
}

/** What a login shell would have, and nothing of how the tests themselves are run. */
export function environmentOf(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, SHELL: "/bin/sh", LC_ALL: "C.UTF-8", TERM: "xterm-256color", ...extra };
}
