#!/usr/bin/env node
// The command line's entry. It asks for a Node that can run the rest before it loads any of it.

const needed = [22, 19] as const;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  process.stderr.write(
    `superteam needs Node ${needed.join(".")} or newer and this is ${process.versions.node}: install a newer Node, then run it again.\n`,
  );
  process.exitCode = 5;
} else {
  const { main } = await import("./program.ts");
  process.exitCode = await main(process.argv.slice(2));
}
