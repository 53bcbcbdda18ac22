#!/usr/bin/env node
// The one test command. Node's own runner exits 0 on TypeScript it cannot read and on globs that match nothing,
// so this asks for a Node that runs the sources, and fails when no test ran.
//   node scripts/test.mjs [glob ...]
import { spawn } from "node:child_process";

const needed = [22, 19];
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(
    `The tests need Node ${needed.join(".")} or newer and this is ${process.versions.node}. Run them with "npm test" after "npm ci": the project brings its own Node (install scripts must be allowed).`,
  );
  process.exit(5);
}

// Loaded only now: an older Node has no globSync to import.
const { globSync } = await import("node:fs");
const globs = process.argv.slice(2);
// The slow ones, of many whole runs each, are apart: npm run test:slow.
const patterns =
  globs.length > 0 ? globs : ["src/**/*.test.ts", "test/*.test.ts", "test/{adapters,demo,docs,e2e}/**/*.test.ts"];
// Of the slow ones the crash tests take longest: begun first, they run beside all the others.
const isLong = (file) => file.includes("/crash-");
const found = patterns.flatMap((pattern) => globSync(pattern)).sort();
const files = [...found.filter(isLong), ...found.filter((file) => !isLong(file))];
if (files.length === 0) {
  console.error(`No test file matches ${patterns.join(", ")}: nothing was tested.`);
  process.exit(1);
}

const runner = spawn(process.execPath, ["--test", "--test-reporter=spec", "--test-concurrency=2", ...files], {
  stdio: ["inherit", "pipe", "inherit"],
});
// No test's own time limit ends a file whose event loop no longer turns. Asked to end, the runner names what still ran.
const longestMinutes = 45;
const limit = setTimeout(() => {
  console.error(`The tests did not end within ${longestMinutes} minutes and are stopped.`);
  runner.kill("SIGTERM");
}, longestMinutes * 60_000);
let tail = "";
runner.stdout.on("data", (chunk) => {
  process.stdout.write(chunk);
  tail = (tail + chunk).slice(-4096);
});
runner.on("close", (code, signal) => {
  clearTimeout(limit);
  const count = Number(/^ℹ pass (\d+)$/m.exec(tail)?.[1] ?? 0);
  if (code === 0 && count === 0) {
    console.error("The runner ended well but no test passed: nothing was tested.");
    process.exit(1);
  }
  process.exit(signal ? 1 : (code ?? 1));
});
