// Which files of a project are its source: code that a test can be written for first. Everything else, and everything
// whose kind is not known, is not: tests, documents, configuration, data.

/** `path` is relative to the project's root, with forward slashes. */
export function isSourceFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (!code.has(extension) || isOutside(path)) return false;
  return !testFolder.test(path) && !testName.test(path) && !configuration.test(name) && !aside.test(path);
}

/** A file of tests, by its folder or name. */
export function isTestFile(path: string): boolean {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return code.has(extension) && (testFolder.test(path) || testName.test(path));
}

/** In some languages a source file contains its own tests. */
export function bringsTests(path: string, text: string): boolean {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return testsInside[extension]?.test(text) ?? false;
}

/** Another project's, or nobody's: a scratch file is nothing to guard. */
function isOutside(path: string): boolean {
  return path.startsWith("../") || /^(?:[A-Za-z]:|\/|~)/.test(path);
}

const code = new Set(
  [
    "js jsx mjs cjs ts tsx mts cts vue svelte astro coffee elm",
    "py pyx rb php pl pm lua tcl r jl",
    "go rs c h cc cpp cxx hh hpp hxx m mm zig nim d cr v odin",
    "java kt scala groovy clj cljs cljc cs fs vb swift dart",
    "ex exs erl hs ml fsx purs rkt scm lisp el",
    "sh bash zsh fish ps1 psm1 sol",
  ].flatMap((line) => line.split(" ")),
);

const testFolder =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testdata|test[-_]?(?:utils|helpers|support)|fixtures?|__fixtures__|__mocks__|__snapshots__|cypress|step_definitions|[\w.]*Tests?|\w+Specs)\//;

const testName = new RegExp(
  [
    "[._-](?:test|tests|spec|specs|e2e|cy|bench)\\.\\w+$",
    "(?:^|/)(?:test|tests|spec|conftest)\\.\\w+$",
    "(?:^|/)test[-_][\\w.-]+$",
    "[a-z0-9](?:Test|Tests|TestCase|IT|Spec|Specs)\\.\\w+$",
    "(?:^|/)Test[A-Z]\\w*\\.java$",
    "(?:^|/)(?:setup|jest|vitest)[-.]?[tT]ests?\\.\\w+$",
  ].join("|"),
);

const configuration =
  /\.(?:config|conf|rc|setup)\.\w+$|\.d\.[cm]?ts$|^\.\w|rc\.[cm]?js$|^(?:setup|conftest|noxfile|settings)\.py$|^(?:gulpfile|gruntfile|karma\.conf|webpack\..*)\.[cm]?[jt]s$|^(?:mix|config|dev|prod|runtime)\.exs$|^build\.(?:rs|zig|sbt|gradle)$|\.gradle\.kts$|^(?:package|info)\.(?:lisp|scm)$/i;

/** Folders with what is no product of this project, or is written by a program. */
const aside = /(?:^|\/)(?:docs?|examples?|node_modules|vendor|third_party|dist|generated|migrations|\.[\w-]+)\//;

const testsInside: Readonly<Record<string, RegExp>> = {
  rs: /#\[(?:cfg\(test\)|(?:\w+::)*test\b)/,
  zig: /^\s*test\s*["{]/m,
  d: /^\s*unittest\b/m,
  py: /^\s*>>> /m,
  ex: /^\s*iex> /m,
  ts: /import\.meta\.vitest/,
  js: /import\.meta\.vitest/,
};
