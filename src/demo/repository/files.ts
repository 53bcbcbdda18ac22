// The demo's throw-away repository, as text: a small library without dependencies, with its own tests. One of them is
// red from the start (durations do not know minutes yet); the scenario's third task needs minutes and fixes it.

export interface Draft {
  readonly message: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Something of the person's own that is in no commit. Whatever happens in the demo, it has to stay as it is. */
export const personsFile = {
  path: "notes.txt",
  text: "Ask Mira which proxy sits in front of the service.\nDo not lose this file.\n",
} as const;

/** The test that fails before anybody has done anything. */
export const redTest = "reads minutes";

const manifest = {
  name: "tollgate",
  version: "0.3.0",
  description: "Small middleware for small services",
  type: "module",
  private: true,
  engines: { node: ">=20" },
  exports: "./src/index.js",
  scripts: { test: "node --test", check: "node --no-warnings --experimental-vm-modules scripts/check.mjs" },
};

/** What `npm run check` does: every source has to parse. */
const check = `// Parses every source and test file, and fails on the first that does not.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SourceTextModule } from "node:vm";

let count = 0;
for (const folder of ["src", "test"]) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".js"))) {
    const identifier = join(folder, name);
    new SourceTextModule(readFileSync(identifier, "utf8"), { identifier });
    count++;
  }
}
console.log(\`\${count} files parse.\`);
`;

const pipeline = `// Runs a request through middleware, in order. Each may answer, or hand over with next().

export function pipeline(middleware, handler) {
  return (request) => step(0, request);

  function step(index, request) {
    if (index === middleware.length) return handler(request);
    return middleware[index](request, () => step(index + 1, request));
  }
}
`;

const pipelineTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { pipeline } from "../src/pipeline.js";

test("runs middleware in order, then the handler", () => {
  const seen = [];
  const mark = (name) => (request, next) => (seen.push(name), next());
  const run = pipeline([mark("a"), mark("b")], () => ({ status: 200 }));
  assert.deepEqual(run({}), { status: 200 });
  assert.deepEqual(seen, ["a", "b"]);
});

test("middleware may answer by itself", () => {
  const run = pipeline([() => ({ status: 403 })], () => ({ status: 200 }));
  assert.deepEqual(run({}), { status: 403 });
});
`;

const headers = `// Header names are case-insensitive.

export function header(request, name) {
  const wanted = name.toLowerCase();
  for (const [key, value] of Object.entries(request.headers ?? {})) {
    if (key.toLowerCase() === wanted) return value;
  }
  return undefined;
}
`;

const headersTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { header } from "../src/headers.js";

test("finds a header whatever its case", () => {
  assert.equal(header({ headers: { "X-Forwarded-For": "10.0.0.1" } }, "x-forwarded-for"), "10.0.0.1");
});

test("gives undefined for a header that is not there", () => {
  assert.equal(header({}, "accept"), undefined);
});
`;

const duration = `// Reads durations as people write them, in milliseconds.

const units = { ms: 1, s: 1000 };

export function duration(text) {
  const match = /^(\\d+)\\s*([a-z]+)$/.exec(text.trim());
  const unit = match ? units[match[2]] : undefined;
  if (unit === undefined) throw new RangeError(\`"\${text}" is not a duration\`);
  return Number(match[1]) * unit;
}
`;

const durationTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { duration } from "../src/duration.js";

test("reads milliseconds and seconds", () => {
  assert.equal(duration("250ms"), 250);
  assert.equal(duration("2s"), 2000);
});

test("${redTest}", () => {
  assert.equal(duration("1m"), 60000);
});

test("refuses what is not a duration", () => {
  assert.throws(() => duration("soon"), RangeError);
});
`;

const index = (names: readonly string[]): string => names.map((name) => `export * from "./${name}.js";\n`).join("");

/** The commits of the repository, oldest first. */
export const drafts: readonly Draft[] = [
  {
    message: "Run requests through middleware",
    files: {
      ".gitignore": "node_modules/\n",
      "README.md": "# tollgate\n\nSmall middleware for small services. No dependencies.\n\n    npm test\n",
      "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
      "scripts/check.mjs": check,
      "src/index.js": index(["pipeline"]),
      "src/pipeline.js": pipeline,
      "test/pipeline.test.js": pipelineTest,
    },
  },
  {
    message: "Find headers whatever their case",
    files: {
      "src/headers.js": headers,
      "src/index.js": index(["headers", "pipeline"]),
      "test/headers.test.js": headersTest,
    },
  },
  {
    message: "Read durations",
    files: {
      ".superteam.json": `${JSON.stringify({ validationCommand: "npm run check" }, null, 2)}\n`,
      "src/duration.js": duration,
      "src/index.js": index(["duration", "headers", "pipeline"]),
      "test/duration.test.js": durationTest,
    },
  },
];
