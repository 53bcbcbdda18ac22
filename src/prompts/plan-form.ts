// How a plan is written: for the planner, whatever its step is.

/** What code reads of a plan; a test reads it as one. */
export const blockExample = `- id: 1
  title: "Token bucket"
  files: ["src/bucket.ts", "test/bucket.test.ts"]
  criteria:
    - "\`take()\` returns false for the sixth call within a second"
  covers: ["R1"]
  dependsOn: []
  complexity: "medium"
  tdd: "required"
  commands: ["npm test -- bucket"]`;

export const planForm = `A plan is one file; write no other. The reader of each task has never seen this project, starts with an empty context and has questionable taste. Leave nothing to guess: exact paths, complete test code, exact commands with the output to expect. DRY, YAGNI. A task is 2 to 5 minutes of work, leaves the project working and is committed alone. Every requirement is covered by some task, and no task does more than the design.

The file has a header of three lines (\`**Goal:**\`, \`**Architecture:**\`, \`**Tech Stack:**\`), then one heading \`### Task N: title\` per task. The text below it is everything the implementer gets about the task.

It ends with one list of all tasks, for code. It repeats nothing of the text. Put every text in double quotes:

\`\`\`\`superteam-tasks
${blockExample}
\`\`\`\`

files: every file the task creates or changes. criteria: what must hold when it is done, each provable. covers: ids of the design's requirements. dependsOn: ids of earlier tasks. complexity: easy, medium or hard. tdd: required; existing-tests; or none if there is nothing to test. commands: what shows that it works.`;
