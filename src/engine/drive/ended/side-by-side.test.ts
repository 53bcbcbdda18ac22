import assert from "node:assert/strict";
import { test } from "node:test";
import { startPlace } from "../../../core/flow/flow.ts";
import { Readers } from "./side-by-side.ts";

const given = (around: string) => ({ sha: "", branch: "main", tree: around, leftAlone: [], ref: "", around });

test("R6: readers side by side share the record of the first, as long as one of them is at work", () => {
  const readers = new Readers();
  assert.equal(readers.join(startPlace).share(given("clean")).around, "clean");
  const second = readers.join(startPlace).share(given("while the first meddles"));
  assert.deepEqual([second.around, second.tree], ["clean", "while the first meddles"]);
  readers.leave(startPlace);
  assert.equal(readers.join(startPlace).share(given("the second still reads")).around, "clean");
  readers.leave(startPlace);
  readers.leave(startPlace);
  assert.equal(readers.join(startPlace).share(given("later")).around, "later");
});

test("readers end one at a time, also after one whose end failed", async () => {
  const group = new Readers().join(startPlace);
  const seen: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} is done`);
    return name;
  };
  const failed = group.inTurn(() => Promise.reject(new Error("git failed")));
  const others = [group.inTurn(work("a")), group.inTurn(work("b"))];
  await assert.rejects(failed, /git failed/);
  assert.deepEqual(await Promise.all(others), ["a", "b"]);
  assert.deepEqual(seen, ["a begins", "a is done", "b begins", "b is done"]);
});
