#!/usr/bin/env node
// The command line's entry. It asks for a Node that can run the rest before it loads any of it; only help is shown on any.

const needed = [22, 19] as const;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const args = process.argv.slice(2);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  process.exitCode = asksForHelp(args) && (await showsHelp()) ? 0 : 5;
  process.stderr.write(
    `superteam needs Node ${needed.join(".")} or newer and this is ${process.versions.node}. Install one from https://nodejs.org or with "nvm install 24", then run the command again.\n`,
  );
} else {
  const { main } = await import("./program.ts");
  process.exitCode = await main(args);
}

/** Help alone, or of one command: with anything else a word could be a value, and the command would run. */
function asksForHelp([first = "", second, ...more]: readonly string[]): boolean {
  const isHelp = (word: string): boolean => word === "--help" || word === "-h";
  if (more.length > 0) return false;
  if (second === undefined) return first === "help" || isHelp(first);
  return first === "help" || (!first.startsWith("-") && isHelp(second));
}

async function showsHelp(): Promise<boolean> {
  try {
    const { parse } = await import("./parser.ts");
    return (await parse(args, undefined)) === 0;
  } catch {
    // This Node cannot even load the options. The message below says what to do.
    return false;
  }
}
