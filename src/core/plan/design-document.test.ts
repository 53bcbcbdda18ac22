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
    parts: [
      { title: "Store", scope: "the files" },
      { title: "Page", scope: "what shows them" },
    ],
    sections: [{ ...section, part: 2, requirements: [...section.requirements, { id: "R2", text: "It is found." }] }],
  });
  assert.equal(
    text,
    [
      "# Design: Keep letters\n",
      "## Decisions\n",
      "- Where?\n  **On disk**",
      "- How?\n  **As text**",
      "  - The person: Why not a table?",
      "  - The brainstormer: Too much.\n",
      "## Approach\n",
      "Plain files.\n",
      "## Parts\n",
      "1. **Store**: the files",
      "2. **Page**: what shows them\n",
      "## Storage (part 2)\n",
      "One file.\n",
      "- **R1** It is kept.",
      "- **R2** It is found.\n",
    ].join("\n"),
  );
});

test("what was not decided has no heading", () => {
  const text = designDocument({ goal: "Keep letters", answers: [], approach: "", sections: [section] });
  assert.doesNotMatch(text, /## (Decisions|Approach|Parts)|\n\n\n/);
  assert.match(text, /^# Design: Keep letters\n\n## Storage\n/);
});
