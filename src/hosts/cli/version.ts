// Which superteam this is.

import { readFileSync } from "node:fs";

export function version(): string {
  // Development runs src/hosts/cli, the package dist/hosts/cli: three folders up either way.
  const file = new URL("../../../package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  return version;
}
