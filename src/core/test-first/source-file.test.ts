import assert from "node:assert/strict";
import { test } from "node:test";
import { bringsTests, isSourceFile } from "./source-file.ts";

const source = [
  ...["src/index.ts", "lib/a.js", "app.mjs", "web/App.tsx", "src/App.vue", "src/features/cart/total.ts"],
  ...[
    "app/models/user.rb",
    "pkg/server/server.go",
    "src/lib.rs",
    "src/main.c",
    "include/a.hpp",
    "Sources/App/App.swift",
  ],
  ...["src/main/java/com/a/Cart.java", "src/main/kotlin/Cart.kt", "Shop/Cart.cs", "lib/cart.ex", "lib/cart.dart"],
  ...[
    "superteam/cart.py",
    "src/Cart.php",
    "cart.zig",
    "src/Cart.hs",
    "bin/deploy.sh",
    "src/core.clj",
    "contest/latest.py",
  ],
  ...["src/config/load.ts", "src/protest.ts", "src/attestation.go", "src/Greatest.java", "src/specimen.rb"],
];

const tests = [
  ...["src/a.test.ts", "src/a.spec.tsx", "test/a.ts", "tests/unit/a.py", "src/__tests__/a.js", "e2e/login.ts"],
  ...["a_test.go", "test_cart.py", "tests.py", "conftest.py", "spec/cart_spec.rb", "src/test/java/CartTest.java"],
  ...["CartTests.cs", "Shop.Tests/Cart.cs", "ShopTests/Cart.swift", "test/cart_test.exs", "tests/CartTest.php"],
  ...["cypress/login.cy.js", "tests/it.rs", "CartIT.java", "CartSpec.scala", "src/tests.rs", "src/test-utils.ts"],
  ...["features/step_definitions/cart.rb", "internal/testdata/main.go", "src/__mocks__/fs.ts", "run.bats"],
];

const others = [
  ...["README.md", "docs/guide.md", "docs/conf.py", "LICENSE", "CHANGELOG", "notes.txt", "docs/examples/a.ts"],
  ...["package.json", "tsconfig.json", "vite.config.ts", "jest.config.js", ".eslintrc.js", "setup.py", "mix.exs"],
  ...["Cargo.toml", "build.gradle.kts", "Makefile", "Dockerfile", ".github/workflows/ci.yml", ".env", "go.mod"],
  ...["src/types.d.ts", "style.css", "index.html", "data/cities.csv", "schema.sql", "db/migrations/1.rb"],
  ...["../other/src/a.ts", "/tmp/scratch.ts", "C:/a.ts", "~/a.py", "node_modules/a/index.js", "dist/a.js", ""],
];

for (const [what, files, expected] of [
  ["source", source, true],
  ["no source, but a test", tests, false],
  ["no source", others, false],
] as const) {
  for (const file of files) {
    test(`${file || "no name"} is ${what}`, () => assert.equal(isSourceFile(file), expected));
  }
}

test("a file of source may bring its own tests, in languages where they stand in it", () => {
  assert.ok(bringsTests("src/lib.rs", "#[cfg(test)]\nmod tests {}"));
  assert.ok(bringsTests("src/lib.rs", "  #[tokio::test]\n  async fn works() {}"));
  assert.ok(bringsTests("a.zig", 'test "adds" {\n}'));
  assert.ok(bringsTests("a.py", 'def f():\n    """\n    >>> f()\n    1\n    """'));
  assert.ok(bringsTests("a.ts", "if (import.meta.vitest) {}"));
  assert.ok(!bringsTests("src/lib.rs", "fn latest() {}"));
  assert.ok(!bringsTests("a.go", "#[test]"));
});
