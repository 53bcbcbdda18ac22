// A terminal for machines without tmux: util-linux's `script`. It has no screen, just all that was ever written; that
// is enough to answer a question, and not to judge what stays of it.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as passes } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { patienceMs } from "../until.ts";
import { environmentOf, type Hands } from "./pane.ts";

const pollMs = 20;
const codes: Readonly<Record<string, string>> = {
  Up: "\x1b[A",
  Down: "\x1b[B",
  Enter: "\r",
  Escape: "\x1b",
};

export function hasScript(): boolean {
  return String(spawnSync("script", ["--version"]).stdout).includes("util-linux");
}

export function openScriptPane(options: {
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
}): Hands {
  const script = spawn("script", ["--quiet", "--flush", "--command", options.command, "/dev/null"], {
    env: environmentOf(options.environment),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const closed = once(script, "close");
  let written = "";
  script.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  const until = async (wanted: string): Promise<string> => {
    const deadline = Date.now() + patienceMs;
    while (!written.includes(wanted)) {
      if (Date.now() > deadline) throw new Error(`"${wanted}" was not written. All that was:\n${written}`);
      await passes(pollMs);
    }
    return stripVTControlCharacters(written);
  };
  return {
    until,
    press: async (...keys) => void script.stdin.write(keys.map((key) => codes[key] ?? key).join("")),
    type: async (text) => void script.stdin.write(text),
    close: async () => {
      script.kill("SIGKILL");
      await closed;
    },
  };
}
