// The documentation that is offered at the end of a run.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Agent,
  dispatches,
  facts,
  type Played,
  questions,
  resultOf,
  type Script,
} from "../../../test/rig/flow.ts";
import { commits, names } from "../../../test/rig/task.ts";
import { end } from "../../../test/rig/whole.ts";
import type { Report } from "../../core/run/report.ts";
import { isDocumentation } from "./docs.ts";

const yes = (script: Script = {}): Played<Report> =>
  end({ ...script, answers: { ...script.answers, "finalize.docs": "yes" } });
const writing =
  (...paths: readonly string[]): Agent =>
  ({ files, nth }) => {
    for (const path of paths) files.set(path, `new ${nth}`);
    return "Written.";
  };
const docsCommits = (played: Played<unknown>) => commits(played).filter(({ name }) => name === "docs");

test("the documentation is offered, and left alone unless the person wants it", () => {
  const played = end();
  const question = questions(played).find(({ id }) => id === "finalize.docs");
  assert.deepEqual([question?.kind, question?.recommended], ["confirm", "no"]);
  assert.deepEqual(resultOf(played).docs, { status: "declined", commit: null, files: [] });
  assert.ok(!names(played).includes("docs"));
});

test("A14: nobody is asked about documentation that a task has written", () => {
  const written = (path: string) =>
    end({ meanwhile: ({ do: what }, files) => void (what === "write" && files.set(path, "new")) });
  for (const [path, status] of [
    ["README.md", "not-offered"],
    ["docs/guide.md", "not-offered"],
    ["notes.txt", "declined"],
  ] as const) {
    const played = written(path);
    assert.equal(resultOf(played).docs.status, status, path);
    assert.equal(
      questions(played).some(({ id }) => id === "finalize.docs"),
      status === "declined",
      path,
    );
  }
});

