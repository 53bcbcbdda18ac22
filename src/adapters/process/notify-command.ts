// The person's own command for notifications, such as notify-send. It is given the message in SUPERTEAM_MESSAGE, and a short time.

import { capture } from "./capture.ts";
import { allowedEnvironment } from "./environment.ts";

/** What a program needs to reach the person's desktop. */
const desktop = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"];
const limitMs = 10_000;

/** Throws when the command could not be started, failed, or took too long. */
export async function runNotifyCommand(command: string, message: string, cwd: string): Promise<void> {
  const env = { ...allowedEnvironment(process.env, desktop), SUPERTEAM_MESSAGE: message };
  const order = { command: "/bin/sh", args: ["-c", command], cwd, env };
  const ended = await capture(order, { timeoutMs: limitMs, keep: 2_000 }, new AbortController().signal);
  if (!ended.started) throw new Error(ended.detail);
  if (ended.timedOut) throw new Error(`it took more than ${limitMs / 1000} seconds`);
  if (ended.exit.how !== "exited" || ended.exit.code !== 0)
    throw new Error(ended.output.trim() === "" ? `${command} failed and printed nothing` : ended.output);
}
