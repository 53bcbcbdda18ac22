// Finds secrets in a text and hides them (S3). Only shapes that a provider uses for its keys and for nothing else, so that hashes, ids and
// ordinary code stay readable. The rules of gitleaks know the same shapes.

export type Redact = (text: string) => string;

export const hidden = "[redacted]";

/** Takes out the values of variables that are named like secrets, the longest first, and whatever looks like a key. */
export function redactor(environment: Readonly<Record<string, string | undefined>>): Redact {
  const values = Object.entries(environment).flatMap(([name, value = ""]) =>
    secretVariable.test(name) && !publicVariables.has(name) && value.length >= 8 ? [value] : [],
  );
  // A secret that begins another would leave that one's rest behind.
  const known = values.toSorted((left, right) => right.length - left.length);
  return (text) => {
    let shown = text;
    for (const value of known) shown = shown.replaceAll(value, hidden);
    return hideKeys(shown);
  };
}

const secretVariable = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH/i;
const publicVariables = new Set(["SSH_AUTH_SOCK", "GOOGLE_APPLICATION_CREDENTIALS", "AWS_WEB_IDENTITY_TOKEN_FILE"]);

export function hideKeys(text: string): string {
  return text.replace(keyShape, hidden);
}

const word = "[A-Za-z0-9_-]";
const anyCase = (words: string): string => words.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
const kind = anyCase("(?:api|access|auth|client|secret)");
const secretName = `(?:${kind}[_-]?(?:${kind}[_-]?)?${anyCase("(?:key|token|secret)")}|${anyCase("passw(?:or)?d")})`;
const privateKey = (rest: string): string => `-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----${rest}`;
const shapes: readonly string[] = [
  // Models: OpenAI, Anthropic, OpenRouter and others that begin alike; Groq, xAI, Perplexity, Replicate, Hugging Face, Google.
  String.raw`\b(?:sk|pk|rk)-${word}{16,}`,
  String.raw`\b(?:gsk_|xai-|pplx-|r8_|hf_|csk-|fw_)[A-Za-z0-9]{30,}`,
  String.raw`\bAIza${word}{30,}|\bya29\.${word}{20,}|\bGOCSPX-${word}{20,}`,
  // Code and packages: GitHub, GitLab, npm, PyPI, RubyGems, Docker, Atlassian, Postman, Linear.
  String.raw`\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}`,
  String.raw`\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|oas)-${word}{20,}`,
  String.raw`\bnpm_[A-Za-z0-9]{36}|\bpypi-${word}{50,}|\brubygems_[a-f0-9]{48}|\bdckr_pat_${word}{20,}`,
  String.raw`\bATATT3${word}{50,}|\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}|\blin_api_[A-Za-z0-9]{40}`,
  // Clouds: AWS, Azure, DigitalOcean, Vault, Doppler, Databricks, Supabase, Fly, Heroku, Pulumi, Terraform.
  String.raw`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`,
  String.raw`(?<=\bAccountKey=)[A-Za-z0-9+/]{86}==`,
  String.raw`\bdo[opr]_v1_[a-f0-9]{64}|\bhv[sb]\.${word}{24,}|\bdp\.(?:pt|st|ct|sa)\.[A-Za-z0-9]{40,}`,
  String.raw`\bdapi[a-f0-9]{32}|\bsbp_[a-f0-9]{40}|\bfo1_${word}{43}|\bHRKU-${word}{50,}|\bpul-[a-f0-9]{40}`,
  // Money, mail and messages: Stripe, Square, Shopify, SendGrid, Mailgun, Slack, Telegram, Discord.
  String.raw`\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}|\bwhsec_[A-Za-z0-9]{24,}|\bsq0[a-z]{3}-${word}{22,}`,
  String.raw`\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|\bSG\.${word}{22}\.${word}{43}|\bkey-[a-f0-9]{32}\b`,
  String.raw`\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+`,
  String.raw`(?<=hooks\.slack\.com/services/)[A-Za-z0-9/]{40,}|\b\d{8,10}:AA${word}{33}`,
  String.raw`(?<=discord(?:app)?\.com/api/webhooks/\d+/)${word}{60,}`,
  // Watching: Grafana, Sentry, New Relic.
  String.raw`\bgl(?:sa|c)_[A-Za-z0-9+/=_]{32,}|\bsntr(?:ys|yu)_[A-Za-z0-9+/=_-]{40,}|\bNRAK-[A-Z0-9]{27}`,
  // What is the same everywhere: signed tokens, headers, passwords in addresses, private keys.
  String.raw`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,
  String.raw`(?<=\b[Bb]earer )[A-Za-z0-9._~+/=-]{12,}|(?<=\b[Bb]asic )[A-Za-z0-9+/]{16,}={0,2}`,
  // A password may hold what should have been encoded.
  String.raw`(?<=\b[a-z][a-z0-9+.-]{1,20}://[^\s:@/]{0,100}:)[^\s/"'<>]{1,300}(?=@)`,
  // What is called a secret, and is long and mixed enough to be one: letters and digits, and nothing of code.
  String.raw`(?<=${secretName}\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)(?=[^\s"'&]{0,100}\d)(?=[^\s"'&]{0,100}[A-Za-z])[A-Za-z0-9_+/=~-]{20,2000}(?![\w.(])`,
  String.raw`\bAGE-SECRET-KEY-1[A-Z0-9]{58}`,
  privateKey("[\\s\\S]{0,20000}?-----END (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----"),
  // One that is cut off: lines of base64. The words alone hide nothing of what follows them.
  privateKey(String.raw`(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{16,})+`),
];
const keyShape = new RegExp(shapes.join("|"), "g");
