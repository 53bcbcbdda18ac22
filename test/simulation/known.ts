// Violations that are known and not repaired yet, by what is said of them. They are counted and printed; whatever is not listed here
// fails. A line goes when its cause is repaired, and the simulation fails from then on if it comes back.

const known: readonly { readonly id: string; readonly says: RegExp }[] = [
  // What the person does while a reviewer reads, or while a question waits inside a task, ends up in the task's commit.
  { id: "F1", says: /^the commit ".*" has what the person wrote into / },
  // A rollback or a skip takes what the person did while the question waited, without a word.
  { id: "F2", says: /^the run itself changed .* of the person's, and nobody says so$/ },
  // What is in the index alone is lost when the run commits or goes back.
  { id: "F3", says: /^what the person staged of .* is lost$/ },
  // The last writers, for the documentation and the final fix, are under no discipline: the person's files, and HEAD.
  { id: "F4", says: /^an agent \(.*\) changed .* of the person's, and nobody says so$/ },
  { id: "F5", says: /^the run (?:ends with ".*", a commit of an agent's|began on .* and ends on )/ },
  {
    id: "F5",
    says: /^(?:the commit that the run began with is gone|\d+ commits of the report are not in the branch)$/,
  },
  // The plan is outside of every anchor.
  { id: "F8", says: /^planner starts again with .* as an interrupted try left it$/ },
  // E3b: what a check writes into the tree is taken for the task's work.
  { id: "check's files", says: /^the commit ".*" has what a check wrote$/ },
];

export function knownAs(violation: string): string | undefined {
  return known.find(({ says }) => says.test(violation))?.id;
}
