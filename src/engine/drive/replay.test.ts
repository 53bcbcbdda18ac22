import assert from "node:assert/strict";
import { test } from "node:test";
import type { Request } from "../../core/flow/flow.ts";
import { sameRequest } from "./replay.ts";

const dispatch = (role: string, prompt = "Do."): Request => ({
  do: "dispatch",
  name: "one",
  role,
  prompt,
  access: "read",
});
const ask = (id: string, message = "Well?"): Request => ({
  do: "ask",
  question: { id, kind: "confirm", title: "T", message },
});
const check = (command: string): Request => ({ do: "check", name: "one", command });
const head: Request = { do: "head" };

test("words may change between two versions; who is sent, what is asked and which command runs may not", () => {
  const same: readonly (readonly [Request, Request])[] = [
    [dispatch("scout"), dispatch("scout", "Do it better.")],
    [ask("a"), ask("a", "Really?")],
    [check("npm test"), check("npm test")],
    [head, head],
  ];
  const different: readonly (readonly [Request, Request])[] = [
    [dispatch("scout"), dispatch("planner")],
    [ask("a"), ask("b")],
    [check("npm test"), check("make")],
    [check("npm test"), head],
    [dispatch("scout"), ask("scout")],
  ];
  for (const [before, now] of same) assert.ok(sameRequest(before, now), JSON.stringify([before, now]));
  for (const [before, now] of different) assert.ok(!sameRequest(before, now), JSON.stringify([before, now]));
});
