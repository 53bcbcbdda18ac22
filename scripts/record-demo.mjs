#!/usr/bin/env node
// npm run record: runs the demo in a terminal of its own (tmux), films its screen, and writes docs/demo.svg. Nothing in the
// picture is typed by hand, so that it can be made again whenever the demo changes.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { toSvg } from "./record-svg.mjs";

const project = join(import.meta.dirname, "..");
const [columns, rows] = [100, 32];
/** How often the screen is looked at, and how long the last one stays. */
const [everyMs, lastMs] = [400, 6000];
const home = mkdtempSync(join(tmpdir(), "superteam-record-"));
const socket = join(home, "tmux");

try {
  const screens = await film();
  const still = screens.findLastIndex(({ text }) => text.includes("✗ Spec review") && text.includes("Fix attempt"));
  const title = "The demo: from one sentence to a design, a plan, three reviewed commits and a report";
  const svg = toSvg(screens, { columns, rows, still: Math.max(still, 0), title });
  writeFileSync(join(project, "docs/demo.svg"), svg);
  console.log(`docs/demo.svg: ${screens.length} screens, ${Math.round(svg.length / 1024)} KB`);
} finally {
  execFileSync("tmux", ["-S", socket, "kill-server"], { stdio: "ignore" });
  rmSync(home, { recursive: true, force: true });
}

async function film() {
  // An empty configuration of npm's, so that the machine's own does not get into the picture; a plain prompt.
  const shell = `env PS1='$ ' LANG=C.UTF-8 TMPDIR=${home} NPM_CONFIG_USERCONFIG=${join(home, "npmrc")} sh`;
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", project, shell);
  await until(() => isPrompt(look()));
  tmux("send-keys", "npm run demo", "Enter");
  const screens = [];
  for (let text = look(); ; text = look()) {
    const last = screens.at(-1);
    if (last?.text === text) last.ms += everyMs;
    else screens.push({ text, ms: everyMs });
    if (screens.length > 1 && isPrompt(text)) break;
    await pause(everyMs);
  }
  screens.at(-1).ms = lastMs;
  return screens.map(({ text, ms }) => ({ text: text.replaceAll(home, tmpdir()), ms }));
}

/** Whether the shell waits for a command: its prompt stands alone on the last line. */
function isPrompt(text) {
  const last = text
    .replace(/\x1b\[[\d;]*m/g, "")
    .trimEnd()
    .split("\n")
    .at(-1);
  return last === "$";
}

async function until(holds) {
  while (!holds()) await pause(50);
}

function look() {
  return tmux("capture-pane", "-e", "-p");
}

function tmux(...args) {
  return execFileSync("tmux", ["-S", socket, ...args], { encoding: "utf8" });
}
