// Small projects for the runners of tests, with what each of them can say: what passes, fails, is left out or does not load.

const jestTests = `test("top", () => {});
describe("outer", () => {
  test("good", () => {});
  test("bad 5ms", () => expect(1).toBe(2));
  test.skip("left out", () => {});
});
`;
const crash = 'throw new Error("at load");\n';

const crate = {
  "Cargo.toml": '[package]\nname = "letters"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": `#[cfg(test)]
mod tests {
    #[test]
    fn good() {}
    #[test]
    fn bad() { assert_eq!(1, 2); }
    #[test]
    #[ignore]
    fn left_out() {}
    #[test]
    #[should_panic]
    fn panics() { panic!("as it should"); }
}
`,
};

export const projects = {
  vitest: {
    "a.test.js": `import { describe, expect, test } from "vitest";\n${jestTests}`,
    "crash.test.js": crash,
    "late.test.js": `import { test } from "vitest";
test("late", async () => {
  Promise.reject(new Error("nobody waits for it"));
  await new Promise((resolve) => setTimeout(resolve, 20));
});
`,
  },
  jest: { "a.test.js": jestTests, "crash.test.js": crash },
  mocha: {
    "test/a.js": `const assert = require("node:assert");
it("top", () => {});
describe("outer", () => {
  it("good", () => {});
  it("bad 5ms", () => assert.equal(1, 2));
  it.skip("left out", () => {});
});
describe("hooked", () => {
  before(() => { throw new Error("no"); });
  it("never runs", () => {});
});
`,
  },
  playwright: {
    "tests/a.spec.ts": `import { expect, test } from "@playwright/test";
test("top", () => {});
test.describe("outer", () => {
  test("good", () => {});
  test("bad 5ms", () => expect(1).toBe(2));
  test.skip("left out", () => {});
});
`,
    "playwright.config.ts": 'export default { globalTeardown: "./teardown.ts" };\n',
    "teardown.ts": 'export default () => {\n  throw new Error("at the end");\n};\n',
  },
  bun: {
    "a.test.ts": `import { describe, expect, test } from "bun:test";
${jestTests}describe("outer", () => {
  describe("inner", () => test("good", () => {}));
});
`,
    "crash.test.ts": crash,
  },
  deno: {
    "a_test.ts": `Deno.test("top", () => {});
Deno.test("bad 5ms", () => { throw new Error("1 != 2"); });
Deno.test({ name: "left out", ignore: true, fn: () => {} });
Deno.test("outer", async (t) => { await t.step("good", () => {}); });
`,
    "crash_test.ts": crash,
  },
  ava: {
    "a.test.mjs": `import test from "ava";
test("top", (t) => t.pass());
test("bad 5ms", (t) => t.is(1, 2));
test.skip("left out", (t) => t.fail());
test.failing("known", (t) => t.fail());
`,
    "b.test.mjs": `import test from "ava";
test("top", (t) => t.pass());
`,
  },
  tape: {
    "test/a.js": `const test = require("tape");
test("top", (t) => { t.equal(1, 1); t.equal(2, 2); t.end(); });
test("outer", (t) => {
  t.test("good", (s) => { s.ok(true, "is so"); s.end(); });
  t.test("bad 5ms", (s) => { s.equal(1, 2); s.end(); });
  t.end();
});
`,
  },
  node: {
    "a.test.mjs": `import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
test("top", () => {});
describe("outer", () => {
  it("good", () => {});
  it("bad 5ms", () => assert.equal(1, 2));
  it.skip("left out", () => {});
  it.todo("later", () => assert.fail("not yet"));
});
`,
  },
  cargo: crate,
  nextest: crate,
  go: {
    "go.mod": "module example.org/letters\n\ngo 1.19\n",
    "a_test.go": `package letters

import "testing"

func TestTop(t *testing.T) {}
func TestOuter(t *testing.T) {
	t.Run("good", func(t *testing.T) {})
	t.Run("bad 5ms", func(t *testing.T) { t.Error("1 != 2") })
}
func TestLeftOut(t *testing.T) { t.Skip("not today") }
`,
    "crash/b_test.go": `package crash

import "testing"

func TestB(t *testing.T) { undefined() }
`,
  },
  rspec: {
    ".rspec": "",
    "spec/a_spec.rb": `RSpec.describe "Outer" do
  it("is good") { }
  it("is bad 5ms") { expect(1).to eq(2) }
  xit("is left out") { }
end
`,
  },
  phpunit: {
    "phpunit.xml":
      '<phpunit><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>\n',
    "tests/OuterTest.php": `<?php
use PHPUnit\\Framework\\TestCase;
final class OuterTest extends TestCase {
  public function testGood(): void { $this->assertSame(1, 1); }
  public function testBad(): void { $this->assertSame(1, 2); }
  public function testLeftOut(): void { $this->markTestSkipped("not today"); }
  /** @dataProvider rows */
  public function testRows(int $row): void { $this->assertSame(1, $row); }
  public static function rows(): array { return ["one" => [1], "two" => [2]]; }
}
`,
  },
  maven: {
    "pom.xml": `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>letters</groupId><artifactId>letters</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>[4.12,5)</version><scope>test</scope></dependency>
  </dependencies>
</project>
`,
    "src/test/java/letters/OuterTest.java": `package letters;
import static org.junit.Assert.assertEquals;
import org.junit.Ignore;
import org.junit.Test;
public class OuterTest {
  @Test public void good() {}
  @Test public void bad() { assertEquals(1, 2); }
  @Ignore @Test public void leftOut() {}
}
`,
  },
  dotnet: {
    "Letters.Tests.csproj": `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net8.0</TargetFramework>
    <RollForward>Major</RollForward>
    <IsPackable>false</IsPackable>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Microsoft.NET.Test.Sdk" Version="17.*" />
    <PackageReference Include="xunit" Version="2.*" />
    <PackageReference Include="xunit.runner.visualstudio" Version="2.*" />
  </ItemGroup>
</Project>
`,
    "LetterTests.cs": `using Xunit;
namespace Letters.Tests;
public class LetterTests
{
    [Fact] public void Good() { }
    [Fact] public void Bad() => Assert.Equal(1, 2);
    [Fact(Skip = "not today")] public void LeftOut() { }
    [Theory, InlineData(1), InlineData(2)] public void Rows(int row) => Assert.Equal(1, row);
}
`,
  },
} as const;

/** What is said to run the tests, where that is not the package's name. */
export const scripts: Readonly<Record<string, string>> = {
  vitest: "vitest run",
  playwright: "playwright test",
  bun: "bun test",
  deno: "deno test",
  tape: "tape test/*.js",
  node: "node --test --test-reporter=tap",
};

/** What is no package of npm, and how it runs the tests. */
export const commands: Readonly<Record<string, string>> = {
  cargo: "cargo test",
  nextest: "cargo nextest run",
  dotnet: "dotnet test",
  go: "go test ./...",
  rspec: "rspec",
  phpunit: "phpunit",
  maven: "mvn -B test",
};
export const versions: Readonly<Record<string, string>> = {
  cargo: "cargo --version",
  nextest: "cargo nextest --version",
  dotnet: "dotnet --version",
  go: "go version",
  rspec: "rspec --version",
  phpunit: "phpunit --version",
  maven: "mvn --version",
};

export const packages: Readonly<Record<string, string>> = { playwright: "@playwright/test" };
