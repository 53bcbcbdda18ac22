// What a child process may see of superteam's own environment: a list of names, and nothing else (S3).

/** What a shell and ordinary tools need. `LC_*` and `XDG_*` are passed on as well. */
const shellNames: readonly string[] = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TMP", "TEMP", "TZ", "CI"],
  ...["LANG", "LANGUAGE", "TERM", "COLORTERM", "NO_COLOR", "EDITOR", "VISUAL"],
  ...["SSH_AUTH_SOCK", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"],
];

const shellPrefixes: readonly string[] = ["LC_", "XDG_"];

export type Environment = Readonly<Record<string, string>>;

/** The variables of `source` that a shell needs, and those named. */
export function allowedEnvironment(source: NodeJS.ProcessEnv, names: readonly string[]): Environment {
  const allowed = new Set([...shellNames, ...names]);
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined) continue;
    if (allowed.has(name) || shellPrefixes.some((prefix) => name.startsWith(prefix))) picked[name] = value;
  }
  return picked;
}
