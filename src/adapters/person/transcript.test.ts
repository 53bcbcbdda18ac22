import assert from "node:assert/strict";
import { test } from "node:test";
import { noticeLines, unansweredLines } from "./transcript.ts";

const style = { columns: 60, paint: (colour: string, text: string) => `<${colour}>${text}</>` };

test("U6: green is done, yellow needs you, red has failed, bold is a new phase, and dim may be ignored", () => {
  const shown = (text: string, level: "info" | "warning" | "error" = "info") =>
    noticeLines(text, level, style).join("");
  assert.equal(shown("✓ Add a limit"), "<green>●</>  ✓ Add a limit");
  assert.equal(shown("⚡ Complete! 3/3 tasks."), "<green>●</>  ⚡ Complete! 3/3 tasks.");
  assert.equal(shown("── Execution ──"), "<blue>●</>  <bold>── Execution ──</>");
  assert.equal(shown("scout answered: a map"), "<gray>●</>  <dim>scout answered: a map</>");
  assert.equal(shown("An agent is silent.", "warning"), "<yellow>▲</>  An agent is silent.");
  assert.equal(shown("The check fails.", "error"), "<red>■</>  The check fails.");
  assert.deepEqual(unansweredLines("Waiting for your answer.", style), [
    "<gray>└</>  <yellow>Waiting for your answer.</>",
  ]);
});
