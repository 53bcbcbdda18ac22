// Which superteam this is.

import { createRequire } from "node:module";

/** Development runs src/hosts/cli, the package dist/hosts/cli: three folders up either way. */
export const version: string = createRequire(import.meta.url)("../../../package.json").version;
