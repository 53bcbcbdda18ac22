// The secrets of an environment: the values of variables that are named like secrets.

import { type Redact, redactorOf } from "../../core/text/secrets.ts";
import type { Variables } from "../../ports/backend.ts";

export function redactor(environment: Variables): Redact {
  return redactorOf(
    Object.entries(environment).flatMap(([name, value = ""]) =>
      secretName.test(name) && !publicNames.has(name) && value.length >= 8 ? [value] : [],
    ),
  );
}

const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH/i;
const publicNames = new Set(["SSH_AUTH_SOCK", "GOOGLE_APPLICATION_CREDENTIALS", "AWS_WEB_IDENTITY_TOKEN_FILE"]);
