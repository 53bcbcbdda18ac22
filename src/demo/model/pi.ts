// A configuration folder for pi (PI_CODING_AGENT_DIR) that knows one provider: the scripted model on loopback.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DialectName } from "./dialect.ts";

export const scriptedProvider = "scripted";
export const scriptedModel = "scripted-model";

/** What else a pi without a network should be started with. */
export const offlineEnvironment = { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" } as const;

/** Writes `models.json` and `settings.json` into `folder`, which is made if need be. `changes` go over the settings. */
export async function writePiHome(
  folder: string,
  url: string,
  dialect: DialectName,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "models.json"), JSON.stringify(modelsFor(url, dialect), null, 2));
  await writeFile(join(folder, "settings.json"), JSON.stringify({ ...settings, ...changes }, null, 2));
}

function modelsFor(url: string, dialect: DialectName) {
  const endpoint = {
    anthropic: { baseUrl: url, api: "anthropic-messages" },
    chat: { baseUrl: `${url}/v1`, api: "openai-completions" },
  }[dialect];
  const model = {
    id: scriptedModel,
    name: "Scripted model",
    reasoning: true,
    input: ["text"],
    contextWindow: 200_000,
    maxTokens: 32_000,
    // US dollars per million tokens.
    cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  };
  return { providers: { [scriptedProvider]: { ...endpoint, apiKey: "no-key-needed", models: [model] } } };
}

const settings = {
  defaultProvider: scriptedProvider,
  defaultModel: scriptedModel,
  defaultThinkingLevel: "off",
  enableInstallTelemetry: false,
  quietStartup: true,
  cacheWarming: "off",
  // pi retries what may pass, at 20, 40 and 80 ms.
  retry: { enabled: true, maxRetries: 3, baseDelayMs: 20 },
};
