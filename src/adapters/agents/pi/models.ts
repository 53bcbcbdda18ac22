// Which models pi can use here: those whose providers it has a login or a key for.

import type { BackendModels, Variables } from "../../../ports/backend.ts";
import { capture } from "../../process/capture.ts";
import { piEnvironment } from "./environment.ts";
import type { PiProgram } from "./find.ts";

export async function piModels(program: PiProgram, env: Variables, cwd: string): Promise<BackendModels> {
  const args = [...program.args, "--list-models", "--no-extensions", "--no-approve"];
  const order = { command: program.command, args, cwd, env: piEnvironment(env, { environment: [] }) };
  const listed = await capture(order, { timeoutMs: 30_000, keep: 1024 * 1024 }, new AbortController().signal);
  if (!listed.started) return { ok: false, detail: `pi could not be started: ${listed.detail}` };
  if (listed.exit.how !== "exited" || listed.exit.code !== 0) {
    return { ok: false, detail: `pi could not list its models: ${listed.output.trim()}` };
  }
  const [head, ...rows] = listed.stdout.split("\n").map((line) => line.trim().split(/\s+/));
  if (head?.[0] !== "provider" || head[1] !== "model") return { ok: true, models: [] };
  return { ok: true, models: rows.flatMap(([provider, id]) => (provider && id ? [`${provider}/${id}`] : [])) };
}