test("an implementer updates it, told what has changed, and it gets a commit of its own", () => {
  const played = yes();
  const order = dispatches(played).find(({ name }) => name === "docs");
  assert.deepEqual([order?.role, order?.access], ["implementer", "write"]);
  assert.match(order?.prompt ?? "", /## Completed tasks[\s\S]*\+two\(\);[\s\S]*Change documentation only/);
  assert.deepEqual(
    docsCommits(played).map(({ message, documents }) => [message, documents]),
    [["workflow: documentation", undefined]],
  );
  assert.deepEqual(resultOf(played).docs, { status: "updated", commit: "sha-1", files: ["README.md"] });
});

test("documentation that needs no change leaves no commit", () => {
  const played = yes({ agents: { docs: () => "It is fine." } });
  assert.deepEqual([resultOf(played).docs.status, docsCommits(played).length], ["unchanged", 0]);
});

test("whatever else it changes is taken back, and it is told so once", () => {
  const both: Agent = (turn) => writing("README.md", ...(turn.nth === 1 ? ["src/1.ts"] : []))(turn);
  const played = yes({ agents: { docs: both } });
  assert.deepEqual(resultOf(played).docs, { status: "updated", commit: "sha-1", files: ["README.md"] });
  assert.equal(played.files.get("src/1.ts"), "one();");
  const again = dispatches(played).filter(({ name }) => name === "docs")[1]?.prompt ?? "";
  assert.match(
    again,
    /Your step, again: your last attempt was undone\n```\nIt changed files that are not documentation: src\/1\.ts\./,
  );
  const never = yes({ agents: { docs: writing("README.md", "package.json") } });
  assert.deepEqual([resultOf(never).docs.status, docsCommits(never).length], ["undone", 0]);
  assert.equal(never.files.get("README.md"), "old");
  assert.equal(names(never).filter((name) => name === "docs").length, 2);
  assert.match(
    JSON.stringify(facts(never)),
    /it is kept at refs\/superteam\/given-up\. It changed files that are not documentation/,
  );
});

test("documentation after which the check fails is taken back", () => {
  const played = yes({
    config: { validationCommand: "check it" },
    check: (files) => ({ passed: files.get("README.md") === "old", output: "link is broken" }),
  });
  assert.deepEqual([resultOf(played).docs.status, played.files.get("README.md")], ["undone", "old"]);
  assert.match(JSON.stringify(facts(played)), /`check it` fails:\\nlink is broken/);
});

test("when its agent fails the person may finish without it, and the report says so", () => {
  const crashes: Agent = () => ({ failed: "crashed" });
  const answers = { "finalize.docs.failed": ["retry", "skip"] };
  const played = yes({ agents: { docs: crashes }, answers });
  assert.deepEqual([resultOf(played).docs.status, docsCommits(played).length], ["unchanged", 0]);
  assert.match(JSON.stringify(facts(played)), /The documentation was not updated\. implementer failed \(crashed\)/);
});

test("when its commit is refused the person may go without it", () => {
  const refuse: Script["commit"] = (_nth, _files, request) => (request.name === "docs" ? "refused" : undefined);
  const played = yes({ commit: refuse, answers: { "finalize.docs.commit": ["retry", "skip"] } });
  assert.deepEqual([resultOf(played).docs.status, played.files.get("README.md")], ["undone", "old"]);
  assert.equal(docsCommits(played).length, 2);
});

test("documentation is text for readers, and nothing that runs", () => {
  const docs = ["README.md", "docs/guide.rst", "src/notes.txt", "docs/picture.svg", "CHANGELOG", "pkg/README", "a.mdx"];
  const others = ["src/a.ts", "docs/build.js", "package.json", "requirements.txt", "CMakeLists.txt", "a.svg", "docs/x"];
  assert.deepEqual(docs.filter(isDocumentation), docs);
  assert.deepEqual(others.filter(isDocumentation), []);
});

test("what is committed is the tree that was checked; one that moved is looked at once more, then taken back", () => {
  const meddling = (times: number): Script => {
    let moves = 0;
    return {
      answers: { "finalize.docs": "yes", "finalize.docs.mixed": "task" },
      meanwhile: (request, files) => {
        const isOurs = request.do === "commit" && request.name === "docs";
        if (isOurs && moves++ < times) files.set("README.md", `moved ${moves}`);
      },
    };
  };
  assert.deepEqual(
    [1, 4].map((times) => resultOf(yes(meddling(times))).docs.status),
    ["updated", "undone"],
  );
  const prompts = dispatches(yes(meddling(4))).flatMap(({ name, prompt }) => (name === "docs" ? [prompt] : []));
  assert.equal(prompts.length, 2, "a writer is given the reason, once");
  assert.match(prompts[1] ?? "", /The tree changed while it was being checked/);
  const formats: Script = {
    config: { validationCommand: "format" },
    check: (files) => {
      files.set("README.md", "formatted");
      return { passed: true, output: "" };
    },
  };
  assert.equal(resultOf(yes(formats)).docs.status, "updated");
});

test("T1: a hook that adds something else to the documentation is a problem of the documentation", () => {
  const adding: Script["commit"] = (_nth, files, request) => {
    if (request.name === "docs") files.set("evil.js", "evil()");
    return undefined;
  };
  const played = yes({ commit: adding });
  assert.deepEqual([resultOf(played).docs.status, played.files.has("evil.js")], ["undone", false]);
  assert.match(JSON.stringify(facts(played)), /files that are not documentation: evil\.js/);
});

test("what a hook made of the documentation is checked again, and taken back when it fails", () => {
  const formatting: Script["commit"] = (_nth, files, request) => {
    if (request.name === "docs") files.set("README.md", "formatted");
    return undefined;
  };
  const passing = yes({ config: { validationCommand: "check it" }, commit: formatting });
  assert.equal(resultOf(passing).docs.status, "updated");
  assert.match(JSON.stringify(facts(passing)), /A commit hook changed the documentation after it was checked/);
  const failing = yes({
    config: { validationCommand: "check it" },
    commit: formatting,
    check: (files) => ({ passed: files.get("README.md") !== "formatted", output: "broken" }),
  });
  assert.deepEqual([resultOf(failing).docs.status, failing.files.get("README.md")], ["undone", "old"]);
});
