// What pi may see of superteam's environment: what a shell needs, pi's own settings, and the keys pi documents for its
// providers. Variables that describe a surrounding pi session, such as PI_SESSION_ID, are not passed.

import type { AgentOrder } from "../../../ports/agents.ts";
import type { Variables } from "../../../ports/backend.ts";
import { allowedEnvironment, type Environment } from "../../process/environment.ts";

export function piEnvironment(source: Variables, order: Pick<AgentOrder, "environment">): Environment {
  const allowed = allowedEnvironment(source, [...piVariables, ...order.environment]);
  return { ...allowed, PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" };
}

const settings = `
  PI_CODING_AGENT_DIR PI_PACKAGE_DIR PI_OFFLINE PI_CACHE_RETENTION PI_RADIUS_GATEWAY
`;

const keys = `
  AI_GATEWAY_API_KEY ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_OAUTH_TOKEN ANT_LING_API_KEY
  BASETEN_API_KEY CEREBRAS_API_KEY COPILOT_GITHUB_TOKEN DEEPSEEK_API_KEY FIREWORKS_API_KEY GEMINI_API_KEY
  GROQ_API_KEY HF_TOKEN KIMI_API_KEY META_API_KEY MINIMAX_API_KEY MINIMAX_CN_API_KEY MISTRAL_API_KEY
  MOONSHOT_API_KEY NVIDIA_API_KEY OPENAI_API_KEY OPENCODE_API_KEY OPENROUTER_API_KEY QWEN_TOKEN_PLAN_API_KEY
  QWEN_TOKEN_PLAN_CN_API_KEY RADIUS_API_KEY TOGETHER_API_KEY XAI_API_KEY XIAOMI_API_KEY
  XIAOMI_TOKEN_PLAN_AMS_API_KEY XIAOMI_TOKEN_PLAN_CN_API_KEY XIAOMI_TOKEN_PLAN_SGP_API_KEY ZAI_API_KEY
  ZAI_CODING_CN_API_KEY
`;

const cloud = `
  AWS_ACCESS_KEY_ID AWS_BEARER_TOKEN_BEDROCK AWS_CONTAINER_AUTHORIZATION_TOKEN
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE AWS_CONTAINER_CREDENTIALS_FULL_URI
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_DEFAULT_REGION AWS_PROFILE AWS_REGION AWS_ROLE_ARN
  AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_WEB_IDENTITY_TOKEN_FILE AZURE_OPENAI_API_KEY AZURE_OPENAI_BASE_URL
  AZURE_OPENAI_RESOURCE_NAME CLOUDFLARE_ACCOUNT_ID CLOUDFLARE_API_KEY CLOUDFLARE_GATEWAY_ID GCLOUD_PROJECT
  GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_API_KEY GOOGLE_CLOUD_LOCATION GOOGLE_CLOUD_PROJECT
`;

/** What pi itself and its providers document. */
export const piVariables: readonly string[] = `${settings}${keys}${cloud}`.split(/\s+/).filter(Boolean);
