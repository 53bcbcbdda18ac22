// The command line, with a death foretold: it kills itself with SIGKILL the moment the entry named by KILL_AT is on its
// way to disk. What it does otherwise is exactly what superteam does.

import { main } from "../../../src/hosts/cli/program.ts";
import { namer } from "./identity.ts";

const target = process.env["KILL_AT"] ?? "";
const nameOf = namer();

process.exitCode = await main(process.argv.slice(2), {
  watch: (sight) => {
    if (sight.type === "entry" && nameOf(sight.entry) === target) process.kill(process.pid, "SIGKILL");
  },
});
