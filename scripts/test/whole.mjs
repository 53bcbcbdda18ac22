// Loaded before the tests of a job. Node passes over a file that throws while it is loaded when a test of it is known already:
// the tests after that would be missing, and nobody would notice. Asked for again, such a file throws again.

import { after } from "node:test";
import { pathToFileURL } from "node:url";

after(async () => {
  for (const file of process.argv.slice(1)) await import(pathToFileURL(file).href);
});
