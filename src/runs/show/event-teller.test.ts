import assert from "node:assert/strict";
import { test } from "node:test";
import { Pen } from "../../../test/rig/sample-journal.ts";
import { viewOf } from "../../engine/views/fold/run-view.ts";
import { warningEvent } from "../../engine/views/tell/events.ts";
import { EventTeller } from "./event-teller.ts";

const { entries } = new Pen().run("Use hunter2").enter("plan", "phase");
const warning = warningEvent(viewOf(entries), 0, "about hunter2");
const redact = (text: string): string => text.replaceAll("hunter2", "•••");

function open(lines: readonly string[], append: (line: string) => void) {
  const [json, troubles]: [string[], string[]] = [[], []];
  const log = { lines, append, close: () => undefined };
  const trouble = (text: string): void => void troubles.push(text);
  const teller = new EventTeller({ log, past: entries, json: (line) => json.push(line), redact, trouble });
  return { teller, json, troubles };
}

test("U9: a resume keeps what an earlier process did not get to tell, then counts on; what is told live is kept, without secrets", () => {
  const kept: string[] = [];
  const { teller, json } = open([], (line) => kept.push(line));
  teller.tell(warning);
  assert.deepEqual(
    kept.map((line) => [JSON.parse(line).seq, JSON.parse(line).type]),
    [
      [1, "run.started"],
      [2, "phase.started"],
      [3, "warning"],
    ],
  );
  assert.deepEqual(json, kept.slice(-1), "what happened before is no news");
  assert.doesNotMatch(kept.join("\n"), /hunter2/);
});

test("events that cannot be kept are still told, and the person hears of it once", () => {
  const { teller, json, troubles } = open([], () => {
    throw new Error("ENOSPC: no space left on device");
  });
  teller.tell(warning);
  teller.tell(warning);
  assert.equal(json.length, 2);
  assert.deepEqual(troubles.length, 1);
  assert.match(troubles[0] ?? "", /can no longer be saved: ENOSPC.* The run continues/);
});
