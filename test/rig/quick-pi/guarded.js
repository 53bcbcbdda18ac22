// The quick pi for all but an agent that is given an extension, as the guard of a test-first task is: that one is the real pi.

const real = import.meta.resolve("@earendil-works/pi-coding-agent").replace("/dist/index.js", "/dist/bundle/cli.js");
await import(process.argv.includes("-e") ? real : "./cli.js");
