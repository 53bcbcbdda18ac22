// Which models pi can use here: those whose providers it has a login or a key for. And what one of them costs.

import { parseJson } from "../../../core/text/json.ts";
import type { ModelPrice, PricedOrder } from "../../../ports/agents.ts";
import type { BackendModels, Variables } from "../../../ports/backend.ts";
import { capture } from "../../process/capture.ts";
import { isolated } from "./command-line.ts";
import { piEnvironment } from "./environment.ts";
import type { PiProgram } from "./find.ts";
import { asCount, asObject, asText } from "./unknown-json.ts";

/** A busy machine takes its time, and so does a pi that was just installed. */
const usualLimitMs = 60_000;

export async function piModels(
  program: PiProgram,
  env: Variables,
  cwd: string,
  limitMs = usualLimitMs,
): Promise<BackendModels> {
  const args = [...program.args, "--list-models", "--no-extensions", "--no-approve"];
  const order = { command: program.command, args, cwd, env: piEnvironment(env, { environment: [] }) };
  const listed = await capture(order, { timeoutMs: limitMs, keep: 1024 * 1024 }, new AbortController().signal);
  if (!listed.started) return { ok: false, detail: `pi could not be started: ${listed.detail}` };
  if (listed.exit.how !== "exited" || listed.exit.code !== 0) {
    const why = listed.timedOut ? `it took more than ${limitMs / 1000} seconds. Try again` : listed.output.trim();
    return { ok: false, detail: `pi could not list its models: ${why || "it said nothing"}.` };
  }
  const [head, ...rows] = listed.stdout.split("\n").map((line) => line.trim().split(/\s+/));
  if (head?.[0] !== "provider" || head[1] !== "model") return { ok: true, models: [] };
  return { ok: true, models: rows.flatMap(([provider, id]) => (provider && id ? [`${provider}/${id}`] : [])) };
}

/** pi is started as for a dispatch and asked which model it would use; it asks no model. */
export async function piPrice(program: PiProgram, env: Variables, order: PricedOrder): Promise<ModelPrice | undefined> {
  const { model: asked, cwd } = order;
  const args = [...program.args, ...asking, ...(asked === null ? [] : ["--model", asked])];
  const call = { command: program.command, args, cwd, env: piEnvironment(env, { environment: [] }) };
  const limits = { timeoutMs: 10_000, keep: 1024 * 1024, input: `${JSON.stringify({ type: "get_state" })}\n` };
  const said = await capture(call, limits, new AbortController().signal);
  const lines = said.started ? said.stdout.split("\n").map(parseJson) : [];
  for (const line of lines) {
    const model = asObject(asObject(asObject(line.ok ? line.value : undefined)["data"])["model"]);
    if (asText(model["id"]) !== "") return priceOf(model);
  }
  return undefined;
}

function priceOf(model: ReturnType<typeof asObject>): ModelPrice {
  const cost = asObject(model["cost"]);
  const usdPerToken = (kind: string): number => asCount(cost[kind]) / 1_000_000;
  const name = `${asText(model["provider"])}/${asText(model["id"])}`;
  return { model: name, input: usdPerToken("input"), output: usdPerToken("output") };
}

const asking = ["--mode", "rpc", ...isolated];
