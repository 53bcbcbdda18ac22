import assert from "node:assert/strict";
import { test } from "node:test";
import { designDocument } from "./design-document.ts";

const section = { id: "s1", title: "Storage", content: "One file.", requirements: [{ id: "R1", text: "It is kept." }] };

test("a design is what was decided, the approach, the parts and each section, in this order", () => {
  const text = designDocument({
    goal: "Keep\n  letters",
    answers: [
      { question: "Where?", answer: "On disk" },
      { question: "How?", answer: "As text", talk: [{ topic: "Why not\n a table?", reply: "Too much." }] },
    ],
    approach: "Plain files.",
    parts: [{ title: "Store", scope: "the files" }],
    sections: [section],
  });
  const order = [
    "# Design: Keep letters",
    "## Decisions",
    "- Where?\n  **On disk**",
    "## Approach\n\nPlain files.",
    "## Parts",
  ];
  const places = [...order, "1. **Store**: the files", "Storage", "- **R1** It is kept."].map((part) =>
    text.indexOf(part),
  );
  assert.ok(!places.includes(-1), text);
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
  assert.match(text, /\*\*As text\*\*\n {2}- The person: Why not a table\?\n {2}- The brainstormer: Too much\./);
});

test("what was not decided has no heading", () => {
  const text = designDocument({ goal: "Keep letters", answers: [], approach: "", sections: [section] });
  assert.doesNotMatch(text, /## (Decisions|Approach|Parts)|\n\n\n/);
  assert.match(text, /^# Design: Keep letters\n\n.*Storage/);
});
