// Stands in for pi where only the length of its stream matters: writes a recorded stream again and again, as fast as it is
// read. Called as: emit.ts <file> <megabytes> [pi's own arguments, ignored]

import { once } from "node:events";
import { readFileSync } from "node:fs";

const [file = "", megabytes = "1"] = process.argv.slice(2);
const stream = readFileSync(file);
for (let left = Number(megabytes) * 1024 * 1024; left > 0; left -= stream.length) {
  if (!process.stdout.write(stream)) await once(process.stdout, "drain");
}
