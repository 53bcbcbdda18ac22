#!/usr/bin/env node
// Runs the command line from the sources, on a Node that can: an older one would show a stack trace for a .ts file.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `superteam needs Node 22.19 or newer and this is ${process.versions.node}. After "npm ci" the npm scripts use the Node the project brings (install scripts must be allowed).`,
  );
  process.exit(5);
}
const { main } = await import("../src/hosts/cli/program.ts");
process.exitCode = await main(process.argv.slice(2));
