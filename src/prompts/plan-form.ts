// How to write a plan: for the planner, whatever its step is.

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

export const planForm = `A plan is one file; write no other. Every requirement is covered by at least one task, and no task goes beyond the design.

A task is 2 to 5 minutes of work, leaves the project working, and is reviewed and committed on its own. Each one costs several agents, so do not split what belongs together: code goes with its tests, and a part that nothing uses or tests yet is not a task. Number the tasks in the order they will be done.

The file has a header of three lines (\`**Goal:**\`, \`**Architecture:**\`, \`**Tech Stack:**\`), then one heading \`### Task N: title\` per task, with what to do below it. The implementer gets the header, the text below its heading and its entry in the list, with the goal and the text of the requirements it covers. It sees no other task and no design, so leave nothing to guess.

The file ends with one list of all tasks, for code. Do not repeat the text there. Put every string in double quotes:

\`\`\`\`superteam-tasks
${blockExample}
\`\`\`\`

files: every file the task creates or changes, as a path from the repository's root. criteria: what must be true when it is done, each testable and on one line. covers: ids of the design's requirements. dependsOn: ids of earlier tasks it needs. complexity: easy, medium or hard. tdd: required, if a new test fails without the task and passes with it, which is verified; existing-tests, if tests that exist cover it; none, if there is nothing to test. commands: what shows that it works. Unless tdd is none, a task has at least one criterion and one command.`;
