#!/usr/bin/env node
// The one test command:  node scripts/test.mjs [--changed[=<commit>]] [--jobs <n>] [--again] [glob ...]
// Node's own runner exits 0 on TypeScript it cannot read, so this asks for a Node that runs the sources first.

const needed = [22, 19];
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(
    `The tests need Node ${needed.join(".")} or newer and this is ${process.versions.node}. Run them with "npm test" after "npm ci": the project brings its own Node (install scripts must be allowed).`,
  );
  process.exit(5);
}

// Loaded only now: an older Node cannot read it.
const { main } = await import("./test/main.ts");
process.exitCode = await main(process.argv.slice(2));
