// Takes secrets out of what is shown (S3): the values of variables that are named like secrets, and what looks like a key.

import type { Environment } from "./environment.ts";

export type Redact = (text: string) => string;

export function redactor(environment: Environment): Redact {
  const values = Object.entries(environment)
    .filter(([name, value]) => secretName.test(name) && !publicNames.has(name) && value.length >= 8)
    .map(([, value]) => value)
    // The longest first, or a secret that begins another would leave its rest behind.
    .sort((left, right) => right.length - left.length);
  return (text) => {
    let shown = text;
    for (const value of values) shown = shown.replaceAll(value, hidden);
    return shown.replace(keyShape, hidden);
  };
}

const hidden = "[redacted]";
const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH/i;
const publicNames = new Set(["SSH_AUTH_SOCK", "GOOGLE_APPLICATION_CREDENTIALS", "AWS_WEB_IDENTITY_TOKEN_FILE"]);
const keyShape =
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bAIza[A-Za-z0-9_-]{30,}|\bAKIA[A-Z0-9]{16}\b|(?<=\bBearer )[A-Za-z0-9._~+/=-]{12,}/g;
