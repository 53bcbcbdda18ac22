// Tests that leave something out of npm test, whole: every guide's examples, the package as it is packed, every deed during every
// operation of git's.

process.env["SUPERTEAM_CASES"] = "5";

await import("../adapters/repo/operation.test.ts");
await import("../adapters/agents/pi-guard-run.test.ts");
await import("../e2e/pi/package.test.ts");
await import("../docs/docs.test.ts");
await import("../docs/bench.test.ts");
