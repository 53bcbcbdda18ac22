// The loop that a script would be: the same calls of pi, one after another, with nothing between them.
// Called as: bare-loop.ts <file with the calls>; prints how long they took.

import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";

export interface Call {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The file with the prompt. */
  readonly stdin: string;
}

const calls: readonly Call[] = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const start = performance.now();
for (const call of calls) await made(call);
console.log(performance.now() - start);

function made({ command, args, cwd, stdin }: Call): Promise<void> {
  return new Promise((resolve, reject) => {
    const prompt = openSync(stdin, "r");
    const child = spawn(command, args, { cwd, stdio: [prompt, "pipe", "ignore"] });
    closeSync(prompt);
    let last = "";
    child.stdout?.on("data", (bytes: Buffer) => (last = bytes.toString("utf8")));
    child.once("error", reject);
    child.once("close", () =>
      last.includes("agent_settled") ? resolve() : reject(new Error(`pi did not answer: ${last}`)),
    );
  });
}
