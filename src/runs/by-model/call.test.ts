import assert from "node:assert/strict";
import { test } from "node:test";
import { isGoal } from "./call.ts";

test("U8: a goal has several words, also in a language without spaces; one word or an option is none", () => {
  const goals = ["Add a limit", "レート制限を追加してください", "添加限流功能", "Ajoute une limite à l’API"];
  assert.deepEqual(goals.filter(isGoal), goals);
  assert.deepEqual(["2", "approve", "token-bucket", "はい", "--budget 100 build it all", " "].filter(isGoal), []);
});
